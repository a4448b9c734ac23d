// SPDX-License-Identifier: Apache-2.0
// Which thread the main thread waits for, over constructed stacks of threads.
#include "tests/host/verdict_case.h"

namespace stillframe::judge {
namespace {

using namespace host_test;

model::ThreadStack Stack(uint32_t tid, const std::string& name, model::WaitKind wait,
                         const std::string& wait_class, uint32_t wait_tid) {
  model::ThreadStack stack;
  stack.tid = tid;
  stack.name = name;
  stack.source = model::StackSource::kStoodStill;
  stack.state = ThreadState::kWaiting;
  stack.wait = wait;
  stack.wait_class = wait_class;
  stack.wait_tid = wait_tid;
  return stack;
}

void PutFrames(model::Document* document, const std::vector<std::string>& methods,
               model::ThreadStack* stack) {
  for (const std::string& method : methods) {
    const size_t dot = method.rfind('.');
    stack->frames.push_back(document->frames.InternFrame(method.substr(0, dot),
                                                         method.substr(dot + 1), "()V", "A.java", 7,
                                                         model::FrameKind::kInterpreted));
  }
}

// The running message waits in app.Feed.load; `stacks` are all threads.
model::Document Waits(const std::vector<model::ThreadStack>& stacks) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 7)
      .Add(InCallback({"app.Feed.load:3", "java.lang.Object.wait:40"}), 200, 10'000,
           ThreadState::kWaiting)
      .Finish();
  document.running = RunningMessage(document, 7, 2'000, 0);
  document.thread_stacks = {"", 3, 1, 1, stacks};
  return document;
}

// The message slept in load(), which had ended; its wait at the time of the dump is unrelated.
TEST(WaitChain, ALaterWaitIsNotThatOfTheSentence) {
  const uint32_t main = QuietDocument().identity.pid;
  model::Document document = Waits({Stack(main, "main", model::WaitKind::kMonitor, "app.Store", 9),
                                    Stack(9, "late-owner", model::WaitKind::kNone, "", 0)});
  PutFrames(&document, {"app.Store.save", "app.Feed.load", "app.Feed.run"},
            &document.thread_stacks->stacks[0]);
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kStandstill);
  EXPECT_EQ(SentenceOf(verdict).find("late-owner"), std::string::npos) << SentenceOf(verdict);
  EXPECT_NE(
      EvidenceOf(verdict).find("At the dump it waited for something else: a lock on app.Store of "
                               "thread late-owner (tid 9)."),
      std::string::npos)
      << EvidenceOf(verdict);
  ASSERT_EQ(verdict.chain.threads.size(), 2U);
}

// One monitor, or several, that two threads held one after the other.
TEST(WaitChain, ThatTheOwnerChangedIsSaid) {
  const uint32_t main = QuietDocument().identity.pid;
  model::Document document = Waits({Stack(main, "main", model::WaitKind::kMonitor, "app.Store", 9),
                                    Stack(9, "writer-b", model::WaitKind::kNone, "", 0)});
  document.trees.clear();
  TreeMaker(&document, 7)
      .Add(InCallback({"app.Feed.load:3", "app.Store.save:40"}), 200, 10'000, ThreadState::kBlocked)
      .Finish();
  document.running->lock_owner = "writer-a";
  document.running->lock_owner_tid = 8;
  document.running->blocked_ns = 2'000'000'000;
  PutFrames(&document, {"app.Store.save", "app.Feed.load"}, &document.thread_stacks->stacks[0]);
  EXPECT_NE(SentenceOf(Judge(DumpIndex(document))).find("; writer-a held it, writer-b at the dump"),
            std::string::npos)
      << SentenceOf(Judge(DumpIndex(document)));
  document.running->lock_owner = "writer-b";
  document.running->lock_owner_tid = 9;
  EXPECT_NE(SentenceOf(Judge(DumpIndex(document))).find("; writer-b has it"), std::string::npos);
}

TEST(WaitChain, TheOneThatIsWaitedForIsNamedToTheEndOfTheChain) {
  const uint32_t main = QuietDocument().identity.pid;
  using model::WaitKind;
  model::Document document =
      Waits({Stack(main, "main", WaitKind::kFuture, "java.util.concurrent.FutureTask", 9),
             Stack(9, "loader", WaitKind::kSynchronizer,
                   "java.util.concurrent.locks.ReentrantLock$NonfairSync", 12),
             Stack(12, "indexer", WaitKind::kJoin, "java.lang.Object", 13),
             Stack(13, "db", WaitKind::kNone, "", 0)});
  PutFrames(&document, {"java.lang.Thread.sleep", "app.Db.migrate", "java.lang.Thread.run"},
            &document.thread_stacks->stacks[3]);
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kStandstill);
  EXPECT_EQ(verdict.threads, (std::vector<std::string>{"loader", "indexer", "db"}));
  EXPECT_NE(SentenceOf(verdict).find("; loader waits for indexer, which waits for db"),
            std::string::npos)
      << SentenceOf(verdict);
  EXPECT_NE(
      EvidenceOf(verdict).find("At the dump thread db (tid 13) was in app.Db.migrate (A.java:7)."),
      std::string::npos)
      << EvidenceOf(verdict);
  ASSERT_EQ(verdict.chain.threads.size(), 4U);
  EXPECT_EQ(verdict.chain.threads[3].stack.size(), 3U);
  EXPECT_FALSE(verdict.chain.is_deadlock());
}

