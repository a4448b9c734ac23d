// SPDX-License-Identifier: Apache-2.0
// The states of missing time and their transitions; wall clock, CPU clock and signals are the
// test's own.
#include "src/sampling/missing_time.h"

#include <gtest/gtest.h>

#include "tests/unit/counted.h"

namespace stillframe::sampling {
namespace {

// Ticks an interval apart in a message that began at 0 on both clocks.
class MissingTimeTest : public testing::Test {
 protected:
  using State = MissingTime::State;
  static constexpr uint64_t kInterval = 10'000'000;
  static constexpr uint64_t kKernelTick = 10'000'000;

  MissingTimeTest() { missing_.Start(0, 0); }

  // The next tick. The thread ran for `cpu_ns` since the last one, and is walked at its place.
  State TickAfter(uint64_t cpu_ns) {
    now_ns_ += kInterval;
    cpu_ns_ += cpu_ns;
    if (!missing_.IsStillBlocked(cpu_ns_)) missing_.HasMoved();
    return Account();
  }
  State Account() { return missing_.Account({now_ns_, cpu_ns_, kInterval, samples_, is_silent_}); }
  MissingTime::Settled Signal(uint64_t overrun = 0) {
    const MissingTime::Settled settled = missing_.TakeSignal(overrun);
    samples_ += 1 + settled.found + settled.missing;
    missing_.EndSignals(cpu_ns_);
    return settled;
  }
  // The thread runs without a signal until one is overdue.
  void BecomeOverdue() {
    State state = State::kRunning;
    for (int i = 0; i < 10 && state != State::kSignalOverdue; ++i) {
      state = TickAfter(kInterval);
      samples_ += state == State::kReadyWithoutCpu ? 1 : 0;
    }
    ASSERT_EQ(state, State::kSignalOverdue);
  }

