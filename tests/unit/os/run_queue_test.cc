// SPDX-License-Identifier: Apache-2.0
// The run-queue clock: the kernel's text, and a thread that waits for a CPU.
#include "src/os/run_queue.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <random>
#include <string>

namespace stillframe::os {
namespace {

TEST(RunQueue, TakesTheSecondNumber) {
  EXPECT_EQ(ParseSchedstat("68231047 512517640 42\n"), 512'517'640);
  EXPECT_EQ(ParseSchedstat("0 0 1\n"), 0);
}

TEST(RunQueue, OtherTextIsNoNumber) {
  for (const char* text :
       {"", " ", "5", "5 ", "5 6", "5 x 7", "5 -6 7", "5 99999999999999999999 7"})
    EXPECT_EQ(ParseSchedstat(text), -1) << text;
}

TEST(RunQueue, AnyTextIsRead) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string text(random() % 40, '\0');
    for (char& c : text) c = "0123456789 -\nx"[random() % 14];
    EXPECT_GE(ParseSchedstat(text), -1);
  }
}

TEST(RunQueue, ReadsThisThread) {
  RunQueueClock clock;
  EXPECT_EQ(clock.Read(), -1) << "not opened";
  clock.Open(gettid());
  const int64_t first = clock.Read();
  if (first < 0) GTEST_SKIP() << "the kernel does not tell (CONFIG_SCHED_INFO)";
  EXPECT_GE(clock.Read(), first);
  clock.Open(-1);
  EXPECT_EQ(clock.Read(), -1) << "no such thread";
}

TEST(RunQueue, OpensItsFileAgainWhereSomebodyClosedIt) {
  RunQueueClock clock;
  const int next = dup(0);
  close(next);
  clock.Open(gettid());
  if (clock.Read() < 0) GTEST_SKIP() << "the kernel does not tell (CONFIG_SCHED_INFO)";
  for (int i = 0; i < 3; ++i) {
    close(next);
    EXPECT_GE(clock.Read(), 0) << i;
  }
  close(next);
  EXPECT_EQ(clock.Read(), -1) << "not for ever";
}

}  // namespace
}  // namespace stillframe::os
