// SPDX-License-Identifier: Apache-2.0
// When the collector falls asleep, and what keeps it awake.
#include "src/sampling/collector_rest.h"

#include <gtest/gtest.h>

namespace stillframe::sampling {
namespace {

constexpr uint64_t kBegin = 5'000'000'000;
constexpr uint64_t kIdle = CollectorRest::kIdleNs;

TEST(CollectorRest, LooksOnceMoreBeforeItSleeps) {
  using State = CollectorRest::State;
  CollectorRest rest;
  EXPECT_EQ(rest.Tick(1, false, kBegin), State::kAwake);
  EXPECT_EQ(rest.Tick(1, false, kBegin + kIdle - 1), State::kAwake);
  EXPECT_EQ(rest.Tick(1, false, kBegin + kIdle), State::kLastLook);
  EXPECT_EQ(rest.Tick(1, false, kBegin + kIdle + 1), State::kAsleep);
  EXPECT_EQ(rest.Tick(1, false, kBegin + 9 * kIdle), State::kAsleep);
}

TEST(CollectorRest, AMessageSinceTheLastTickWakesIt) {
  using State = CollectorRest::State;
  CollectorRest rest;
  rest.Tick(1, false, kBegin);
  EXPECT_EQ(rest.Tick(1, false, kBegin + kIdle), State::kLastLook);
  EXPECT_EQ(rest.Tick(2, false, kBegin + kIdle + 1), State::kAwake) << "seen by the last look";
  EXPECT_EQ(rest.Tick(2, false, kBegin + 2 * kIdle), State::kAwake);
  EXPECT_EQ(rest.Tick(2, false, kBegin + 2 * kIdle + 1), State::kLastLook);
}

TEST(CollectorRest, ARunningMessageKeepsItAwake) {
  CollectorRest rest;
  for (uint64_t i = 0; i < 10; ++i)
    EXPECT_EQ(rest.Tick(1, true, kBegin + i * kIdle), CollectorRest::State::kAwake);
}

}  // namespace
}  // namespace stillframe::sampling
