// SPDX-License-Identifier: Apache-2.0
// How a verdict ranks the causes within one dump. Rankings over several dumps: rank_test.cc.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/host/sample_documents.h"
#include "tests/host/verdict_case.h"
#include "tools/stillframe/judge/judge.h"

namespace stillframe::judge {
namespace {

using namespace host_test;
using index::DumpIndex;
using model::ThreadState;

void AddPast(model::Document* document, uint64_t token, int64_t before_ms, int64_t wall_ms,
             const std::string& callback) {
  model::Message message = PastMessage(*document, token, before_ms, wall_ms, wall_ms);
  message.target = "android.os.Handler";
  message.callback = callback;
  document->history.push_back(message);
}

void AddRecord(model::Document* document, model::SpanKind kind, uint64_t before_ms,
               uint64_t span_ms, uint64_t messages, const std::string& callback) {
  model::HistoryRecord record;
  record.kind = kind;
  record.start_ns = document->taken_monotonic_ns - before_ms * 1'000'000;
  record.span_ns = span_ms * 1'000'000;
  record.wall_ns = messages == 0 ? 0 : record.span_ns;
  record.messages = messages;
  record.target = messages == 0 ? "" : "android.os.Handler";
  record.callback = callback;
  document->records.push_back(record);
}

// Checks the invariants of all verdicts, and returns this one.
Verdict Judged(const model::Document& document) {
  const Verdict verdict = Judge(DumpIndex(document));
  uint64_t sum_ns = 0;
  uint64_t last_ns = UINT64_MAX;
  for (const Contributor& contributor : verdict.contributors) {
    EXPECT_GT(contributor.ns, 0U) << words::Label(contributor, verdict.window_ns);
    EXPECT_LE(contributor.ns, last_ns) << words::Label(contributor, verdict.window_ns);
    EXPECT_FALSE(words::Label(contributor, verdict.window_ns).empty());
    last_ns = contributor.ns;
    sum_ns += contributor.ns;
  }
  EXPECT_EQ(sum_ns, verdict.window_ns);
  return verdict;
}

// Percent of the window.
double Share(const Verdict& verdict, Cause cause) {
  uint64_t ns = 0;
  for (const Contributor& contributor : verdict.contributors)
    ns += contributor.cause == cause ? contributor.ns : 0;
  return 100.0 * static_cast<double>(ns) / static_cast<double>(verdict.window_ns);
}

// Two programs, one after the other, each 4 s: a dump `after_ms` after the head of the queue was
// due, which was when the first began.
model::Document TwoPrograms(int64_t after_ms) {
  constexpr int64_t kFirstMs = 4'000;
  model::Document document = QuietDocument();
  AddWaiting(&document, after_ms, "app.Click");
  if (after_ms <= kFirstMs) {
    TreeMaker(&document, 1)
        .Add(InCallback({"app.Import.run:3", "app.Csv.parse:12"}),
             static_cast<uint32_t>(after_ms / 10))
        .Finish();
    document.running = RunningMessage(document, 1, after_ms, after_ms);
    return document;
  }
  TreeMaker(&document, 1)
      .Add(InCallback({"app.Import.run:3", "app.Csv.parse:12"}), kFirstMs / 10)
      .Finish();
  AddPast(&document, 1, after_ms, kFirstMs, "app.Import");
  const int64_t second_ms = after_ms - kFirstMs;
  TreeMaker(&document, 2)
      .Add(InCallback({"app.Draw.run:3", "app.Chart.layout:40"}),
           static_cast<uint32_t>(second_ms / 10))
      .Finish();
  document.running = RunningMessage(document, 2, second_ms, second_ms);
  return document;
}

TEST(Ranking, NoCulpritDisappearsWhenTheDumpComesLater) {
  for (int64_t after_ms = 2'000; after_ms <= 8'000; after_ms += 100) {
    const model::Document document = TwoPrograms(after_ms);
    const Verdict verdict = Judged(document);
    const int64_t second_ms = std::max<int64_t>(after_ms - 4'000, 0);
    const std::string told = SentenceOf(verdict) + EvidenceOf(verdict);
    SCOPED_TRACE(std::to_string(after_ms) + " ms: " + told);
    EXPECT_NE(told.find("Csv.parse"), std::string::npos);
    EXPECT_EQ(verdict.confidence, Confidence::kHigh);
    if (second_ms * 10 >= after_ms) EXPECT_EQ(told.find("not the cause"), std::string::npos);
    if (second_ms * 5 >= after_ms) {
      EXPECT_TRUE(Says(verdict, "app.Chart.layout"));
      EXPECT_NE(std::find(verdict.tokens.begin(), verdict.tokens.end(), Token{2}),
                verdict.tokens.end());
    }
    if (second_ms > 0) EXPECT_EQ(verdict.contributors.size(), 2U);
  }
}

// Messages of one Runnable class, as a dispatcher posts them: each keeps its own method.
TEST(Ranking, EndedMessagesOfOneClassAreNotAllGivenToOneMethod) {
  model::Document document = QuietDocument();
  AddWaiting(&document, 3'000, "app.Click");
  AddPast(&document, 1, 3'000, 1'600, "app.Task");
  AddPast(&document, 2, 1'400, 1'400, "app.Task");
  TreeMaker(&document, 1).Add(InCallback({"app.Task.run:3", "app.A.alpha:12"}), 160).Finish();
  TreeMaker(&document, 2).Add(InCallback({"app.Task.run:3", "app.B.beta:40"}), 140).Finish();
  const Verdict verdict = Judged(document);
  ASSERT_EQ(verdict.contributors.size(), 1U);
  const Contributor& both = verdict.contributors[0];
  EXPECT_NE(
      words::Label(both, verdict.window_ns).find(": app.A.alpha (A.java:12), app.B.beta (47%)"),
      std::string::npos)
      << words::Label(both, verdict.window_ns);
  ASSERT_EQ(both.methods.size(), 2U);
  EXPECT_EQ(both.methods[0].us, 1'600'000U);
  EXPECT_EQ(both.methods[1].us, 1'400'000U);
}

// The demonstration, 0.8 s earlier: the running message is the largest single one, below one half.
TEST(Ranking, TheLargestSingleOneLeads) {
  model::Document document = QuietDocument();
  AddWaiting(&document, 7'244, "app.Service");
  AddPast(&document, 1, 7'244, 2'100, "app.Inflate");
  AddPast(&document, 2, 5'140, 1'880, "app.Sync");
  TreeMaker(&document, 3)
      .Add(InCallback({"app.Total.run:3", "app.Decimal.multiply:23"}), 325)
      .Finish();
  document.running = RunningMessage(document, 3, 3'251, 3'251);
  const Verdict verdict = Judged(document);
  EXPECT_EQ(verdict.kind, Kind::kMethod);
  EXPECT_EQ(verdict.tokens, (std::vector<Token>{Token{3}, Token{1}, Token{2}}));
  EXPECT_EQ(
      SentenceOf(verdict),
      "app.Decimal.multiply (Decimal.java:23) ran during Runnable app.Total, which was still "
      "running: 45% of the 7.2 s that Runnable app.Service waited. Then Runnable app.Inflate 29%, "
      "Runnable app.Sync 26%.");
}

TEST(Ranking, AFloodOfSeveralKindsIsNoAllClear) {
  model::Document document = QuietDocument();
  for (int i = 0; i < 240; ++i)
    AddWaiting(&document, 6'700 - i,
               std::array{"app.Tick", "app.Blink", "app.Move"}[static_cast<size_t>(i % 3)]);
  document.pending_total = 2'379;
  AddRecord(&document, model::SpanKind::kQuick, 6'700, 6'650, 1'290, "app.Move");
  document.running = RunningMessage(document, 2'000, 4, 4);
  const Verdict verdict = Judged(document);
  EXPECT_EQ(verdict.kind, Kind::kFlood);
  EXPECT_EQ(SentenceOf(verdict),
            "1,290 short messages, most of them Runnable app.Move, ran: 99% of the 6.7 s that "
            "Runnable app.Tick "
            "waited.");
  EXPECT_GT(Share(verdict, Cause::kQuick), 98);
}

TEST(Ranking, ManyShortMessagesAreToldWithoutAFlood) {
  model::Document document = QuietDocument();
  AddWaiting(&document, 3'000, "app.Click");
  AddRecord(&document, model::SpanKind::kQuick, 3'000, 2'980, 74, "app.Row");
  const Verdict verdict = Judged(document);
  EXPECT_EQ(verdict.kind, Kind::kFlood);
  EXPECT_EQ(SentenceOf(verdict),
            "74 short messages, most of them Runnable app.Row, ran: 99% of the 3.0 s that Runnable "
            "app.Click waited.");
}

// A slow message that ended long before the queue's head was due is not its cause.
TEST(Ranking, AnIdleHandlerIsNotBlamedOnAnOlderMessage) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 1).Add(InCallback({"app.Old.run:3"}), 200).Finish();
  AddPast(&document, 1, 8'300, 2'000, "app.Old");
  AddWaiting(&document, 4'000, "app.Click");
  AddRecord(&document, model::SpanKind::kIdle, 6'000, 6'000, 0, "");
  document.signal_catcher.emplace();
  document.signal_catcher->text =
      "\"main\" prio=5 tid=1 Runnable\n  | sysTid=4711\n  at "
      "java.util.ArrayList.get(ArrayList.java:3)\n"
      "  at app.Cache.trim(Cache.java:40)\n  at "
      "android.os.MessageQueue.next(MessageQueue.java:9)\n";
  const Verdict verdict = Judged(document);
  EXPECT_EQ(verdict.kind, Kind::kNotEnoughData);
  EXPECT_EQ(verdict.confidence, Confidence::kLow);
  EXPECT_TRUE(verdict.tokens.empty());
  EXPECT_TRUE(Says(verdict, "was not in a message"));
  EXPECT_NE(EvidenceOf(verdict).find("the main thread was in app.Cache.trim (Cache.java:40)."),
            std::string::npos);
  EXPECT_EQ(Share(verdict, Cause::kOutside), 100);
}

// A pause is recorded when it ends; until then the last message's end gives the same answer.
TEST(Ranking, AnIdleHandlerThatStillRunsIsOutsideMessages) {
  model::Document document = QuietDocument();
  AddRecord(&document, model::SpanKind::kQuick, 4'010, 10, 3, "app.Tick");
  AddWaiting(&document, 4'000, "app.Click");
  EXPECT_EQ(Share(Judged(document), Cause::kOutside), 100);
  document.damage = {"history section left out"};
  EXPECT_EQ(Share(Judged(document), Cause::kUnseen), 100);
}

TEST(Ranking, AnAnrThatNothingExplainsIsNoAllClear) {
  model::Document document = QuietDocument();
  EXPECT_EQ(Judge(DumpIndex(document)).kind, Kind::kNothingSlow);
  document.trigger_confirmed = "NOT_RESPONDING";
  EXPECT_EQ(Judge(DumpIndex(document)).kind, Kind::kNotEnoughData);
}

TEST(Ranking, TwoCausesInOneMessageAreTwo) {
  model::Document document = QuietDocument();
  TreeMaker maker(&document, 1);
  for (int round = 0; round < 15; ++round) {
    maker.Add(InCallback({"app.Poll.run:3", "app.Poll.nap:9", "java.lang.Thread.sleep:native"}), 10,
              10'000, ThreadState::kSleeping);
    maker.Add(InCallback({"app.Poll.run:3", "app.Hash.of:30"}), 10);
  }
  maker.Finish();
  document.running = RunningMessage(document, 1, 3'000, 1'500);
  const Verdict verdict = Judged(document);
  EXPECT_TRUE(Says(verdict,
                   "app.Hash.of (Hash.java:30) ran during Runnable app.Poll, which was still "
                   "running: 50% of the 3.0 s."))
      << SentenceOf(verdict);
  EXPECT_TRUE(Says(verdict, " Then sleeping in app.Poll.nap 50%.")) << SentenceOf(verdict);
  EXPECT_EQ(Share(verdict, Cause::kSleep), 50);
}

TEST(Ranking, CalleesThatShareTheTimeAreNamed) {
  model::Document document = QuietDocument();
  TreeMaker maker(&document, 1);
  for (const std::string_view method :
       {"app.A.a:1", "app.B.b:1", "app.C.c:1", "app.D.d:1", "app.E.e:1", "app.F.f:1", "app.G.g:1",
        "app.H.h:1", "app.I.i:1"})
    maker.Add(InCallback({"app.Feed.run:3", "app.Feed.refresh:20", method}), 30);
  maker.Add(InCallback({"app.Feed.run:3", "app.Feed.refresh:20", "app.J.j:1"}), 40);
  maker.Finish();
  document.running = RunningMessage(document, 1, 3'100, 3'100);
  EXPECT_TRUE(
      Says(Judged(document),
           "app.Feed.refresh (Feed.java:20), shared by app.J.j 13%, app.A.a 10%, app.B.b 10% and 7 "
           "others, ran"))
      << SentenceOf(Judged(document));
}

TEST(Ranking, RecursionDoesNotSplitAPath) {
  model::Document document = QuietDocument();
  TreeMaker maker(&document, 1);
  for (uint32_t depth = 1; depth <= 10; ++depth) {
    StackText inner = {"app.Scan.run:3"};
    for (uint32_t i = 0; i < depth; ++i) {
      inner.push_back("app.Dir.walk:10");
      inner.push_back("app.Dir.lambda$walk$0:12");
    }
    inner.push_back("app.Digest.update:80");
    maker.Add(InCallback(inner), 20);
    inner.pop_back();
    inner.push_back("app.Dir.list:5");
    maker.Add(InCallback(inner), 10);
  }
  maker.Finish();
  document.running = RunningMessage(document, 1, 3'000, 3'000);
  const Verdict verdict = Judged(document);
  ASSERT_TRUE(verdict.culprit);
  EXPECT_EQ(verdict.culprit->method, "app.Digest.update");
  EXPECT_EQ(verdict.culprit->held_us, 2'000'000U);
  EXPECT_EQ(verdict.culprit->caller, "app.Dir.lambda$walk$0");
}

// An application's override is between calls of the platform's own recursion.
TEST(Ranking, ThePlatformsRecursionHidesNoCallOfTheApplication) {
  const model::Document document =
      RunningIn({"android.view.ViewGroup.layout:3", "app.Board.onLayout:20",
                 "android.view.ViewGroup.layout:3", "android.widget.TextView.onLayout:9"});
  EXPECT_EQ(Judged(document).culprit->method, "app.Board.onLayout");
}

TEST(Ranking, LocksOfSeveralMessagesDoNotOutweighAMethodTogether) {
  model::Document document = QuietDocument();
  AddWaiting(&document, 2'200, "app.Click");
  const auto add_blocked = [&document](uint64_t token, int64_t before_ms, const std::string& name) {
    TreeMaker(&document, token)
        .Add(InCallback({name + ".run:3"}), 60, 10'000, ThreadState::kBlocked)
        .Finish();
    AddPast(&document, token, before_ms, 600, name);
  };
  add_blocked(1, 2'200, "app.Cache");
  add_blocked(2, 1'600, "app.Store");
  TreeMaker(&document, 3).Add(InCallback({"app.Total.run:3"}), 100).Finish();
  document.running = RunningMessage(document, 3, 1'000, 1'000);
  const Verdict verdict = Judged(document);
  EXPECT_EQ(verdict.kind, Kind::kMethod) << SentenceOf(verdict);
}

TEST(Ranking, TheOwnerOfALockIsNamedWithWhatItDoes) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 1)
      .Add(InCallback({"app.CheckIn.run:3"}), 300, 10'000, ThreadState::kBlocked)
      .Finish();
  document.running = RunningMessage(document, 1, 3'000, 0);
  document.signal_catcher.emplace();
  document.signal_catcher->text =
      "\"main\" prio=5 tid=1 Blocked\n  | sysTid=4711\n  at app.CheckIn.run(CheckIn.java:3)\n"
      "  - waiting to lock <0x0f00> (a java.lang.Object) held by thread 12\n\n"
      "\"db-writer\" prio=5 tid=12 Sleeping\n  | sysTid=4750\n"
      "  at java.lang.Thread.sleep(Native method)\n  at app.Db.flush(Db.java:9)\n";
  EXPECT_NE(EvidenceOf(Judged(document))
                .find("holds, most likely, the lock in app.Db.flush (Db.java:9)."),
            std::string::npos);
}

TEST(Ranking, ConfidenceFallsWithWhatWasNotSeenAndWhatHasNoName) {
  const auto with = [](int64_t late_ms, uint32_t nameless) {
    model::Document document = QuietDocument();
    AddWaiting(&document, late_ms, "app.Click");
    TreeMaker maker(&document, 1);
    maker.Add(InCallback({"app.Import.run:3"}), 300 - nameless);
    StackText cut = InCallback({"app.Import.run:3"});
    cut.push_back(".:9");
    if (nameless > 0) maker.Add(cut, nameless);
    maker.Finish();
    document.running = RunningMessage(document, 1, 3'000, 3'000);
    return Judged(document).confidence;
  };
  EXPECT_EQ(with(3'000, 0), Confidence::kHigh);
  EXPECT_EQ(with(10'000, 0), Confidence::kLow);
  EXPECT_EQ(with(7'000, 0), Confidence::kMedium);
  EXPECT_EQ(with(3'000, 200), Confidence::kMedium);
}

TEST(Ranking, TimeWithoutACpuIsOneContributorOfAllMessages) {
  model::Document document = QuietDocument();
  AddWaiting(&document, 3'000, "app.Click");
  for (uint64_t i = 0; i < 10; ++i) {
    AddPast(&document, 10 + i, 3'000 - static_cast<int64_t>(i) * 300, 300, "app.Draw");
    document.history.back().cpu_ns = 120'000'000;
    document.history.back().runqueue_wait_ns = 180'000'000;
  }
  const Verdict verdict = Judged(document);
  EXPECT_EQ(verdict.kind, Kind::kStarved);
  EXPECT_EQ(Share(verdict, Cause::kNoCpu), 60);
  EXPECT_EQ(Share(verdict, Cause::kWork), 40);
  EXPECT_EQ(verdict.contributors.size(), 2U);
  EXPECT_TRUE(Says(verdict, "Then Runnable app.Draw 40%")) << SentenceOf(verdict);
}

TEST(Ranking, AFreezeWithinAMessageIsNotTheMessage) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 1).Add(InCallback({"app.Import.run:3"}), 300).Finish();
  document.running = RunningMessage(document, 1, 3'000, 2'000);
  AddRecord(&document, model::SpanKind::kFrozen, 2'500, 1'000, 0, "");
  const Verdict verdict = Judged(document);
  EXPECT_NEAR(Share(verdict, Cause::kFrozen), 33.3, 0.5);
  EXPECT_TRUE(Says(verdict, "Then process frozen 33%")) << SentenceOf(verdict);
}

}  // namespace
}  // namespace stillframe::judge
