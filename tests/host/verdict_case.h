// SPDX-License-Identifier: Apache-2.0
// What tests of verdicts share: documents made in code, the judge, and what a verdict says.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/host/sample_documents.h"
#include "tools/stillframe/rules/judge.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::host_test {

using index::DumpIndex;
using trace::ThreadState;
using verdict::Confidence;
using verdict::Kind;
using verdict::Verdict;

// One line each.
inline std::string EvidenceOf(const Verdict& verdict) {
  std::string text;
  for (const std::string& sentence : verdict.evidence) text += sentence + "\n";
  return text;
}

inline bool Says(const Verdict& verdict, std::string_view part) {
  return verdict.sentence.find(part) != std::string::npos;
}

}  // namespace stillframe::host_test
