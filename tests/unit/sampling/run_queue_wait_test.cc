// SPDX-License-Identifier: Apache-2.0
// A message's run-queue wait from readings of clocks that are the test's own.
#include "src/sampling/run_queue_wait.h"

#include <gtest/gtest.h>

#include "src/model/document.h"

namespace stillframe::sampling {
namespace {

constexpr int64_t kNoReading = -1;
constexpr core::RunningMessage kMessage = {.token = Token{7}, .start_ns = 1'000, .start_cpu_ns = 0};

TEST(RunQueueWait, IsCountedFromTheReadingNearestToTheStart) {
  RunQueueWait wait;
  wait.Note(100, 10);
  wait.Note(900, 50);
  wait.Note(1'200, 80);
  EXPECT_EQ(wait.Since(1'000, 300), 250);
  EXPECT_EQ(wait.Since(1'100, 300), 220);
  EXPECT_EQ(wait.Since(5'000, 300), 220);
}

TEST(RunQueueWait, OfAnOldMessageStartsAtTheOldestReadingThatIsKept) {
  RunQueueWait wait;
  for (uint64_t i = 1; i <= 6; ++i) wait.Note(i * 100, static_cast<int64_t>(i));
  EXPECT_EQ(wait.Since(100, 10), 10 - 3) << "four readings are kept";
}

TEST(RunQueueWait, IsUnknownWithoutTheKernelsClock) {
  RunQueueWait wait;
  EXPECT_EQ(wait.Since(1'000, 300), model::kTimeUnknown) << "no reading";
  wait.Note(900, kNoReading);
  EXPECT_EQ(wait.Since(1'000, 300), model::kTimeUnknown);
  wait.Note(1'000, 50);
  EXPECT_EQ(wait.Since(1'000, kNoReading), model::kTimeUnknown);
  EXPECT_EQ(wait.WaitedNs(kMessage, {2'000, kNoReading, 0, true}), model::kTimeUnknown);
}

TEST(RunQueueWait, OfTheRunningMessageHasTheWaitThatGoesOn) {
  RunQueueWait wait;
  wait.Note(1'000, 50);
  wait.NoteTick(kMessage.token, 1'500, 400);
  wait.NoteTick(kMessage.token, 1'600, 400);  // it has not run since
  EXPECT_EQ(wait.WaitedNs(kMessage, {1'900, 60, 400, true}), 10 + 400);
  EXPECT_EQ(wait.WaitedNs(kMessage, {1'900, 60, 400, false}), 10) << "it sleeps";
  EXPECT_EQ(wait.WaitedNs(kMessage, {1'900, 60, 401, true}), 10) << "it runs";
  const core::RunningMessage next = {.token = Token{8}, .start_ns = 1'000, .start_cpu_ns = 0};
  EXPECT_EQ(wait.WaitedNs(next, {1'900, 60, 400, true}), 10) << "no tick has seen this one";
}

TEST(RunQueueWait, OfTheRunningMessageIsAtMostItsAge) {
  RunQueueWait wait;
  wait.Note(1'000, 0);
  EXPECT_EQ(wait.WaitedNs(kMessage, {1'300, 900, 0, false}), 300);
}

}  // namespace
}  // namespace stillframe::sampling
