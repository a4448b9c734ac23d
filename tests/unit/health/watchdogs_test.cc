// SPDX-License-Identifier: Apache-2.0
// Limits at which each watchdog trips, cases in which it must not, and the effects of trips.
#include "src/health/watchdogs.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/unit/counted.h"

namespace stillframe::health {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr CostLimits kCostLimits = {
    .handler_percent = 25, .lag_ms = 100, .lost_percent = 25, .memory_kib = 1'000, .dump_ms = 500};

class WatchdogsTest : public testing::Test {
 protected:
  WatchdogsTest() { watchdogs_.SetLimits(kCostLimits); }

  // One second of sampling, checked every 10 ms.
  bool Second(const Figures& more, uint64_t late_ms = 0) {
    for (int i = 0; i < 100; ++i) {
      EXPECT_FALSE(watchdogs_.IsDue());
      watchdogs_.Sampled(10 * kMs, late_ms * kMs);
    }
    EXPECT_TRUE(watchdogs_.IsDue());
    figures_.handler_ns += more.handler_ns;
    figures_.samples += more.samples;
    figures_.lost += more.lost;
    figures_.memory_bytes = more.memory_bytes;
    return watchdogs_.Judge(figures_);
  }
  // Two such seconds; true if the second one trips a watchdog.
  bool Bites(const Figures& more, uint64_t late_ms = 0) {
    EXPECT_FALSE(Second(more, late_ms));
    return Second(more, late_ms);
  }
  Counted counted_;
  Watchdogs watchdogs_;
  Figures figures_;
};

TEST_F(WatchdogsTest, EachBitesAfterTwoSecondsOverItsLimitAndSaysWhy) {
  struct Row {
    Figures more;
    uint64_t late_ms;
    const char* why;
    Counter counter;
  };
  const Row rows[] = {
      {{.handler_ns = 311 * kMs, .samples = 100},
       0,
       "the handler took 31 % of the sampled time (limit 25 %)",
       Counter::kWatchdogHandlerTime},
      {{}, 150, "the collector was 150 ms late (limit 100 ms)", Counter::kWatchdogCollectorLag},
      {{.samples = 60, .lost = 40},
       0,
       "for 40 % of the samples the ring was full (limit 25 %)",
       Counter::kWatchdogRingOverflow},
      {{.memory_bytes = 2'000 * 1'024},
       0,
       "memory was 2000 KiB (limit 1000 KiB)",
       Counter::kWatchdogMemory},
  };
  uint32_t bites = 0;
  for (const Row& row : rows) {
    EXPECT_TRUE(Bites(row.more, row.late_ms)) << row.why;
    EXPECT_EQ(watchdogs_.doublings(), ++bites);
    EXPECT_EQ(watchdogs_.why(), row.why);
    EXPECT_EQ(counted_.Of(row.counter), 1U);
    EXPECT_EQ(core::Counters::Read(Counter::kIntervalDoublings), bites);
    EXPECT_FALSE(Second({})) << "it looks at what is new only";
  }
  EXPECT_FALSE(watchdogs_.is_over());
}

TEST_F(WatchdogsTest, NothingBitesAtItsLimitNorForOneSecondAlone) {
  const Figures at_limit = {
      .handler_ns = 250 * kMs, .samples = 75, .lost = 25, .memory_bytes = 1'000 * 1'024};
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(Second(at_limit, 100));
  EXPECT_FALSE(watchdogs_.JudgeDump(500 * kMs));
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(Second({.handler_ns = 900 * kMs, .samples = 1, .lost = 99}, 900));
    EXPECT_FALSE(Second({}));
  }
  EXPECT_EQ(watchdogs_.doublings(), 0U);
}

TEST_F(WatchdogsTest, FewSamplesAndFewLooksSayNothing) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(Second({.samples = 1, .lost = 14}));
    watchdogs_.Sampled(2'000 * kMs, 1'900 * kMs);
    EXPECT_TRUE(watchdogs_.IsDue());
    EXPECT_FALSE(watchdogs_.Judge(figures_));
  }
}

TEST_F(WatchdogsTest, ADumpBitesByItself) {
  EXPECT_TRUE(watchdogs_.JudgeDump(501 * kMs));
  EXPECT_EQ(watchdogs_.why(), "a dump took 501 ms (limit 500 ms)");
  EXPECT_EQ(counted_.Of(Counter::kWatchdogDumpTime), 1U);
}

TEST_F(WatchdogsTest, TheRateIsLoweredFourTimesBeforeItEndsAndThenNobodyBites) {
  const Figures bad = {.handler_ns = 900 * kMs, .samples = 100};
  for (uint32_t i = 1; i <= Watchdogs::kMostDoublings; ++i) {
    EXPECT_TRUE(Bites(bad));
    EXPECT_EQ(watchdogs_.doublings(), i);
    EXPECT_FALSE(watchdogs_.is_over());
  }
  EXPECT_TRUE(Bites(bad));
  EXPECT_EQ(watchdogs_.doublings(), Watchdogs::kMostDoublings);
  EXPECT_TRUE(watchdogs_.is_over());
  EXPECT_FALSE(Bites(bad));
  EXPECT_FALSE(watchdogs_.JudgeDump(UINT64_MAX));
  EXPECT_EQ(counted_.Of(Counter::kWatchdogHandlerTime), 5U);
}

TEST_F(WatchdogsTest, ALimitOfZeroWatchesNothing) {
  watchdogs_.SetLimits({});
  const Figures bad = {
      .handler_ns = 1'000 * kMs, .samples = 0, .lost = 1'000, .memory_bytes = UINT64_MAX};
  EXPECT_FALSE(Bites(bad, 10'000));
  EXPECT_FALSE(watchdogs_.JudgeDump(UINT64_MAX));
}

TEST_F(WatchdogsTest, OtherLimitsBeginAtTheWholeRateAndTheSameDoNot) {
  const Figures slow = {.handler_ns = 311 * kMs, .samples = 100};
  EXPECT_TRUE(Bites(slow));
  watchdogs_.SetLimits(kCostLimits);
  EXPECT_EQ(watchdogs_.doublings(), 1U);
  CostLimits other = kCostLimits;
  other.handler_percent = 30;
  watchdogs_.SetLimits(other);
  EXPECT_EQ(watchdogs_.doublings(), 0U);
  for (uint32_t i = 0; i <= Watchdogs::kMostDoublings; ++i) EXPECT_TRUE(Bites(slow));
  ASSERT_TRUE(watchdogs_.is_over());
  watchdogs_.SetLimits(kCostLimits);
  EXPECT_TRUE(watchdogs_.is_over()) << "what has ended stays so";
}

}  // namespace
}  // namespace stillframe::health
