// SPDX-License-Identifier: Apache-2.0
// An hour's tokens at once, then as many as time brings.
#include "src/jank/token_bucket.h"

#include <gtest/gtest.h>

namespace stillframe::jank {
namespace {

constexpr uint64_t kMinuteNs = 60 * os::kNsPerSecond;

uint32_t TakeAll(TokenBucket* bucket, uint64_t now_ns) {
  uint32_t taken = 0;
  while (bucket->Take(now_ns) == 0) ++taken;
  return taken;
}

TEST(TokenBucket, GivesAnHoursTokensAtOnceAndThenOneAtATime) {
  TokenBucket bucket;
  bucket.SetPerHour(60);
  EXPECT_EQ(TakeAll(&bucket, 5), 60U);
  EXPECT_EQ(bucket.Take(5), kMinuteNs);
  EXPECT_EQ(bucket.Take(5 + kMinuteNs / 2), kMinuteNs / 2);
  EXPECT_EQ(TakeAll(&bucket, 5 + kMinuteNs), 1U);
  EXPECT_EQ(TakeAll(&bucket, 5 + 11 * kMinuteNs), 10U);
}

TEST(TokenBucket, SavesNoMoreThanAnHours) {
  TokenBucket bucket;
  bucket.SetPerHour(7);
  EXPECT_EQ(TakeAll(&bucket, 1'000 * kMinuteNs), 7U);
  EXPECT_EQ(TakeAll(&bucket, 100'000 * kMinuteNs), 7U);
}

TEST(TokenBucket, AnotherNumberIsNoNewHour) {
  TokenBucket bucket;
  bucket.SetPerHour(60);
  EXPECT_EQ(TakeAll(&bucket, 1), 60U);
  bucket.SetPerHour(3'600);
  EXPECT_EQ(TakeAll(&bucket, 1), 0U);
  EXPECT_EQ(TakeAll(&bucket, 1 + os::kNsPerSecond), 1U);
}

TEST(TokenBucket, AClockThatGoesBackGivesNothing) {
  TokenBucket bucket;
  bucket.SetPerHour(1);
  EXPECT_EQ(TakeAll(&bucket, 10 * kMinuteNs), 1U);
  EXPECT_EQ(TakeAll(&bucket, kMinuteNs), 0U);
  EXPECT_EQ(TakeAll(&bucket, 69 * kMinuteNs), 0U);
  EXPECT_EQ(TakeAll(&bucket, 71 * kMinuteNs), 1U);
}

}  // namespace
}  // namespace stillframe::jank
