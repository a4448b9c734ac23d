// SPDX-License-Identifier: Apache-2.0
// Words of verdicts by the system's figures: memory, storage and CPUs of the device.
#pragma once

#include <optional>

#include "tools/stillframe/judge/verdict.h"
#include "tools/stillframe/words/filled_text.h"

namespace stillframe::words {

// Nothing for verdicts on other grounds.
std::optional<Form> FormOfDevice(const judge::Verdict& verdict);

}  // namespace stillframe::words
