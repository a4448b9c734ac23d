// SPDX-License-Identifier: Apache-2.0
// The content of a dump about the main Looper and others, whose threads the test simulates.
#include "src/collector/looper_pipelines.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <thread>

#include "src/core/clock.h"
#include "tests/unit/collector/usual_setup.h"
#include "tests/unit/counted.h"

namespace stillframe::collector {
namespace {

class LooperPipelinesTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(bed_.Start(&names_, settings::TapChoice::kNone));
  }
  // Runs on a thread of its own, which asks to be watched.
  template <typename Do>
  void OnWatchedThread(const char* name, const Do& act) {
    std::thread thread([&] {
      pthread_setname_np(pthread_self(), name);
      ASSERT_TRUE(bed_.watched.WatchCurrent());
      act(*bed_.watched.At(bed_.watched.CurrentIndex()));
    });
    thread.join();
  }
  model::Dump Describe() {
    model::Dump dump;
    pipelines_.Describe(core::MonotonicNs(), &dump);
    return dump;
  }
  model::FrameTable names_;
  Counted counted_;
  PipelineBed bed_;
  LooperPipelines& pipelines_ = bed_.pipelines;
};

TEST_F(LooperPipelinesTest, AThreadThatIsWatchedComesBehindTheMainOne) {
  EXPECT_EQ(Describe().loopers.size(), 1U);
  EXPECT_EQ(counted_.Of(Counter::kLoopers), 1U);
  OnWatchedThread("worker", [](tap::WatchedLooper&) {});
  const model::Dump dump = Describe();
  ASSERT_EQ(dump.loopers.size(), 2U);
  EXPECT_EQ(dump.loopers[0].thread, "main");
  EXPECT_EQ(dump.loopers[1].thread, "worker");
  EXPECT_EQ(dump.loopers[1].tap, "none");
  EXPECT_EQ(counted_.Of(Counter::kLoopers), 2U);
}

TEST_F(LooperPipelinesTest, ARunningMessageOfAnotherLooperIsDescribedWithIt) {
  const uint64_t start_ns = core::MonotonicNs() - 2'000 * os::kNsPerMs;
  OnWatchedThread("worker", [start_ns](tap::WatchedLooper& looper) {
    looper.thread.message.Publish(Token{9}, start_ns, 0);
  });
  const model::Dump dump = Describe();
  ASSERT_EQ(dump.loopers.size(), 2U);
  EXPECT_FALSE(dump.loopers[0].running) << "the main one's is the dump's own";
  ASSERT_TRUE(dump.loopers[1].running);
  EXPECT_EQ(dump.loopers[1].running->token, Token{9});
  EXPECT_EQ(dump.loopers[1].running->looper, 1U);
  EXPECT_GE(dump.loopers[1].running->wall_ns, static_cast<int64_t>(2'000 * os::kNsPerMs));
}

TEST_F(LooperPipelinesTest, AnyLoopersMessageIsSlowFromItsLimitOn) {
  const uint64_t start_ns = core::MonotonicNs();
  OnWatchedThread("worker", [start_ns](tap::WatchedLooper& looper) {
    looper.thread.message.Publish(Token{9}, start_ns, 0);
  });
  EXPECT_FALSE(pipelines_.IsAnySlow(start_ns + 50 * os::kNsPerMs - 1));
  EXPECT_TRUE(pipelines_.IsAnySlow(start_ns + 50 * os::kNsPerMs));
}

TEST_F(LooperPipelinesTest, AFreezeIsInThePastOfEachLooper) {
  OnWatchedThread("worker", [](tap::WatchedLooper&) {});
  const uint64_t now_ns = core::MonotonicNs();
  pipelines_.AddFrozen({now_ns - 3'000 * os::kNsPerMs, now_ns, 3'000 * os::kNsPerMs});
  const model::Dump dump = Describe();
  for (const uint32_t looper : {0U, 1U}) {
    EXPECT_EQ(std::count_if(
                  dump.records.begin(), dump.records.end(),
                  [looper](const auto& record) {
                    return record.looper == looper && record.kind == model::SpanKind::kFrozen;
                  }),
              1)
        << looper;
  }
}

}  // namespace
}  // namespace stillframe::collector
