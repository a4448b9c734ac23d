// SPDX-License-Identifier: Apache-2.0
// An observation in English.
#pragma once

#include <string>

#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

// One sentence.
std::string EvidenceText(const Verdict& verdict, const Evidence& fact);

}  // namespace stillframe::judge
