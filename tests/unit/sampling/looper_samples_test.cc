// SPDX-License-Identifier: Apache-2.0
// Which Loopers' messages are sampled, and what is kept of them.
#include "src/sampling/looper_samples.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "tests/unit/sampling/standing_threads.h"

namespace stillframe::sampling {
namespace {

class LooperSamplesTest : public StandingThreads {
 protected:
  static constexpr size_t kThreads = LooperSamples::kMostThreads + 1;

  void Start() {
    AddStanding(*main_);
    for (size_t i = 0; i < kThreads; ++i) {
      loopers_[i].tid = tasks_[i]->tid();
      loopers_[i].runtime_thread = AddStanding(*tasks_[i]);
    }
    ASSERT_NO_FATAL_FAILURE(ProveList());
    samples_.Start({{&facts_, &list_, &TheSampler(), main_->tid()},
                    &trees_,
                    &native_,
                    &writer_,
                    /*max_depth=*/16,
                    kSlowNs});
  }
  // Its message is as old as a slow one.
  core::RunningMessage Begin(size_t looper, uint64_t age_ns = kSlowNs) {
    return {Token{looper + 1}, core::MonotonicNs() - age_ns, CpuNs(*tasks_[looper])};
  }
  void Look(size_t looper, const core::RunningMessage& message) {
    samples_.Look(loopers_[looper], message, core::MonotonicNs());
  }

  std::array<std::optional<Task>, kThreads> tasks_ = {
      std::optional<Task>(std::in_place), std::optional<Task>(std::in_place),
      std::optional<Task>(std::in_place), std::optional<Task>(std::in_place),
      std::optional<Task>(std::in_place)};
  std::array<core::WatchedThread, kThreads> loopers_;
  dump::Writer writer_;
  native::FileSymbols files_;
  native::NativeFrames native_{facts_, &frames_, &files_};
  TreeBuilder trees_{TreeLimits{kSlowNs, 10, 65'536}, facts_, &frames_, &native_, &writer_};
  LooperSamples samples_;
};

TEST_F(LooperSamplesTest, AMessageIsCoveredFromItsStartToItsEndAndItsTreeIsKept) {
  ASSERT_NO_FATAL_FAILURE(Start());
  const core::RunningMessage message = Begin(0);
  for (int i = 0; i < 5; ++i) {
    Look(0, message);
    usleep(10'000);
  }
  EXPECT_EQ(samples_.SamplesOf(message.token), 5U);
  std::vector<std::unique_ptr<dump::EncodedTree>> running;
  samples_.EncodeRunning(&running);
  EXPECT_EQ(running.size(), 1U);
  EXPECT_EQ(samples_.End(message.token, core::MonotonicNs()), 5U);
  EXPECT_TRUE(trees_.HasKept(message.token));
  EXPECT_EQ(samples_.SamplesOf(message.token), 0U);
  EXPECT_EQ(samples_.End(message.token, core::MonotonicNs()), 0U) << "it has ended";
}

TEST_F(LooperSamplesTest, TheFifthThreadWaitsForItsNextMessage) {
  ASSERT_NO_FATAL_FAILURE(Start());
  std::array<core::RunningMessage, kThreads> messages;
  for (size_t i = 0; i < kThreads; ++i) {
    messages[i] = Begin(i);
    Look(i, messages[i]);
  }
  EXPECT_EQ(samples_.SamplesOf(messages[3].token), 1U);
  EXPECT_EQ(samples_.SamplesOf(messages[4].token), 0U);
  samples_.End(messages[0].token, core::MonotonicNs());
  Look(4, Begin(4, kSlowNs + 500 * kNsPerMs));
  EXPECT_EQ(samples_.SamplesOf(messages[4].token), 0U) << "its begin was not seen";
  Look(4, Begin(4));
  EXPECT_EQ(samples_.SamplesOf(messages[4].token), 1U);
}

TEST_F(LooperSamplesTest, AThreadThatHasEndedLeavesItsPlace) {
  ASSERT_NO_FATAL_FAILURE(Start());
  const core::RunningMessage message = Begin(0);
  Look(0, message);
  tasks_[0].reset();
  Look(0, message);
  EXPECT_EQ(samples_.SamplesOf(message.token), 0U);
}

}  // namespace
}  // namespace stillframe::sampling
