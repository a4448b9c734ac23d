// SPDX-License-Identifier: Apache-2.0
// The context in which this kernel's timers expire. Wall-clock timers expire in interrupts on every
// kernel, as CPU-clock timers do on older ones. They represent those here.
#include "src/os/timer_context.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>
#include <sys/utsname.h>

namespace stillframe::os {
namespace {

// The most frequent answer of nine tries: a thread that loses its CPU may get no answer.
TimerContext MostlyFound(clockid_t clock) {
  int found[3] = {};
  for (int i = 0; i < 9; ++i) ++found[static_cast<int>(FindTimerContext(clock))];
  const int interrupt = found[static_cast<int>(TimerContext::kInterrupt)];
  const int on_return = found[static_cast<int>(TimerContext::kReturn)];
  if (interrupt == on_return) return TimerContext::kUnknown;
  return interrupt > on_return ? TimerContext::kInterrupt : TimerContext::kReturn;
}

// Losing the CPU between two clock reads looks like the other answer: one undisturbed round is
// enough.
bool IsFoundOnce(clockid_t clock, TimerContext expected) {
  for (int round = 0; round < 10; ++round)
    if (MostlyFound(clock) == expected) return true;
  return false;
}

TEST(TimerContextTest, TheWallClocksTimersExpireInTheInterrupt) {
  EXPECT_TRUE(IsFoundOnce(CLOCK_MONOTONIC, TimerContext::kInterrupt));
}

// CONFIG_POSIX_CPU_TIMERS_TASK_WORK is in force on x86 from 5.10 on.
TEST(TimerContextTest, ACpuClocksTimersExpireOnReturnWhereTheKernelSaysSo) {
  utsname system = {};
  int major = 0;
  int minor = 0;
  ASSERT_EQ(uname(&system), 0);
  ASSERT_EQ(sscanf(system.release, "%d.%d", &major, &minor), 2);
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer defers signals";
#endif
  const bool is_x86 = system.machine[0] == 'x' || system.machine[0] == 'i';
  if (!is_x86 || major * 100 + minor < 510) GTEST_SKIP() << "a kernel that may do either";
  EXPECT_TRUE(IsFoundOnce(CLOCK_THREAD_CPUTIME_ID, TimerContext::kReturn));
}

TEST(TimerContextTest, TheThreadsMaskStaysAndNoSignalIsLeft) {
  FindTimerContext(CLOCK_MONOTONIC);
  sigset_t now;
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, nullptr, &now), 0);
  EXPECT_EQ(sigismember(&now, SIGPROF), 0);
  ASSERT_EQ(sigpending(&now), 0);
  EXPECT_EQ(sigismember(&now, SIGPROF), 0);
}

}  // namespace
}  // namespace stillframe::os
