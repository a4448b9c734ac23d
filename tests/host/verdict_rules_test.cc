// SPDX-License-Identifier: Apache-2.0
// The rules that look beyond one message, over constructed documents.
#include "src/model/context_names.h"
#include "tests/host/verdict_case.h"
#include "tools/stillframe/index/dispatch.h"
#include "tools/stillframe/index/window.h"
#include "tools/stillframe/input/clean_document.h"
#include "tools/stillframe/judge/lock_owner.h"
#include "tools/stillframe/render/method_ranking.h"
#include "tools/stillframe/render/text_report.h"

namespace stillframe::judge {
namespace {

using namespace host_test;

void AddPast(model::Document* document, uint64_t token, int64_t before_ms, int64_t wall_ms,
             int64_t cpu_ms, const std::string& callback) {
  model::Message message = PastMessage(*document, token, before_ms, wall_ms, cpu_ms);
  message.target = "android.os.Handler";
  message.callback = callback;
  document->history.push_back(message);
}

// The article's second case: a service waits for 10 s; the running message only took 1.7 s, two
// earlier ones over 6 s.
model::Document TwoEarlierMessages() {
  model::Document document = QuietDocument();
  AddPast(&document, 5, 9'800, 3'300, 3'200, "app.Inflate");
  AddPast(&document, 6, 6'400, 2'900, 2'800, "app.Sync");
  TreeMaker(&document, 5)
      .Add(InCallback({"app.Inflate.run:3", "app.Views.measure:12"}), 330)
      .Finish();
  document.running = RunningMessage(document, 9, 1'700, 1'600);
  TreeMaker(&document, 9).Add(InCallback({"app.Sensors.register:7"}), 170).Finish();
  AddWaiting(&document, 10'050, "app.Service");
  document.pending[0].system_name = "CREATE_SERVICE";
  return document;
}

TEST(Rules, EarlierMessagesAreNamedWithTheirShare) {
  const model::Document document = TwoEarlierMessages();
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kEarlier);
  EXPECT_EQ(verdict.confidence, Confidence::kHigh);
  EXPECT_EQ(verdict.tokens, (std::vector<Token>{Token{5}, Token{6}}));
  ASSERT_TRUE(verdict.culprit);
  EXPECT_EQ(verdict.culprit->method, "app.Views.measure");
  EXPECT_EQ(SentenceOf(verdict),
            "2 slow messages had ended, mostly app.Views.measure (Runnable app.Inflate): 33% of "
            "the 10.1 s that CREATE_SERVICE waited. Then Runnable app.Sync 28%.");
  const std::string evidence = EvidenceOf(verdict);
  EXPECT_NE(evidence.find("Runnable app.Inflate took 3.3 s of 10.1 s (33%) (message 5)."),
            std::string::npos)
      << evidence;
  EXPECT_NE(
      evidence.find("The running message took 1.7 s of 10.1 s (17%): its stack is only part of"),
      std::string::npos);
  model::Document short_one = TwoEarlierMessages();
  short_one.running = RunningMessage(short_one, 9, 700, 600);
  EXPECT_NE(EvidenceOf(Judge(DumpIndex(short_one))).find("(7%): its stack is not the cause."),
            std::string::npos);
}

TEST(Rules, TheRunningMessageIsTheCulpritWhenItHoldsHalfOfTheWait) {
  model::Document document = TwoEarlierMessages();
  document.pending[0].delay_ms = -3'000;
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kMethod);
  EXPECT_EQ(verdict.token, Token{9});
  EXPECT_NE(EvidenceOf(verdict).find("has been waiting for 3.0 s."), std::string::npos);
}

TEST(Rules, AFloodIsToldFromALongMessage) {
  model::Document document = QuietDocument();
  for (int i = 0; i < 120; ++i) AddWaiting(&document, 4'000 - i, "app.Tick");
  AddWaiting(&document, 1'000, "app.Click");
  document.pending_total = 900;
  AddPast(&document, 3, 3'000, 90, 80, "app.Tick");
  const Verdict flood = Judge(DumpIndex(document));
  EXPECT_EQ(flood.kind, Kind::kFlood);
  EXPECT_EQ(SentenceOf(flood),
            "120 of 121 late messages (of 900 in the queue) are Runnable app.Tick.");
  EXPECT_EQ(HeadlineOf(flood), "The queue is flooded: at least 121 messages were waiting");
  EXPECT_EQ(flood.tokens, std::vector<Token>{Token{3}});
  document.pending_is_truncated = true;
  EXPECT_NE(SentenceOf(Judge(DumpIndex(document))).find("(of at least 900 in the queue)"),
            std::string::npos);
  AddPast(&document, 4, 3'900, 3'500, 3'400, "app.Import");
  const Verdict import = Judge(DumpIndex(document));
  EXPECT_EQ(import.kind, Kind::kEarlier);
  EXPECT_EQ(import.token, Token{4});
}

TEST(Rules, ABarrierIsLeakedOnlyWhenTheLoopHadNothingToDo) {
  model::Document document = QuietDocument();
  model::PendingMessage barrier;
  barrier.is_barrier = true;
  barrier.delay_ms = -6'000;
  document.pending.push_back(barrier);
  AddWaiting(&document, 5'900, "app.Click");
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kLeakedBarrier);
  EXPECT_NE(
      SentenceOf(verdict).find("never removed, and 1 message behind it waits: all of the 5.9 s"),
      std::string::npos)
      << SentenceOf(verdict);
  document.running = RunningMessage(document, 8, 5'950, 5'900);
  EXPECT_EQ(Judge(DumpIndex(document)).kind, Kind::kNoSamples);
  document.running.reset();
  document.pending[0].age_ms = 12;
  EXPECT_EQ(Judge(DumpIndex(document)).kind, Kind::kNotEnoughData);
}

// No barrier is queued at the dump, but the main thread was idle while a message was due.
TEST(Rules, ABarrierThatWasRemovedAgainMayHaveBeenThere) {
  model::Document document = QuietDocument();
  model::PendingMessage late;
  late.delay_ms = -4'000;
  late.target = "app.Main$H";
  document.pending = {late};
  document.pending_source = "test";
  model::HistoryRecord idle;
  idle.kind = model::SpanKind::kIdle;
  idle.start_ns = document.taken_monotonic_ns - 3'900'000'000;
  idle.span_ns = 3'800'000'000;
  document.records.push_back(idle);
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kNotEnoughData);
  EXPECT_EQ(verdict.confidence, Confidence::kLow);
  EXPECT_NE(
      SentenceOf(verdict).find(
          "The main thread had nothing to do: a sync barrier that was removed again may have held"),
      std::string::npos)
      << SentenceOf(verdict);
}

TEST(Rules, StarvationNamesTheThreadThatHadTheCpu) {
  model::Document document = QuietDocument();
  for (uint64_t i = 0; i < 10; ++i) {
    AddPast(&document, 10 + i, 4'000 - static_cast<int64_t>(i) * 300, 220, 1, "app.Draw");
    document.history.back().runqueue_wait_ns = 210'000'000;
  }
  AddWaiting(&document, 4'000, "app.Service");
  document.threads.emplace();
  document.threads->rows = {{4731, "realm_thread-io-4", 'R', 100, 1'000, 2'500, -10, 3},
                            {4711, "main", 'R', 30, 10, 2'500, 0, 2'100},
                            {4733, "OkHttp TaskRunn", 'S', 150, 120, 2'500, 0, 1}};
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kStarved);
  EXPECT_EQ(verdict.confidence, Confidence::kHigh);
  EXPECT_EQ(verdict.threads, (std::vector<std::string>{"realm_thread-io-4", "OkHttp TaskRunn"}));
  EXPECT_NE(SentenceOf(verdict).find("Thread realm_thread-io-4 and 1 other used the CPU while main "
                                     "waited for one: 52% of the 4.0 s"),
            std::string::npos)
      << SentenceOf(verdict);
  EXPECT_NE(EvidenceOf(verdict).find("in 2.5 s, 91% of it in the kernel."), std::string::npos);

  document.threads->rows.erase(document.threads->rows.begin());
  document.threads->rows.pop_back();
  const auto busy = [&document](int64_t permille, int64_t window_ms) {
    document.context.clear();
    for (const auto& [name, value] : {std::pair{model::context::kProcessBusyPermille, permille},
                                      std::pair{model::context::kWindowMs, window_ms}})
      document.context.push_back({std::string(model::context::kCpu), std::string(name),
                                  model::ContextEntry::State::kNumber, "", value});
    return EvidenceOf(Judge(DumpIndex(document)));
  };
  EXPECT_NE(busy(20, 2'500).find("other processes used the CPUs"), std::string::npos);
  for (const int64_t other_ms : {1'500, 9'000})
    EXPECT_NE(busy(900, other_ms).find("other processes used the CPUs"), std::string::npos)
        << other_ms;
  EXPECT_NE(busy(800, 2'510).find("that have ended used 2.0 s of CPU time in 2.5 s"),
            std::string::npos);
}

TEST(Rules, TimeReadyForACpuIsNotTimeStopped) {
  model::Document document = QuietDocument();
  model::TraceTree tree(Token{7});
  const std::vector<model::FrameId> stack = {AddFrame(&document, "app.Main.run:3")};
  tree.Add(stack, {2'000'000, 2'000'000, 1'000, ThreadState::kRunnable});
  document.trees.push_back(std::move(tree));
  document.running = RunningMessage(document, 7, 2'000, 1);
  for (const int64_t ready_ns : {-1, 0, 500'000'000}) {
    document.running->runqueue_wait_ns = ready_ns;
    EXPECT_EQ(index::UnseenNs(DumpIndex(document), *document.running),
              2'000'000'000U - static_cast<uint64_t>(std::max<int64_t>(ready_ns, 0)));
  }
}

TEST(Rules, SamplesTellStarvationWhereTheKernelDoesNot) {
  model::Document document = QuietDocument();
  model::TraceTree tree(Token{7});
  const std::vector<model::FrameId> stack = {AddFrame(&document, "app.Main.run:3")};
  for (uint32_t i = 1; i <= 100; ++i)
    tree.Add(stack, {i * 20'000, 20'000, i * 2'000, ThreadState::kRunnable});
  document.trees.push_back(std::move(tree));
  document.running = RunningMessage(document, 7, 2'000, 200);
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kStarved);
  EXPECT_EQ(verdict.confidence, Confidence::kMedium);
}

TEST(Rules, AFrozenProcessIsNotASlowMethod) {
  model::Document document = QuietDocument();
  model::TraceTree tree(Token{7});
  const std::vector<model::FrameId> stack = {AddFrame(&document, "app.Main.run:3")};
  tree.Add(stack, {50'000, 50'000, 49'000, ThreadState::kRunnable});
  tree.Add(stack, {5'050'000, 5'000'000, 50'000, ThreadState::kRunnable});
  tree.Add(stack, {5'300'000, 250'000, 300'000, ThreadState::kRunnable});
  document.trees.push_back(std::move(tree));
  document.running = RunningMessage(document, 7, 5'300, 300);
  const Verdict seen = Judge(DumpIndex(document));
  EXPECT_EQ(seen.kind, Kind::kProcessFrozen);
  EXPECT_EQ(seen.confidence, Confidence::kMedium);
  model::HistoryRecord frozen;
  frozen.kind = model::SpanKind::kFrozen;
  frozen.start_ns = document.running->start_ns + 50'000'000;
  frozen.span_ns = 5'000'000'000;
  document.records = {frozen};
  const Verdict recorded = Judge(DumpIndex(document));
  EXPECT_EQ(recorded.kind, Kind::kProcessFrozen);
  EXPECT_EQ(recorded.confidence, Confidence::kHigh);
}

// A freeze of 5 s within a message that also computed for 3 s.
TEST(Rules, FrozenTimeIsNoMethods) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 7).Add(InCallback({"app.Map.run:3", "app.Map.tiles:8"}), 800).Finish();
  document.running = RunningMessage(document, 7, 8'000, 3'000);
  model::HistoryRecord frozen;
  frozen.kind = model::SpanKind::kFrozen;
  frozen.start_ns = document.running->start_ns + 1'005'000'000;
  frozen.span_ns = 5'000'000'000;
  document.records = {frozen};
  input::CleanDocument(&document);
  const DumpIndex index(document);
  EXPECT_EQ(index.TreeOf(Token{7})->root().total_us, 3'000'000U);
  const Verdict verdict = Judge(index);
  EXPECT_EQ(verdict.kind, Kind::kProcessFrozen);
  EXPECT_EQ(HeadlineOf(verdict), "The process was frozen for 5.0 s, Map.tiles took 3.0 s");
  EXPECT_EQ(words::Explain(verdict).next_step.find("not to blame"), std::string::npos);
  EXPECT_NE(words::Explain(verdict).next_step.find("app.Map.tiles"), std::string::npos);
}

// Most signals went to another handler: what was sampled is named, and who took them.
TEST(Rules, TimeWithoutSamplesIsNoMethods) {
  model::Document document = QuietDocument();
  const model::FrameId cut = document.frames.InternFrame(
      "", "no signal came", "", "", model::kLineUnknown, model::FrameKind::kTruncated);
  model::TraceTree tree(Token{7});
  const model::FrameId spin = AddFrame(&document, "app.Main.spin:3");
  for (uint32_t i = 1; i <= 100; ++i) {
    const bool is_sampled = i % 3 == 0;
    tree.Add(std::vector{is_sampled ? spin : cut},
             {i * 80'000, 80'000, i * 80'000, ThreadState::kRunnable});
  }
  document.trees.push_back(std::move(tree));
  document.running = RunningMessage(document, 7, 8'000, 8'000);
  document.identity.sampler_state =
      "on; running code is not sampled: /data/app/libapm.so installed its own handler for SIGPROF "
      "over ours and does not hand signals on";
  const DumpIndex index(document);
  const Verdict verdict = Judge(index);
  EXPECT_EQ(verdict.kind, Kind::kMethod);
  EXPECT_EQ(HeadlineOf(verdict), "Main.spin kept the main thread busy for 2.6 s");
  EXPECT_TRUE(Says(verdict, "67% was not sampled: libapm.so took SIGPROF")) << SentenceOf(verdict);
  EXPECT_EQ(words::Explain(verdict).next_step,
            "Switch off what takes SIGPROF in libapm.so, then take another dump.");
  ASSERT_EQ(verdict.contributors.size(), 1U);
  ASSERT_EQ(verdict.contributors[0].methods.size(), 1U);
  EXPECT_EQ(verdict.contributors[0].methods[0].method, "app.Main.spin");
  const std::string report = render::TextReport(index, verdict, {});
  EXPECT_EQ(report.find("[cut"), std::string::npos) << report;
  EXPECT_NE(report.find("not sampled\n"), std::string::npos) << report;
  fleet::MethodRanking ranking;
  ranking.Add(document);
  ASSERT_EQ(ranking.HottestMethods(9, false).size(), 1U);
  ASSERT_EQ(ranking.HottestStacks(9).size(), 1U);
  EXPECT_EQ(ranking.unsampled_us(), 67U * 80'000);
}

// Work of several methods is the larger row; a wait in one method is larger than each of them.
TEST(Rules, TheMethodWithTheMostTimeIsNamed) {
  model::Document document = QuietDocument();
  document.running = RunningMessage(document, 7, 10'000, 6'300);
  document.running->segment = {model::SegmentKind::kBeforeLoop, ""};
  document.running->target.clear();
  document.running->callback.clear();
  TreeMaker(&document, 7)
      .Add({"app.Start.main:3", "app.Fonts.load:8"}, 320)
      .Add({"app.Start.main:4", "app.Themes.parse:9"}, 310)
      .Add({"app.Start.main:5", "app.Keys.open:7", "java.lang.Thread.sleep:native"}, 370, 10'000,
           ThreadState::kSleeping)
      .Finish();
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kStandstill) << SentenceOf(verdict);
  EXPECT_TRUE(HeadlineOf(verdict).find("Keys.open") != std::string::npos) << HeadlineOf(verdict);
  EXPECT_TRUE(Says(verdict, " during code before the loop")) << SentenceOf(verdict);
}

TEST(Rules, MemoryPressureExplainsMessagesThatDoNotCompute) {
  model::Document document = QuietDocument();
  AddPast(&document, 3, 4'000, 3'500, 200, "app.Open");
  AddWaiting(&document, 4'000, "app.Click");
  const auto full = [&document](int64_t permille) {
    document.context = {{std::string(model::context::kMemory),
                         std::string(model::context::kPressureFullPermille),
                         model::ContextEntry::State::kNumber, "", permille}};
  };
  full(20);
  EXPECT_EQ(Judge(DumpIndex(document)).kind, Kind::kEarlier);
  full(412);
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kShortOfMemory);
  EXPECT_NE(EvidenceOf(verdict).find("all tasks waited for it for 41.2% of 10 s"),
            std::string::npos);
  EXPECT_NE(EvidenceOf(verdict).find("Runnable app.Open"), std::string::npos);
  document.history[0].blocked_ns = 3'000'000'000;
  const Verdict blocked = Judge(DumpIndex(document));
  EXPECT_EQ(blocked.kind, Kind::kEarlier) << "whoever had the lock is to blame";
  EXPECT_NE(EvidenceOf(blocked).find("Short of memory: "), std::string::npos);
  document.history[0].blocked_ns = 0;
  document.history[0].cpu_ns = 3'400'000'000;
  const Verdict computed = Judge(DumpIndex(document));
  EXPECT_EQ(computed.kind, Kind::kEarlier);
  EXPECT_EQ(EvidenceOf(computed).find("Short of memory"), std::string::npos);
}

// The article's first case: 8 s of wall time, no CPU time, a lock.
TEST(Rules, TheOwnerOfTheMonitorIsNamed) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 7)
      .Add(InCallback({"app.CheckIn.run:3", "app.Store.save:40"}), 837, 10'000,
           ThreadState::kBlocked)
      .Finish();
  document.running = RunningMessage(document, 7, 8'369, 0);
  document.running->lock_owner = "db-writer";
  document.running->lock_owner_tid = 4'750;
  AddWaiting(&document, 8'014, "android.view.ViewRootImpl");
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kBlocked);
  EXPECT_EQ(verdict.threads, std::vector<std::string>{"db-writer"});
  EXPECT_NE(
      SentenceOf(verdict).find("Main waited in app.Store.save (Store.java:40) during Runnable "
                               "app.CheckIn, which was still running; db-writer holds it"),
      std::string::npos)
      << SentenceOf(verdict);

  document.running->lock_owner.clear();
  document.running->lock_owner_tid = 0;
  document.signal_catcher.emplace();
  document.signal_catcher->text =
      "DALVIK THREADS (14):\n\"main\" prio=5 tid=1 Blocked\n  | sysTid=4711 nice=-10\n"
      "  at app.Store.save(Store.java:40)\n"
      "  - waiting to lock <0x0f00> (a java.lang.Object) held by thread 12\n\n"
      "\"worker\" prio=5 tid=2 Waiting\n  at a.B.c(B.java)\n\n"
      "\"db-writer\" daemon prio=5 tid=12 Sleeping\n  | sysTid=4750 nice=0\n"
      "  at java.lang.Thread.sleep(Native method)\n  at app.Db.flush(Db.java:9)\n";
  const Verdict captured = Judge(DumpIndex(document));
  EXPECT_EQ(HeadlineOf(captured), HeadlineOf(verdict));
  EXPECT_TRUE(captured.is_holder_guess);
  EXPECT_TRUE(Says(captured, "; db-writer was in app.Db.flush (Db.java:9)"));
  document.signal_catcher->text +=
      "  at app.Db.run(Db.java:3)\n  - locked <0x0f00> (a java.lang.Object)\n  at "
      "app.Db.go(Db.java:1)\n";
  const Verdict entered = Judge(DumpIndex(document));
  EXPECT_EQ(entered.holder_frame, "app.Db.run (Db.java:3)");
  EXPECT_FALSE(entered.is_holder_guess);
}

// The lock was entered in a wrapper; a helper has several callers. Their callers are to blame.
TEST(Rules, TheCallerOfALockWrapperIsNamed) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 7)
      .Add(InCallback({"app.CheckIn.run:3", "app.Store.save:40"}), 800, 10'000,
           ThreadState::kBlocked)
      .Finish();
  document.running = RunningMessage(document, 7, 8'000, 0);
  document.running->lock_owner = "indexer";
  document.running->lock_owner_tid = 4'750;
  document.signal_catcher.emplace();
  const auto frame_with = [&document](const std::string& frames) {
    document.signal_catcher->text =
        "\"main\" prio=5 tid=1 Blocked\n  at app.Store.save(Store.java:40)\n"
        "  - waiting to lock <0x0f00> (a java.lang.Object) held by thread 12\n\n"
        "\"indexer\" prio=5 tid=12 Runnable\n  | sysTid=4750 nice=0\n" +
        frames + "  at java.lang.Thread.run(Thread.java:1)\n";
    return Judge(DumpIndex(document)).holder_frame;
  };
  EXPECT_EQ(frame_with("  at app.Locks.with(Locks.java:9)\n  - locked <0x0f00> (a x)\n"
                       "  at app.Index.rebuild(Index.java:3)\n"),
            "app.Index.rebuild (Index.java:3)");
  const std::string work = "  at app.F.spin(F.java:2)\n  at app.Index.rebuild(Index.java:3)\n";
  EXPECT_EQ(frame_with(work), "app.F.spin (F.java:2)");
  TreeMaker(&document, 3)
      .Add(InCallback({"app.A.run:3", "app.F.spin:2"}), 5)
      .Add(InCallback({"app.B.run:3", "app.F.spin:2"}), 5)
      .Finish();
  EXPECT_EQ(frame_with(work), "app.Index.rebuild (Index.java:3)");
}

// The hang is over: the owner's stack then is not kept, but its Looper's message is.
TEST(Rules, WhatTheOwnerRanIsNamedAfterTheEnd) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 7)
      .Add(InCallback({"app.CheckIn.run:3", "app.Store.save:40"}), 300, 10'000,
           ThreadState::kBlocked)
      .Finish();
  AddPast(&document, 7, 4'000, 3'000, 0, "app.CheckIn");
  document.history.back().lock_owner = "db";
  document.history.back().lock_owner_tid = 4'750;
  document.loopers = {{"main", document.identity.pid, "observer", 9, {}},
                      {"db", 4'750, "observer", 9, {}}};
  const Verdict unknown = Judge(DumpIndex(document));
  EXPECT_EQ(unknown.kind, Kind::kBlocked);
  EXPECT_TRUE(Says(unknown, "; db held it")) << SentenceOf(unknown);
  AddPast(&document, 8, 4'500, 4'000, 4'000, "app.Vacuum");
  document.history.back().looper = 1;
  const Verdict known = Judge(DumpIndex(document));
  EXPECT_TRUE(Says(known, "; db held it in Runnable app.Vacuum")) << SentenceOf(known);
  EXPECT_NE(EvidenceOf(known).find("Meanwhile thread db (tid 4750) ran Runnable app.Vacuum."),
            std::string::npos)
      << EvidenceOf(known);
  model::ThreadStack stack;
  stack.tid = 4'750;
  stack.frames = {AddFrame(&document, "app.Vacuum.step:6")};
  document.thread_stacks = {"", 1, 1, 1, {stack}};
  EXPECT_NE(EvidenceOf(Judge(DumpIndex(document)))
                .find("At the dump thread db (tid 4750) was in app.Vacuum.step"),
            std::string::npos);
}

TEST(Rules, TextOfTheSignalCatcherMayBeAnything) {
  const model::Document document = QuietDocument();
  for (const std::string_view text :
       {"", "\"main\"", "\"main\" prio=5 tid=1\n  - waiting to lock <0x1> held by thread 9",
        "\"main\" tid=1\n- waiting to lock held by thread 99999999999999\n\n\" tid=9",
        "\"main\" tid=1\n- waiting to lock held by thread 3\n\n\" tid=3"})
    EXPECT_EQ(FindLockOwner(DumpIndex(document), Helpers(), text).thread.tid, 0U) << text;
}

TEST(Rules, BinderCallsAndInputOutputAreToldFromOtherWaits) {
  const auto kind_of = [](const StackText& inner, ThreadState state) {
    model::Document document = QuietDocument();
    TreeMaker(&document, 7).Add(InCallback(inner), 200, 10'000, state).Finish();
    document.running = RunningMessage(document, 7, 2'000, 10);
    return Judge(DumpIndex(document)).kind;
  };
  EXPECT_EQ(kind_of({"app.A.run:3", "android.os.BinderProxy.transact:540",
                     "android.os.BinderProxy.transactNative:native"},
                    ThreadState::kNative),
            Kind::kBinderCall);
  EXPECT_EQ(kind_of({"app.A.run:3", "java.io.FileInputStream.read:native"}, ThreadState::kNative),
            Kind::kInputOutput);
  EXPECT_EQ(kind_of({"app.A.run:3", "java.net.SocketInputStream.read:9"}, ThreadState::kNative),
            Kind::kInputOutput);
  EXPECT_EQ(kind_of({"app.A.run:3", "app.Native.work:native"}, ThreadState::kNative),
            Kind::kMethod);
}

TEST(SystemMessages, AreNamedWhereTheDumpDoesNot) {
  model::Document document = QuietDocument();
  AddPast(&document, 3, 4'000, 120, 100, "");
  document.history[0].target = "android.app.ActivityThread$H";
  document.history[0].what = 159;
  AddWaiting(&document, 10, "");
  document.pending[0].target = "app.Handler";
  document.pending[0].what = 114;
  index::NameSystemMessages(&document);
  EXPECT_EQ(document.history[0].system_name, "EXECUTE_TRANSACTION");
  EXPECT_EQ(document.pending[0].system_name, "") << "a handler of the application's own";
  EXPECT_EQ(index::SystemMessageName(100), "LAUNCH_ACTIVITY");
  EXPECT_EQ(index::SystemMessageName(0), "");
}

TEST(Rules, MethodsWithoutNamesAreNoMoreThanAGuess) {
  for (const uint32_t named : {0U, 100U, 300U}) {
    model::Document document = QuietDocument();
    document.running = RunningMessage(document, 9, 10 * (200 + named), 10 * (200 + named));
    AddFrame(&document, "app.Known.work:7");
    const model::FrameId nameless =
        document.frames.InternFrame("", "hold", "", "", 15, model::FrameKind::kInterpreted);
    model::TraceTree tree(Token{9});
    for (uint32_t i = 1; i <= 200 + named; ++i) {
      const model::FrameId known = AddFrame(&document, "app.Known.work:7");
      tree.Add(std::vector<model::FrameId>{i <= named ? known : nameless},
               {i * 10'000, 10'000, i * 10'000, ThreadState::kRunnable});
    }
    document.trees.push_back(std::move(tree));
    const auto says = [&document](const char* text) {
      return EvidenceOf(Judge(DumpIndex(document))).find(text) != std::string::npos;
    };
    EXPECT_FALSE(says("table of names was full")) << "nothing was refused";
    document.counters.push_back({"frame_table_overflows", 3});
    EXPECT_TRUE(says("table of names was full: 2.0 s of"));
    const Verdict verdict = Judge(DumpIndex(document));
    EXPECT_EQ(verdict.confidence == Confidence::kLow, named < 300) << named;
  }
}

TEST(Rules, AHealthyProgramHasNoCulprit) {
  model::Document document = QuietDocument();
  AddPast(&document, 3, 4'000, 120, 100, "app.Draw");
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kNothingSlow);
  EXPECT_TRUE(verdict.tokens.empty());
  EXPECT_NE(HeadlineOf(verdict).find("the longest message took 120 ms"), std::string::npos);
}

// An application's interceptor is between two calls of one library method.
TEST(Rules, RecursionOfALibraryDoesNotFoldTheApplicationAway) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 7)
      .Add(InCallback({"app.Pay.run:3", "okhttp3.Chain.proceed:12", "app.Token.intercept:9",
                       "okhttp3.Chain.proceed:12", "okhttp3.Chain.next:2",
                       "okhttp3.Chain.proceed:12", "okhttp3.Hash.digest:4"}),
           200)
      .Finish();
  document.running = RunningMessage(document, 7, 2'000, 2'000);
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_NE(SentenceOf(verdict).find("app.Token.intercept"), std::string::npos)
      << SentenceOf(verdict);
  EXPECT_NE(SentenceOf(verdict).find("mostly in okhttp3.Hash.digest"), std::string::npos)
      << SentenceOf(verdict);
  ASSERT_FALSE(verdict.contributors[0].methods.empty());
  EXPECT_EQ(verdict.contributors[0].methods[0].method, "app.Token.intercept");
}

// The thread waited for two seconds before its first sample; the cause is unknown.
TEST(Rules, TimeBeforeALateFirstSampleIsNobodys) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 7)
      .Add(InCallback({"app.Fourth.inflate:3"}), 1, 2'050'000, ThreadState::kSleeping)
      .Add(InCallback({"app.Fourth.inflate:3"}), 95)
      .Finish();
  // The same, but the first sample is of a running thread.
  model::TraceTree tree(Token{7});
  document.trees[0].ForEachStack([&](uint32_t i, auto stack, model::Sample sample) {
    if (i == 0) sample.state = ThreadState::kRunnable;
    tree.Add(stack, sample);
  });
  document.trees[0] = tree;
  document.running = RunningMessage(document, 7, 3'000, 950);
  const Verdict verdict = Judge(DumpIndex(document));
  ASSERT_FALSE(verdict.contributors.empty());
  EXPECT_EQ(verdict.contributors[0].cause, judge::Cause::kStill) << SentenceOf(verdict);
  EXPECT_NEAR(static_cast<double>(verdict.contributors[0].ns), 1.75e9, 5e7);
  EXPECT_NE(verdict.confidence, Confidence::kHigh);
}

}  // namespace
}  // namespace stillframe::judge
