// SPDX-License-Identifier: Apache-2.0
// The verdict on one message.
#include <functional>

#include "tests/host/verdict_case.h"

namespace stillframe::judge {
namespace {

using namespace host_test;

bool HasEvidence(const Verdict& verdict, std::string_view part) {
  return EvidenceOf(verdict).find(part) != std::string::npos;
}

// One running message of 3 s with a tree.
model::Document WithRunning(const std::function<void(TreeMaker*)>& fill, int64_t cpu_ms = 2'900) {
  model::Document document = QuietDocument();
  TreeMaker maker(&document, 17);
  fill(&maker);
  maker.Finish();
  document.running = RunningMessage(document, 17, 3'000, cpu_ms);
  return document;
}

TEST(Verdict, NamesMethodLineShareAndMessage) {
  const model::Document document = AnrDocument();
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kMethod);
  EXPECT_EQ(verdict.token, Token{17});
  EXPECT_EQ(
      SentenceOf(verdict),
      "fixture.Decimal.multiply (Decimal.java:23) ran during Runnable fixture.Main$1, which was "
      "still running: all of the 2.8 s that android.app.ActivityThread$H what 114 waited.");
  EXPECT_TRUE(HasEvidence(verdict, "Hottest line: Decimal.java:23, 2.5 s of the method's 2.7 s."));
  EXPECT_TRUE(HasEvidence(verdict, "Called from fixture.Checkout.total"));
  EXPECT_TRUE(HasEvidence(verdict, "it was computing"));
}

TEST(Verdict, SaysWhatAStandstillWasAndWhoCalled) {
  for (const auto& [state, words] :
       {std::pair(ThreadState::kWaiting, "waited"), std::pair(ThreadState::kTimedWaiting, "waited"),
        std::pair(ThreadState::kSleeping, "slept")}) {
    const model::Document document = WithRunning(
        [state = state](TreeMaker* maker) {
          maker->Add(
              InMessage({"app.A.handleMessage:3", "app.A.take:40", "java.lang.Object.wait:native"}),
              300, 10'000, state);
        },
        4);
    const Verdict verdict = Judge(DumpIndex(document));
    EXPECT_EQ(verdict.kind, Kind::kStandstill);
    EXPECT_NE(
        SentenceOf(verdict).find(std::string("Main ") + words +
                                 " in java.lang.Object.wait, called from app.A.take (A.java:40) "
                                 "during app.A, which was still running: all of the 3.0 s"),
        std::string::npos)
        << SentenceOf(verdict);
    EXPECT_TRUE(HasEvidence(verdict, "it was waiting or got no CPU"));
  }
}

TEST(Verdict, RecursionHoldsTheWholeTime) {
  const model::Document document = WithRunning([](TreeMaker* maker) {
    for (uint32_t depth = 1; depth <= 500; ++depth) {
      StackText inner(depth, "app.Deep.descend:9");
      maker->Add(InMessage(inner), 1);
    }
  });
  const Verdict verdict = Judge(DumpIndex(document));
  ASSERT_TRUE(verdict.culprit);
  EXPECT_EQ(verdict.culprit->method, "app.Deep.descend");
  EXPECT_EQ(verdict.culprit->held_us, 3'000'000U) << "all of the message";
  EXPECT_EQ(verdict.culprit->caller, "");
}

TEST(Verdict, SpreadTimeIsNotBlamedOnTheLoop) {
  const model::Document document = WithRunning([](TreeMaker* maker) {
    maker->Add({"app.Main.main:1", "android.os.Looper.loop:5",
                "android.os.Handler.dispatchMessage:4", "app.A.handleMessage:1"},
               100);
    maker->Add({"app.Main.main:1", "android.os.Looper.loop:5",
                "android.os.Handler.dispatchMessage:4", "app.B.handleMessage:1"},
               100);
    maker->Add({"app.Main.main:1", "android.os.Looper.loop:5",
                "android.os.Handler.dispatchMessage:4", "app.C.handleMessage:1"},
               101);
  });
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kSpread);
  EXPECT_FALSE(verdict.culprit);
  EXPECT_TRUE(HasEvidence(verdict, "app.C.handleMessage took 1.0 s of 3.0 s"));
}

TEST(Verdict, WithoutSamplesSaysWhy) {
  model::Document document = QuietDocument();
  document.identity.sampler_state = "layout of this ART is not known";
  document.running = RunningMessage(document, 3, 4'100, 100);
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kNoSamples);
  EXPECT_NE(HeadlineOf(verdict).find("ran a message for 4.0 s, but no samples were taken"),
            std::string::npos);
  EXPECT_TRUE(HasEvidence(verdict, "The sampler was off: layout of this ART is not known"));
}

TEST(Verdict, AnEarlierMessageIsToBlameWhenTheRunningOneIsShort) {
  model::Document document = AnrDocument();
  document.running = RunningMessage(document, 18, 20, 20);
  document.pending.clear();  // it had ended before anything in the queue was due
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.token, Token{9});
  EXPECT_EQ(verdict.kind, Kind::kStandstill);
  EXPECT_NE(SentenceOf(verdict).find("during fixture.LockHandler what 3"), std::string::npos);
}

TEST(Verdict, WhereNothingWasSlowItSaysSo) {
  model::Document document = QuietDocument();
  document.running = RunningMessage(document, 18, 20, 20);
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kNothingSlow);
  EXPECT_FALSE(verdict.token);
  document.identity.tap = "none";
  EXPECT_NE(SentenceOf(Judge(DumpIndex(document))).find("No Looper was watched"),
            std::string::npos);
}