  Counted counted_;
  MissingTime missing_;
  uint64_t now_ns_ = 0;
  uint64_t cpu_ns_ = 0;
  uint64_t samples_ = 0;
  bool is_silent_ = false;
};

TEST_F(MissingTimeTest, AThreadWhoseSignalsComeOwesNothing) {
  for (int i = 0; i < 50; ++i) {
    Signal();
    EXPECT_EQ(TickAfter(kInterval), State::kRunning) << i;
  }
  EXPECT_EQ(counted_.Of(Counter::kSamplesWithoutCpu), 0U);
  EXPECT_EQ(counted_.Of(Counter::kSamplesMissed), 0U);
}

TEST_F(MissingTimeTest, TooManySamplesSaveUpForOneIntervalOnly) {
  for (int i = 0; i < 50; ++i) Signal();
  EXPECT_EQ(TickAfter(0), State::kRunning) << "an interval is saved";
  EXPECT_EQ(TickAfter(0), State::kRunning) << "and spent";
  EXPECT_EQ(TickAfter(0), State::kRunning) << "one is owed, and half of one is granted";
  EXPECT_EQ(TickAfter(0), State::kReadyWithoutCpu);
}

TEST_F(MissingTimeTest, AThreadThatDoesNotRunWaitsForACpuWhereItWasSampled) {
  Signal();
  State state = State::kRunning;
  for (int i = 0; i < 5 && state == State::kRunning; ++i) state = TickAfter(0);
  EXPECT_EQ(state, State::kReadyWithoutCpu);
  EXPECT_EQ(counted_.Of(Counter::kSamplesWithoutCpu), 1U);
  ++samples_;  // the repeat
  Signal();
  EXPECT_EQ(TickAfter(kInterval), State::kRunning) << "it has a CPU again";
}

TEST_F(MissingTimeTest, WithoutASampleThereIsNothingToRepeat) {
  EXPECT_EQ(TickAfter(0), State::kRunning);
  EXPECT_EQ(TickAfter(0), State::kUnsampled);
  EXPECT_EQ(counted_.Of(Counter::kSamplesWithoutCpu), 0U);
  Signal();
  Signal();
  EXPECT_EQ(TickAfter(0), State::kRunning);
}

TEST_F(MissingTimeTest, ASignalIsOverdueOnceTheThreadRanForTwoIntervalsAndTwoKernelTicks) {
  Signal();
  now_ns_ = 10 * kInterval;
  cpu_ns_ = 2 * (kInterval + kKernelTick);
  EXPECT_EQ(Account(), State::kReadyWithoutCpu);
  ++cpu_ns_;
  EXPECT_EQ(TickAfter(0), State::kSignalOverdue);
}

TEST_F(MissingTimeTest, ThePendingSignalFindsItsOverdueSamples) {
  Signal();
  BecomeOverdue();
  EXPECT_EQ(TickAfter(kInterval), State::kSignalOverdue);
  const MissingTime::Settled settled = Signal(5);
  EXPECT_EQ(settled.found, 2U);
  EXPECT_EQ(settled.missing, 0U);
  EXPECT_EQ(counted_.Of(Counter::kSamplesMissed), 0U);
  EXPECT_EQ(TickAfter(kInterval), State::kRunning);
}

TEST_F(MissingTimeTest, WhatTheSignalWasNotPendingForIsMissing) {
  Signal();
  BecomeOverdue();
  EXPECT_EQ(TickAfter(kInterval), State::kSignalOverdue);
  const MissingTime::Settled settled = Signal(1);
  EXPECT_EQ(settled.found, 1U);
  EXPECT_EQ(settled.missing, 1U);
  EXPECT_EQ(counted_.Of(Counter::kSamplesMissed), 1U);
}

TEST_F(MissingTimeTest, OverdueSamplesAreMissingWhenTheMessageEnds) {
  Signal();
  BecomeOverdue();
  EXPECT_EQ(missing_.TakeOverdue(), 1U);
  EXPECT_EQ(missing_.TakeOverdue(), 0U) << "taken once";
  EXPECT_EQ(counted_.Of(Counter::kSamplesMissed), 1U);
}

TEST_F(MissingTimeTest, AThreadThatBlocksTheSignalMissesTheSampleAtOnce) {
  Signal();
  BecomeOverdue();
  EXPECT_EQ(missing_.BlockSignals(), State::kSignalsBlocked);
  EXPECT_EQ(missing_.TakeOverdue(), 1U);
}

TEST_F(MissingTimeTest, WhereSignalsAreKnownNotToComeMoreThanAnIntervalOfRunningIsEnough) {
  Signal();
  is_silent_ = true;
  now_ns_ = 10 * kInterval;
  cpu_ns_ = kInterval;
  EXPECT_EQ(Account(), State::kReadyWithoutCpu);
  EXPECT_EQ(TickAfter(1), State::kSignalsBlocked);
  EXPECT_EQ(missing_.TakeOverdue(), 1U);
}

TEST_F(MissingTimeTest, AThreadThatStandsStillIsRepeatedUntilItsCpuClockMoves) {
  cpu_ns_ = 500;
  EXPECT_FALSE(missing_.IsStillBlocked(cpu_ns_)) << "walk it";
  EXPECT_TRUE(missing_.HasNotRunSinceTick(500));
  EXPECT_FALSE(missing_.HasNotRunSinceTick(501)) << "it ran during the walk";
  missing_.HasStopped(cpu_ns_);
  for (int i = 0; i < 20; ++i) {
    now_ns_ += kInterval;
    EXPECT_TRUE(missing_.IsStillBlocked(cpu_ns_));
    EXPECT_EQ(Account(), State::kBlocked);
    EXPECT_TRUE(missing_.is_blocked());
  }
  EXPECT_FALSE(missing_.IsStillBlocked(501));
  missing_.HasMoved();
  EXPECT_FALSE(missing_.is_blocked());
}

TEST_F(MissingTimeTest, ASignalEndsStandingStill) {
  missing_.IsStillBlocked(500);
  missing_.HasStopped(500);
  Signal();
  EXPECT_FALSE(missing_.is_blocked());
  EXPECT_FALSE(missing_.IsStillBlocked(500)) << "the last sample is the signal's: walk it again";
}

TEST_F(MissingTimeTest, TheNextMessageOwesNothingForTheOneBefore) {
  Signal();
  BecomeOverdue();
  missing_.Start(now_ns_, cpu_ns_);
  samples_ = 0;
  EXPECT_EQ(TickAfter(kInterval), State::kRunning);
  EXPECT_EQ(missing_.TakeOverdue(), 0U);
  EXPECT_EQ(counted_.Of(Counter::kSamplesMissed), 0U);
}

}  // namespace
}  // namespace stillframe::sampling
