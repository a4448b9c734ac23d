// SPDX-License-Identifier: Apache-2.0
// How often the system is asked, and for how long.
#include <gtest/gtest.h>

#include "src/anr/trigger_policy.h"

namespace stillframe::anr {
namespace {

TEST(ErrorStatePoll, IsDueEveryHalfSecondForTwentySeconds) {
  ErrorStatePoll poll;
  EXPECT_EQ(poll.SleepNs(1), UINT64_MAX);
  EXPECT_FALSE(poll.IsDue(1));
  uint64_t now_ns = 7'000'000'000;
  poll.Start(now_ns);
  EXPECT_FALSE(poll.IsDue(now_ns));
  int asked = 0;
  while (!poll.IsOver(now_ns)) {
    now_ns += poll.SleepNs(now_ns);
    asked += poll.IsDue(now_ns) ? 1 : 0;
    EXPECT_FALSE(poll.IsDue(now_ns));
  }
  EXPECT_EQ(asked, 40);
  poll.Stop();
  EXPECT_FALSE(poll.IsOver(now_ns));
  EXPECT_EQ(poll.SleepNs(now_ns), UINT64_MAX);
}

}  // namespace
}  // namespace stillframe::anr
