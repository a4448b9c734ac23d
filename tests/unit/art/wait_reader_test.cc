// SPDX-License-Identifier: Apache-2.0
// The waits of threads, and the owners they wait for. Java objects are in memory laid out as ART
// and libcore have them.
#include "src/art/wait_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/art/java_image.h"

namespace stillframe::art {
namespace {

using model::ThreadState;
using model::WaitKind;

class WaitReaderTest : public testing::Test, protected JavaImage {
 protected:
  void SetUp() override {
    for (size_t i = 0; i < 2; ++i) peers_[i] = AddPeer(AddThread(tasks_[i]));
    AddPeer(self_);
    waiter_ = {threads_[1], tasks_[0].tid()};
    other_ = threads_[2];
    Find();
  }
  void Find() {
    ASSERT_TRUE(Prove());
    reader_ = {};
    reader_.Find(facts_, list_, env());
    list_.Read(16, &known_);
    ASSERT_EQ(known_.size(), 3U);
  }
  Wait Read(ThreadState state = ThreadState::kWaiting) {
    return reader_.Read(waiter_, state, known_);
  }
  // The waiter parks for an object of a class below `type`.
  uint32_t ParkFor(uint32_t type) {
    const uint32_t blocker = NewObject(NewClass(type));
    image_.Put32(peers_[0] + kBlockerAt, blocker);
    return blocker;
  }
  // The waiter is in Object.wait.
  void WaitAt(uint32_t object) { Put(waiter_.address + kWaitAt, PutMonitor(object, 3, 0)); }