TEST(WaitChain, ACircleIsADeadlockUnlessAWaitEndsByItself) {
  const uint32_t main = QuietDocument().identity.pid;
  using model::WaitKind;
  model::Document document = Waits({Stack(main, "main", WaitKind::kMonitor, "app.Ledger", 9),
                                    Stack(9, "clerk", WaitKind::kMonitor, "app.Account", main)});
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kDeadlock);
  EXPECT_EQ(verdict.confidence, Confidence::kHigh);
  EXPECT_EQ(HeadlineOf(verdict), "Deadlock: main and thread clerk wait for each other")
      << SentenceOf(verdict);
  EXPECT_NE(
      SentenceOf(verdict).find("Main waits for a lock on app.Ledger, held by clerk; clerk waits "
                               "for a lock on app.Account, held by main. It will never end."),
      std::string::npos)
      << SentenceOf(verdict);
  EXPECT_EQ(verdict.chain.loop, 0U);

  document.thread_stacks->stacks[1].state = ThreadState::kTimedWaiting;
  const Verdict timed = Judge(DumpIndex(document));
  EXPECT_EQ(timed.kind, Kind::kStandstill);
  EXPECT_NE(SentenceOf(timed).find(", waiting for main until a timeout"), std::string::npos)
      << SentenceOf(timed);
  EXPECT_TRUE(timed.chain.is_timed_circle());
}

TEST(WaitChain, ClassesThatWantEachOtherAreADeadlock) {
  const uint32_t main = QuietDocument().identity.pid;
  model::Document document =
      Waits({Stack(main, "main", model::WaitKind::kClassInit, "app.Prices", 9),
             Stack(9, "preloader", model::WaitKind::kClassInit, "app.Catalog", main)});
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kDeadlock);
  EXPECT_NE(
      SentenceOf(verdict).find("Main waits for the initialisation of class app.Prices, held by "
                               "preloader; preloader waits"),
      std::string::npos)
      << SentenceOf(verdict);
}

// The owner's wait has no known target, but its code has a message in the queue.
TEST(WaitChain, AMessageOfTheOwnersCodeMayBeWhatItWaitsFor) {
  const uint32_t main = QuietDocument().identity.pid;
  using model::WaitKind;
  model::Document document =
      Waits({Stack(main, "main", WaitKind::kMonitor, "app.Store", 9),
             Stack(9, "exporter", WaitKind::kPark, "java.util.concurrent.CountDownLatch$Sync", 0)});
  PutFrames(&document, {"java.util.concurrent.CountDownLatch.await", "app.Export.run"},
            &document.thread_stacks->stacks[1]);
  document.thread_stacks->stacks[1].state = ThreadState::kTimedWaiting;
  model::PendingMessage message;
  message.delay_ms = -1'500;
  message.callback = "app.Export$Progress";
  const auto says = [](const Verdict& verdict) {
    return SentenceOf(verdict).find(
               "perhaps waiting for Runnable app.Export$Progress in this queue") !=
           std::string::npos;
  };
  EXPECT_FALSE(says(Judge(DumpIndex(document))));
  document.pending = {message};
  EXPECT_TRUE(says(Judge(DumpIndex(document)))) << SentenceOf(Judge(DumpIndex(document)));
  document.pending[0].callback = "app.Other$Progress";
  EXPECT_FALSE(says(Judge(DumpIndex(document))));
  document.pending[0].callback = "app.Export$Progress";
  document.pending[0].delay_ms = 1'000;
  EXPECT_FALSE(says(Judge(DumpIndex(document)))) << "it is not due";
}

TEST(WaitChain, CandidatesAreMarkedAsSuch) {
  const uint32_t main = QuietDocument().identity.pid;
  using model::WaitKind;
  model::Document document = Waits(
      {Stack(main, "main", WaitKind::kPark, "java.util.concurrent.CountDownLatch$Sync", 0),
       Stack(9, "loader", WaitKind::kNone, "", 0), Stack(10, "other", WaitKind::kNone, "", 0)});
  std::vector<model::ThreadStack>& stacks = document.thread_stacks->stacks;
  PutFrames(&document, {"app.Feed.load"}, &stacks[0]);
  PutFrames(&document, {"java.net.Socket.read", "app.Feed$Loader.run"}, &stacks[1]);
  PutFrames(&document, {"app.Other.run"}, &stacks[2]);
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kStandstill);
  const std::string evidence = EvidenceOf(verdict);
  EXPECT_NE(evidence.find("It waited for java.util.concurrent.CountDownLatch; which thread can end "
                          "that is not known."),
            std::string::npos)
      << evidence;
  EXPECT_NE(evidence.find("Thread loader (tid 9) may end the wait"), std::string::npos) << evidence;
  EXPECT_EQ(evidence.find("other"), std::string::npos) << evidence;
}

}  // namespace
}  // namespace stillframe::judge
