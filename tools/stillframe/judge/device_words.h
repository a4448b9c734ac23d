// SPDX-License-Identifier: Apache-2.0
// Words of verdicts by the system's figures: memory, storage and CPUs of the device.
#pragma once

#include <optional>

#include "tools/stillframe/judge/filled_text.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

// Nothing for verdicts on other grounds.
std::optional<Form> FormOfDevice(const Verdict& verdict);

}  // namespace stillframe::judge