TEST(Verdict, AProbeMayNotHaveSeenTheBeginning) {
  model::Document document = QuietDocument();
  document.running = RunningMessage(document, 18, 20, 20);
  document.running->segment = {model::SegmentKind::kUnseenMessage, "app.Sleeper.run"};
  document.identity.tap = "probe";
  document.trigger = model::Trigger::kExit;
  EXPECT_EQ(Judge(DumpIndex(document)).kind, Kind::kNothingSlow);
  document.trigger = model::Trigger::kSigquit;
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kNotEnoughData);
  EXPECT_NE(HeadlineOf(verdict).find("since when is not known"), std::string::npos);
}

TEST(Verdict, ATreeWhoseMessageIsLostStillCounts) {
  model::Document document = AnrDocument();
  document.history.clear();
  document.running.reset();
  const DumpIndex index(document);
  const Verdict verdict = Judge(index);
  EXPECT_EQ(verdict.token, Token{17});
  EXPECT_EQ(verdict.culprit->method, "fixture.Decimal.multiply");
  EXPECT_EQ(index.TreeTokens(verdict.token), (std::vector<Token>{Token{17}, Token{12}, Token{9}}));
}

TEST(Dispatch, ANestedMessageBelongsToTheInnermostHandler) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 5).Add(InMessage(InMessage({"app.Inner.handleMessage:2"})), 200).Finish();
  model::Message message = RunningMessage(document, 5, 2'000, 2'000);
  message.flags |= model::kMessageNested;
  document.running = message;
  const DumpIndex index(document);
  EXPECT_EQ(index.DispatchFor(message).target, "app.Inner");
  EXPECT_TRUE(index.DispatchFor(message).is_nested);
}

// Ten times no thread ran for 120 ms, and none waited for a CPU: the method is not to blame.
TEST(Verdict, TimeInWhichNobodyRanIsNotTheMethods) {
  model::Document document = QuietDocument();
  model::TraceTree tree(Token{17});
  const std::vector<model::FrameId> stack = {AddFrame(&document, "app.Feed.run:3")};
  uint32_t wall_us = 0;
  uint32_t cpu_us = 0;
  for (uint32_t i = 0; i < 110; ++i) {
    const uint32_t weight_us = i % 11 == 10 ? 130'000 : 10'000;
    tree.Add(stack, {wall_us += weight_us, weight_us, cpu_us += 9'000, ThreadState::kRunnable});
  }
  document.trees.push_back(std::move(tree));
  document.running = RunningMessage(document, 17, 2'300, 990);
  document.running->runqueue_wait_ns = 60'000'000;
  const Verdict stood = Judge(DumpIndex(document));
  ASSERT_FALSE(stood.contributors.empty());
  EXPECT_EQ(stood.contributors[0].cause, judge::Cause::kStill);
  EXPECT_NEAR(static_cast<double>(stood.contributors[0].ns), 1.16e9, 1e8);
  EXPECT_EQ(stood.kind, Kind::kStandstill);
  EXPECT_NE(
      SentenceOf(stood).find(
          "Main was idle, reason unknown, in app.Feed.run (Feed.java:3) during an unidentified"),
      std::string::npos)
      << SentenceOf(stood);
  EXPECT_NE(stood.confidence, Confidence::kHigh);
  document.running->runqueue_wait_ns = 1'290'000'000;
  EXPECT_EQ(Judge(DumpIndex(document)).kind, Kind::kStarved);
  document.interval_ns = 100'000'000;
  document.running->runqueue_wait_ns = 60'000'000;
  EXPECT_EQ(Judge(DumpIndex(document)).kind, Kind::kMethod) << "as often as it was set";
}

TEST(Verdict, StacksThatWereCutHaveCallersThatNobodyKnows) {
  for (const uint32_t whole : {0U, 280U}) {
    model::Document document = QuietDocument();
    const model::FrameId cut = document.frames.InternFrame("", "deeper than the limit", "", "", -1,
                                                           model::FrameKind::kTruncated);
    const model::FrameId inner = AddFrame(&document, "io.reactivex.Deep.down:5");
    model::TraceTree tree(Token{17});
    for (uint32_t i = 1; i <= 300; ++i) {
      const std::vector<model::FrameId> stack =
          i <= whole ? std::vector<model::FrameId>{AddFrame(&document, "app.Main.run:3"), inner}
                     : std::vector<model::FrameId>{cut, inner};
      tree.Add(stack, {i * 10'000, 10'000, i * 10'000, ThreadState::kRunnable});
    }
    document.trees.push_back(std::move(tree));
    document.running = RunningMessage(document, 17, 3'000, 3'000);
    const Verdict verdict = Judge(DumpIndex(document));
    EXPECT_EQ(HasEvidence(verdict, "Callers are missing for 3.0 s of 3.0 s (100%)"), whole == 0);
    for (const judge::MethodTime& method : verdict.contributors[0].methods)
      EXPECT_EQ(method.method.find("deeper"), std::string::npos) << method.method;
  }
}

}  // namespace
}  // namespace stillframe::judge
