// SPDX-License-Identifier: Apache-2.0
// A freeze is distinguished from a wait, a busy machine and a suspended device.
#include "src/history/freeze_watch.h"

#include <gtest/gtest.h>

#include "src/os/duration.h"

namespace stillframe::history {
namespace {

using os::kNsPerMs;

struct Reading {
  FreezeWatch::Clocks clocks;
  FreezeWatch::Usage usage;
};

Reading At(uint64_t ms, uint64_t asleep_ms, uint64_t cpu_ms, int64_t queue_ms) {
  return {{ms * kNsPerMs, (ms + asleep_ms) * kNsPerMs},
          {cpu_ms * kNsPerMs, queue_ms < 0 ? -1 : queue_ms * static_cast<int64_t>(kNsPerMs)}};
}

class FreezeWatchTest : public testing::Test {
 protected:
  // After a sleep of 50 ms that begins at 1,000 ms.
  bool Woke(const Reading& now, uint64_t sleep_ns = 50 * kNsPerMs) {
    Sleep(At(1'000, 0, 100, 10), sleep_ns);
    return HasFrozen(now);
  }
  void Sleep(const Reading& now, uint64_t sleep_ns) {
    if (watch_.NeedsUsage(now.clocks)) watch_.Note(now.clocks, now.usage);
    watch_.BeforeSleep(now.clocks, sleep_ns);
  }
  bool HasFrozen(const Reading& now) {
    return watch_.IsLate(now.clocks) && watch_.WasFrozen(now.clocks, now.usage, &freeze_);
  }
  FreezeWatch watch_{1'000 * kNsPerMs};
  FreezeWatch::Freeze freeze_ = {};
};

TEST_F(FreezeWatchTest, AProcessThatWasNotRunWasFrozen) {
  ASSERT_TRUE(Woke(At(6'050, 0, 101, 12)));
  EXPECT_EQ(freeze_.start_ns, 1'050 * kNsPerMs);
  EXPECT_EQ(freeze_.end_ns, 6'050 * kNsPerMs);
  EXPECT_EQ(freeze_.lost_ns, 5'000 * kNsPerMs);
}

TEST_F(FreezeWatchTest, ASleepThatEndsInTimeIsNoFreeze) {
  EXPECT_FALSE(Woke(At(1'060, 0, 100, 10)));
}

TEST_F(FreezeWatchTest, ALittleDelayIsNoFreeze) { EXPECT_FALSE(Woke(At(2'040, 0, 100, 10))); }

TEST_F(FreezeWatchTest, AProcessThatUsedCpuTimeWasNotFrozen) {
  EXPECT_FALSE(Woke(At(6'050, 0, 300, 12)));
}

TEST_F(FreezeWatchTest, WhatRanBeforeAndAfterTheStopIsNoSignThatThereWasNone) {
  EXPECT_TRUE(Woke(At(6'050, 0, 150, 10))) << "one thread ran all the sleep";
  EXPECT_TRUE(Woke(At(6'250, 0, 350, 210))) << "and until the collector had a CPU";
}

TEST_F(FreezeWatchTest, ACollectorThatWaitedForACpuWasNotFrozen) {
  EXPECT_FALSE(Woke(At(6'050, 0, 100, 4'900)));
}

TEST_F(FreezeWatchTest, WithoutTheRunQueueClockTheCpuDecides) {
  Sleep(At(1'000, 0, 100, -1), 50 * kNsPerMs);
  EXPECT_TRUE(HasFrozen(At(6'050, 0, 100, -1)));
}

TEST_F(FreezeWatchTest, ASleepWithoutEndIsNeverLate) {
  EXPECT_FALSE(Woke(At(3'600'000, 0, 100, 10), UINT64_MAX));
}

TEST_F(FreezeWatchTest, ADeviceThatSleptIsAFreeze) {
  ASSERT_TRUE(Woke(At(1'020, 8'000, 100, 10), UINT64_MAX));
  EXPECT_EQ(freeze_.end_ns - freeze_.start_ns, 8'000 * kNsPerMs);
  EXPECT_EQ(freeze_.lost_ns, 0U);
}

TEST_F(FreezeWatchTest, BeforeTheFirstSleepThereIsNoFreeze) {
  EXPECT_FALSE(HasFrozen(At(6'050, 9'000, 0, 0)));
}

TEST_F(FreezeWatchTest, ShortSleepsShareAReadingOfTheUsage) {
  EXPECT_FALSE(Woke(At(1'050, 0, 100, 10), 40 * kNsPerMs));
  EXPECT_FALSE(watch_.NeedsUsage(At(1'050, 0, 0, 0).clocks));
  EXPECT_TRUE(watch_.NeedsUsage(At(1'051, 0, 0, 0).clocks));
}

TEST_F(FreezeWatchTest, WhatRanSinceAnOlderReadingIsNoSignThatThereWasNoFreeze) {
  EXPECT_FALSE(Woke(At(1'045, 0, 145, 10), 40 * kNsPerMs));
  Sleep(At(1'050, 0, 150, 10), 10 * kNsPerMs);
  EXPECT_TRUE(HasFrozen(At(6'060, 0, 160, 10)));
}

// The usage is as old as it may be: neither case may turn by it.
TEST_F(FreezeWatchTest, AWaitAfterTheThawIsNoSignThatThereWasNoFreeze) {
  EXPECT_FALSE(Woke(At(1'045, 0, 100, 50), 40 * kNsPerMs));
  Sleep(At(1'050, 0, 100, 60), 10 * kNsPerMs);
  EXPECT_TRUE(HasFrozen(At(2'660, 0, 100, 660))) << "stopped 1,000 ms, then waited 600";
}

TEST_F(FreezeWatchTest, AMainThreadThatRanIsASignThatThereWasNoFreeze) {
  EXPECT_FALSE(Woke(At(1'045, 0, 100, 10), 40 * kNsPerMs));
  Sleep(At(1'050, 0, 150, 10), 10 * kNsPerMs);
  EXPECT_FALSE(HasFrozen(At(2'060, 0, 435, 10))) << "it ran 285 ms of 1,000";
}

TEST_F(FreezeWatchTest, AfterALateSleepTheUsageIsNew) {
  EXPECT_TRUE(Woke(At(6'050, 0, 101, 12)));
  Sleep(At(6'060, 0, 999, 12), 50 * kNsPerMs);
  EXPECT_FALSE(HasFrozen(At(9'000, 0, 3'900, 12))) << "it ran since the last freeze";
}

}  // namespace
}  // namespace stillframe::history
