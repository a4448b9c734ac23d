// SPDX-License-Identifier: Apache-2.0
// An observation in English.
#pragma once

#include <string>

#include "tools/stillframe/judge/verdict.h"

namespace stillframe::words {

// One sentence.
std::string EvidenceText(const judge::Verdict& verdict, const judge::Evidence& fact);

}  // namespace stillframe::words