  Task tasks_[2];
  uint32_t peers_[2] = {};
  uintptr_t other_ = 0;
  RuntimeThread waiter_;
  std::vector<RuntimeThread> known_;
  WaitReader reader_;
};

TEST_F(WaitReaderTest, AMonitorHasAnOwner) {
  const uint32_t object = NewObject(object_class_);
  PutMonitor(object, 5, other_);
  Put(waiter_.address + kEnteredAt, object);
  const Wait wait = Read(ThreadState::kBlocked);
  EXPECT_EQ(wait.kind, WaitKind::kMonitor);
  EXPECT_EQ(wait.tid, tasks_[1].tid());
  EXPECT_EQ(wait.object, object);
  EXPECT_EQ(wait.class_name, "com.example.Row");
}

TEST_F(WaitReaderTest, BlockedOnNothingThatIsKnownIsNoWait) {
  EXPECT_EQ(Read(ThreadState::kBlocked).kind, WaitKind::kNone);
}

TEST_F(WaitReaderTest, ALockOfTheLibraryHasAnOwnerWhateverItsClass) {
  const uint32_t lock = ParkFor(NewClass(synchronizer_));
  image_.Put32(lock + kOwnerOfLockAt, peers_[1]);
  const Wait wait = Read();
  EXPECT_EQ(wait.kind, WaitKind::kSynchronizer);
  EXPECT_EQ(wait.tid, tasks_[1].tid());
  EXPECT_EQ(wait.object, lock);
  EXPECT_EQ(wait.class_name, "") << "its class has no dex file";
}

TEST_F(WaitReaderTest, ALockThatNobodyHoldsIsAPark) {
  ParkFor(synchronizer_);
  const Wait wait = Read(ThreadState::kTimedWaiting);
  EXPECT_EQ(wait.kind, WaitKind::kPark);
  EXPECT_EQ(wait.tid, 0);
}

TEST_F(WaitReaderTest, AFutureIsRunBySomebodyOrNotYet) {
  const uint32_t task = ParkFor(future_);
  EXPECT_EQ(Read().kind, WaitKind::kFuture);
  EXPECT_EQ(Read().tid, 0);
  image_.Put32(task + kRunnerAt, peers_[1]);
  EXPECT_EQ(Read().tid, tasks_[1].tid());
}

TEST_F(WaitReaderTest, AnOwnerThatHasEndedIsNobody) {
  const uint32_t lock = ParkFor(synchronizer_);
  image_.Put32(lock + kOwnerOfLockAt, peers_[1]);
  Put(other_ + kEnvAt, 0);
  EXPECT_EQ(Read().tid, 0) << "its structure leads back no more";
  image_.Put64(peers_[1] + kNativePeerAt, 0);
  EXPECT_EQ(Read().tid, 0);
  image_.Put64(peers_[1] + kNativePeerAt, 0x10);
  EXPECT_EQ(Read().tid, 0);
}

TEST_F(WaitReaderTest, ParkingWithoutAReasonTellsNothing) {
  EXPECT_EQ(Read().kind, WaitKind::kNone);
}

TEST_F(WaitReaderTest, WaitingAtAnObjectTellsTheObject) {
  const uint32_t object = NewObject(object_class_);
  WaitAt(object);
  const Wait wait = Read();
  EXPECT_EQ(wait.kind, WaitKind::kObject);
  EXPECT_EQ(wait.object, object);
  EXPECT_EQ(wait.class_name, "com.example.Row");
  EXPECT_EQ(wait.tid, 0);
}

TEST_F(WaitReaderTest, AClassIsWaitedAtForWhoInitializesIt) {
  const auto initialized_by = [this](int32_t tid) {
    image_.Put32(object_class_ + kClinitThreadAt, static_cast<uint32_t>(tid));
  };
  WaitAt(object_class_);
  EXPECT_EQ(Read().kind, WaitKind::kObject) << "nobody has initialized it";
  initialized_by(tasks_[1].tid());
  const Wait wait = Read();
  EXPECT_EQ(wait.kind, WaitKind::kClassInit);
  EXPECT_EQ(wait.tid, tasks_[1].tid());
  EXPECT_EQ(wait.class_name, "com.example.Row");
  EXPECT_EQ(Read(ThreadState::kTimedWaiting).kind, WaitKind::kObject) << "it has no time limit";
  initialized_by(tasks_[0].tid());
  EXPECT_EQ(Read().kind, WaitKind::kObject) << "the thread itself";
  initialized_by(0x7fff0000);
  EXPECT_EQ(Read().kind, WaitKind::kObject) << "no thread of the runtime";
  WaitAt(NewObject(object_class_));
  initialized_by(tasks_[1].tid());
  EXPECT_EQ(Read().kind, WaitKind::kObject) << "an object, not the class";
}

TEST_F(WaitReaderTest, AThreadsLockIsWaitedAtForItsEnd) {
  WaitAt(LockOf(peers_[1]));
  const Wait wait = Read();
  EXPECT_EQ(wait.kind, WaitKind::kJoin);
  EXPECT_EQ(wait.tid, tasks_[1].tid());
}

TEST_F(WaitReaderTest, AThreadItselfIsWaitedAtForItsEnd) {
  WaitAt(peers_[1]);
  EXPECT_EQ(Read().kind, WaitKind::kJoin);
  EXPECT_EQ(Read().tid, tasks_[1].tid());
}

TEST_F(WaitReaderTest, AThreadThatSleepsAtItsOwnLockWaitsForNobody) {
  WaitAt(LockOf(peers_[0]));
  EXPECT_EQ(Read(ThreadState::kTimedWaiting).kind, WaitKind::kNone);
}

TEST_F(WaitReaderTest, LocksOfOtherThreadsThanBeforeAreReadAgain) {
  const uint32_t lock = NewObject(object_class_);
  WaitAt(LockOf(peers_[1]));
  EXPECT_EQ(Read().tid, tasks_[1].tid());
  image_.Put32(peers_[1] + kLockAt, lock);
  WaitAt(lock);
  EXPECT_EQ(Read().tid, 0);
  reader_.ForgetThreads();
  EXPECT_EQ(Read().tid, tasks_[1].tid());
}

TEST_F(WaitReaderTest, ARunningThreadWaitsForNothing) {
  ParkFor(synchronizer_);
  EXPECT_EQ(Read(ThreadState::kRunnable).kind, WaitKind::kNone);
  EXPECT_EQ(Read(ThreadState::kNative).kind, WaitKind::kNone);
}

TEST_F(WaitReaderTest, WhatThePlatformLacksIsNotTold) {
  const uint32_t task = ParkFor(future_);
  image_.Put32(task + kRunnerAt, peers_[1]);
  LoseField("java/util/concurrent/FutureTask.runner");
  Find();
  EXPECT_EQ(Read().kind, WaitKind::kPark);
  EXPECT_EQ(Read().tid, 0);
}

TEST_F(WaitReaderTest, APeerThatDoesNotLeadBackIsNone) {
  const uint32_t lock = ParkFor(synchronizer_);
  image_.Put32(lock + kOwnerOfLockAt, peers_[1]);
  image_.Put64(peers_[0] + kNativePeerAt, other_);
  EXPECT_EQ(Read().kind, WaitKind::kNone);
  EXPECT_EQ(reader_.NameOf(waiter_), "");
}

TEST_F(WaitReaderTest, WithoutPeersOnlyMonitorsAreTold) {
  LoseField("java/lang/Thread.nativePeer");
  Find();
  ParkFor(future_);
  EXPECT_EQ(Read().kind, WaitKind::kNone);
  const uint32_t object = NewObject(object_class_);
  WaitAt(object);
  EXPECT_EQ(Read().kind, WaitKind::kObject);
}

TEST_F(WaitReaderTest, NamesArePlainAsciiAndBounded) {
  SetName(peers_[0], "db-writer");
  EXPECT_EQ(reader_.NameOf(waiter_), "db-writer");
  SetName(peers_[0], "db-writer", 1);
  EXPECT_EQ(reader_.NameOf(waiter_), "") << "characters of two bytes";
  SetName(peers_[0], "db\nwriter");
  EXPECT_EQ(reader_.NameOf(waiter_), "");
  SetName(peers_[0], std::string(140, 'x'));
  EXPECT_EQ(reader_.NameOf(waiter_), std::string(120, 'x'));
}

// A moving collector leaves arbitrary bytes at an object's old place.
TEST_F(WaitReaderTest, AnyObjectIsReadWithoutAFault) {
  const uint32_t lock = ParkFor(synchronizer_);
  WaitAt(LockOf(peers_[1]));
  uint32_t word = 1;
  const auto next = [&word] { return word = word * 1664525U + 1013904223U; };
  for (int i = 0; i < 20'000; ++i) {
    const uintptr_t at = i % 3 == 0 ? lock : i % 3 == 1 ? peers_[0] : waiter_.address + kWaitAt;
    image_.Put32(at + next() % 8 * 4, i % 2 == 0 ? next() : lock + next() % 256);
    const int32_t tid = Read().tid;
    EXPECT_TRUE(tid == 0 || tid == tasks_[0].tid() || tid == tasks_[1].tid() || tid == gettid());
    reader_.NameOf(waiter_);
  }
}

}  // namespace
}  // namespace stillframe::art
