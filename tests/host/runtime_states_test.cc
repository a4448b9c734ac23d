// SPDX-License-Identifier: Apache-2.0
// Causes derived from the runtime's own thread states.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/host/sample_documents.h"
#include "tests/host/verdict_case.h"
#include "tools/stillframe/judge/judge.h"

namespace stillframe::judge {
namespace {

using namespace host_test;

// Two thirds of a message in this state.
Verdict JudgedIn(ThreadState state) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 1)
      .Add(InCallback({"app.Bitmaps.run:3"}), 100)
      .Add(InCallback({"app.Bitmaps.run:3", "app.Pool.take:8"}), 203, 10'000, state)
      .Finish();
  document.running = RunningMessage(document, 1, 3'031, 1'000);
  document.context = {{"gc", "blocking_collections", model::ContextEntry::State::kNumber, "", 12}};
  return Judge(DumpIndex(document));
}

TEST(RuntimeStates, InOneWithoutANameItWasMostLikelyTheCollector) {
  const Verdict verdict = JudgedIn(ThreadState::kOther);
  EXPECT_EQ(verdict.kind, Kind::kRuntimeWait);
  EXPECT_EQ(verdict.confidence, Confidence::kMedium);
  EXPECT_TRUE(Says(verdict,
                   "waiting for the runtime (garbage collector, most likely) in app.Pool.take "
                   "(Pool.java:8): 67% of the 3.0 s. Then app.Bitmaps.run "
                   "(Runnable app.Bitmaps) 33%."))
      << SentenceOf(verdict);
  EXPECT_NE(EvidenceOf(verdict).find("12 blocking collections"), std::string::npos);
}

TEST(RuntimeStates, WaitingForWhatAnotherThreadLoadsIsSaid) {
  for (const auto& [state, says] :
       {std::pair(ThreadState::kWaitingForClass,
                  "a class that another thread loads or initialises"),
        std::pair(ThreadState::kWaitingForLibrary, "a native library that another thread loads")}) {
    const Verdict verdict = JudgedIn(state);
    EXPECT_EQ(verdict.kind, Kind::kStandstill);
    EXPECT_TRUE(Says(verdict, std::string("was waiting for ") + says +
                                  " in app.Pool.take (Pool.java:8) during Runnable"))
        << SentenceOf(verdict);
  }
}

}  // namespace
}  // namespace stillframe::judge
