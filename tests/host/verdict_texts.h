// SPDX-License-Identifier: Apache-2.0
// What a verdict says, for tests.
#pragma once

#include <string>

#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::host_test {

// One line each.
inline std::string EvidenceOf(const verdict::Verdict& verdict) {
  std::string text;
  for (const std::string& sentence : verdict.evidence) text += sentence + "\n";
  return text;
}

}  // namespace stillframe::host_test
