// SPDX-License-Identifier: Apache-2.0
// Which messages are sampled, what each leaves, and when the collector may sleep.
#include "src/sampling/slow_message_watch.h"

#include "tests/unit/sampling/slow_message_case.h"

namespace stillframe::sampling {
namespace {

using SlowMessageWatchTest = SlowMessageCase;

TEST_F(SlowMessageWatchTest, ABusyMessageIsSampledByItsTimer) {
  Run([this] { Message([] { BurnNs(300 * kNsPerMs); }); });
  const auto history = SlowMessages();
  ASSERT_EQ(history.size(), 1U);
  const auto wall_ms = static_cast<uint64_t>(history[0].wall_ns) / kNsPerMs;
  // One every 10 ms of CPU time after the first 50 ms; the kernel rounds to its tick, and the timer
  // is armed late on a busy machine.
  EXPECT_GE(SignalSamples(), 5U);
  EXPECT_LE(SignalSamples(), (wall_ms - 50) / 10 + 3);
  const model::TraceTree tree = KeptTree();
  EXPECT_EQ(tree.token(), history[0].token);
  EXPECT_EQ(history[0].samples, tree.sample_count());
  EXPECT_NEAR(static_cast<double>(WeightUs(tree)), static_cast<double>(history[0].wall_ns) / 1e3,
              2.0);
  EXPECT_EQ(WeightUs(tree, model::ThreadState::kSleeping), 0U);
  EXPECT_GE(tree.samples().front().wall_us, 50'000U);
}

TEST_F(SlowMessageWatchTest, QuickMessagesArmNothing) {
  Run([this] {
    for (int i = 0; i < 200; ++i) Message([] { BurnNs(kNsPerMs / 2); });
  });
  EXPECT_EQ(counted_.Of(Counter::kDropsForeignSignal), 0U);
  // A busy machine can make a quick message slow.
  if (SlowMessages().empty()) {
    EXPECT_TRUE(trees_.kept().empty());
    EXPECT_EQ(SignalSamples(), 0U);
    EXPECT_EQ(counted_.Of(Counter::kSamplesWithoutSignal), 0U);
  }
}

TEST_F(SlowMessageWatchTest, AMessageYoungerThanTheTicksClockIsNotSlow) {
  clock_behind_ns_ = 60'000 * kNsPerMs;  // longer than a busy machine makes the message last
  Run([this] { Message([] { BurnNs(3 * kSlowNs); }); });
  EXPECT_EQ(SignalSamples(), 0U);
  EXPECT_EQ(counted_.Of(Counter::kSamplesWithoutSignal) + counted_.Of(Counter::kWalksThrownAway),
            0U);
}

TEST_F(SlowMessageWatchTest, EachSlowMessageHasItsOwnTree) {
  Run([this] {
    for (int i = 0; i < 4; ++i) {
      Message([] { BurnNs(130 * kNsPerMs); });
      Message([] { BurnNs(60 * kNsPerMs); });  // slow, but too short for a kept tree
    }
  });
  const auto history = SlowMessages();
  ASSERT_EQ(history.size(), 8U);
  size_t kept = 0;
  for (const model::Message& message : history) {
    const bool has_tree = (message.flags & model::kMessageHasTree) != 0;
    EXPECT_EQ(has_tree,
              message.wall_ns >= static_cast<int64_t>(100 * kNsPerMs) && message.samples > 0);
    kept += has_tree ? 1U : 0U;
  }
  EXPECT_EQ(trees_.kept().size(), kept);
  EXPECT_GE(kept, 4U);
}

TEST_F(SlowMessageWatchTest, SaysWhenAMessageWillBeSlow) {
  core::WatchedThread idle;
  idle.tid = gettid();
  recorder_->Start({&idle, tap::kLimits, &wake_up_, nullptr});
  ASSERT_EQ(watch_.Start({&TheSampler(), recorder_.get(), &trees_, &native_, &history_, nullptr,
                          kSlowNs, kIntervalNs, 16, false}),
            0);
  const uint64_t begin_ns = core::MonotonicNs();
  EXPECT_EQ(watch_.Tick(begin_ns).in_ns, UINT64_MAX) << "no message runs";
  recorder_->BeginAt(begin_ns, 1);
  SlowMessageWatch::NextLook next = watch_.Tick(begin_ns + 20 * kNsPerMs);
  EXPECT_EQ(next.in_ns, 30 * kNsPerMs);
  EXPECT_FALSE(next.is_slow);
  next = watch_.Tick(begin_ns + kSlowNs);
  EXPECT_EQ(next.in_ns, kIntervalNs);
  EXPECT_TRUE(next.is_slow);
  recorder_->EndAt(begin_ns + 60 * kNsPerMs);
  EXPECT_FALSE(watch_.Tick(begin_ns + 60 * kNsPerMs).is_slow);
}

TEST_F(SlowMessageWatchTest, WithoutASamplerMessagesAreStillRecorded) {
  core::WatchedThread alone;
  alone.tid = gettid();
  recorder_->Start({&alone, tap::kLimits, &wake_up_, nullptr});
  ASSERT_EQ(watch_.Start({nullptr, recorder_.get(), &trees_, &native_, &history_, nullptr, kSlowNs,
                          kIntervalNs, 16, false}),
            0);
  Message([this] {
    for (int i = 0; i < 12; ++i) {
      BurnNs(10 * kNsPerMs);
      watch_.Tick(core::MonotonicNs());
    }
  });
  watch_.Tick(core::MonotonicNs());
  const auto history = SlowMessages();
  ASSERT_EQ(history.size(), 1U);
  EXPECT_EQ(history[0].samples, 0U);
  EXPECT_GE(history[0].wall_ns, static_cast<int64_t>(120 * kNsPerMs));
}

}  // namespace
}  // namespace stillframe::sampling
