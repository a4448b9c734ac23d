// SPDX-License-Identifier: Apache-2.0
// Words of verdicts made of facts alone.
#include "tools/stillframe/words/wording.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/words/filled_text.h"

namespace stillframe::words {
namespace {

using judge::Cause;
using judge::Contributor;
using judge::Kind;
using judge::Verdict;

// Facts of every kind, with this name wherever there is one.
Verdict VerdictOf(Kind kind, Cause cause, const std::string& name) {
  Verdict verdict;
  verdict.kind = kind;
  verdict.cause = cause;
  verdict.named_ns = 2'500'000'000;
  verdict.window_ns = 5'000'000'000;
  judge::Culprit& culprit = verdict.culprit.emplace();
  culprit.method = name;
  culprit.place = "A.java:3";
  culprit.leaf = name + "x";
  culprit.held_us = 2;
  verdict.message.emplace().target = name;
  verdict.waiting.emplace().callback = name;
  verdict.holders = {{name, 4}, {"other", 5}};
  verdict.threads = {name};
  verdict.chain.threads.resize(2);
  for (judge::Waiter& waiter : verdict.chain.threads) {
    waiter.thread = name;
    waiter.wait = model::WaitKind::kMonitor;
  }
  verdict.chain.loop = 0;
  verdict.contributors.resize(2);
  for (Contributor& row : verdict.contributors) {
    row.cause = cause;
    row.ns = 2'500'000'000;
    row.message = verdict.message;
  }
  verdict.lead = 0;
  verdict.evidence.push_back(judge::evidence::Waiting{.message = name});
  return verdict;
}

TEST(Wording, OfEveryKindAndCauseKeepsItsLimits) {
  const std::string long_name = "com.example.shop." + std::string(120, 'C') + ".onClick";
  for (const std::string& name :
       {std::string("app.A.b"), long_name, std::string(), std::string("a b {c} ") + long_name})
    for (size_t kind = 0; kind < std::size(kTableOf<Kind>.words); ++kind)
      for (int cause = 0; cause <= static_cast<int>(Cause::kUnseen); ++cause) {
        const Words words =
            Explain(VerdictOf(static_cast<Kind>(kind), static_cast<Cause>(cause), name));
        SCOPED_TRACE(words.headline + " | " + words.sentence + " | " + words.next_step);
        EXPECT_FALSE(words.headline.empty());
        EXPECT_LE(index::CharacterCount(words.headline), 80U);
        EXPECT_LT(std::ranges::count(words.sentence, ' '), 40);
        EXPECT_TRUE(words.sentence.ends_with('.') && words.next_step.ends_with('.'));
        EXPECT_EQ(words.evidence.size(), 1U);
      }
}

TEST(Wording, BracesOfAProcessAreText) {
  for (const char* name : {"a{b}", "{name}{", "}{x", "{}"}) {
    Verdict verdict = VerdictOf(Kind::kStarved, Cause::kNoCpu, "app.A.take");
    verdict.is_at_dump = true;
    verdict.process = std::string(name) + " (312.0% of a CPU)";
    const Words words = Explain(verdict);
    EXPECT_NE(words.headline.find("took the CPU"), std::string::npos) << words.headline;
    EXPECT_FALSE(words.sentence.empty());
  }
  EXPECT_EQ(Filled("a {b} {name} {", "m", false, {}), "a {b} m {");
}

}  // namespace
}  // namespace stillframe::words
