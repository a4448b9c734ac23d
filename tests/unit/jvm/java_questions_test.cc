// SPDX-License-Identifier: Apache-2.0
// What a dump says where the runtime cannot be asked; what it answers, real ART tests in process.
#include "src/jvm/java_questions.h"

#include <gtest/gtest.h>

namespace stillframe::jvm {
namespace {

// No VM was ever created in this process.
TEST(JavaQuestions, EveryAnswerIsAbsentWithTheReasonWithoutAVm) {
  JavaQuestions questions;
  const std::string why = "the Java VM has been destroyed";
  EXPECT_EQ(questions.ReadQueue(8).absent, why);
  const JavaQuestions::Answers answers = questions.ReadForDump(8, 50);
  EXPECT_EQ(answers.pending.absent, why);
  EXPECT_EQ(answers.pending.source, "");
  EXPECT_GE(answers.facts.size(), 10U);
  for (const model::ContextEntry& fact : answers.facts) {
    EXPECT_EQ(fact.state, model::ContextEntry::State::kAbsent) << fact.name;
    EXPECT_EQ(fact.text, why) << fact.name;
  }
  ErrorState state;
  const model::Outcome outcome = questions.ReadErrorState(&state);
  EXPECT_EQ(outcome.status, model::Status::kUnavailable);
  EXPECT_EQ(outcome.why, why);
}

}  // namespace
}  // namespace stillframe::jvm
