// SPDX-License-Identifier: Apache-2.0
// Shared by tests of verdicts: documents made in code, the judge, and the verdict's text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/host/sample_documents.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/words/contributor_text.h"
#include "tools/stillframe/words/wording.h"

namespace stillframe::host_test {

using index::DumpIndex;
using judge::Confidence;
using judge::Kind;
using judge::Verdict;
using model::ThreadState;

// One line each.
inline std::string EvidenceOf(const Verdict& verdict) {
  std::string text;
  for (const std::string& sentence : words::Explain(verdict).evidence) text += sentence + "\n";
  return text;
}

inline std::string HeadlineOf(const Verdict& verdict) { return words::Explain(verdict).headline; }
inline std::string SentenceOf(const Verdict& verdict) { return words::Explain(verdict).sentence; }

inline std::string SentenceOf(const model::Document& document) {
  return SentenceOf(judge::Judge(DumpIndex(document)));
}

inline bool Says(const Verdict& verdict, std::string_view part) {
  return SentenceOf(verdict).find(part) != std::string::npos;
}

}  // namespace stillframe::host_test
