// SPDX-License-Identifier: Apache-2.0
// A timer on a thread's CPU clock: it signals that thread, while it runs, and never while it
// sleeps.
#include "src/os/thread_timer.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "src/core/clock.h"

namespace stillframe::os {
namespace {

constexpr uint64_t kNsPerMs = 1'000'000;

std::atomic<uint32_t> g_signals{0};
std::atomic<int32_t> g_last_tid{0};
std::atomic<void*> g_last_value{nullptr};
std::atomic<int> g_last_code{0};

void OnSignal(int, siginfo_t* info, void*) {
  g_last_tid = gettid();
  g_last_value = info->si_value.sival_ptr;
  g_last_code = info->si_code;
  g_signals.fetch_add(1);
}

class ThreadTimerTest : public testing::Test {
 protected:
  ThreadTimerTest() {
    struct sigaction action = {};
    action.sa_sigaction = OnSignal;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGPROF, &action, nullptr);
    g_signals = 0;
  }

  // CPU time: a busy machine makes it last longer.
  static void BurnNs(uint64_t ns) {
    const uint64_t until = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID) + ns;
    while (core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID) < until) {
    }
  }
  static int SleepNs(uint64_t ns) {
    const timespec time{0, static_cast<long>(ns)};
    return nanosleep(&time, nullptr);
  }
};

TEST_F(ThreadTimerTest, SignalsTheThreadThatRuns) {
  std::atomic<int32_t> tid{0};
  std::atomic<bool> done{false};
  std::thread busy([&] {
    tid = gettid();
    while (!done) core::MonotonicNs();
  });
  while (tid == 0) std::this_thread::yield();
  int cookie = 0;
  ThreadTimer timer;
  ASSERT_EQ(timer.Create(core::ThreadCpuClock(tid), tid, &cookie), 0);
  EXPECT_FALSE(timer.is_armed());
  ASSERT_EQ(timer.Arm(1, 5 * kNsPerMs), 0);
  EXPECT_TRUE(timer.is_armed());
  const uint64_t give_up_ns = core::MonotonicNs() + 10'000 * kNsPerMs;
  while (g_signals < 3 && core::MonotonicNs() < give_up_ns) SleepNs(kNsPerMs);
  ASSERT_EQ(timer.Disarm(), 0);
  EXPECT_FALSE(timer.is_armed());
  done = true;
  busy.join();
  EXPECT_GE(g_signals, 3U);
  EXPECT_EQ(g_last_tid, tid);
  EXPECT_EQ(g_last_value, &cookie);
  EXPECT_EQ(g_last_code, SI_TIMER);
}

TEST_F(ThreadTimerTest, LeavesASleeperAlone) {
  int cookie = 0;
  ThreadTimer timer;
  ASSERT_EQ(timer.Create(CLOCK_THREAD_CPUTIME_ID, gettid(), &cookie), 0);
  ASSERT_EQ(timer.Arm(kNsPerMs, kNsPerMs), 0);
  // The kernel checks CPU clocks only at its ticks, and on a busy machine this thread may miss
  // many.
  for (int i = 0; i < 200 && g_signals == 0; ++i) BurnNs(10 * kNsPerMs);
  const uint64_t begin_ns = core::MonotonicNs();
  EXPECT_EQ(SleepNs(100 * kNsPerMs), 0) << "the sleep was interrupted";
  EXPECT_GE(core::MonotonicNs() - begin_ns, 100 * kNsPerMs);
  ASSERT_EQ(timer.Disarm(), 0);
  EXPECT_GT(g_signals, 0U);
}

TEST_F(ThreadTimerTest, DisarmedIsQuiet) {
  int cookie = 0;
  ThreadTimer timer;
  ASSERT_EQ(timer.Create(CLOCK_MONOTONIC, gettid(), &cookie), 0);
  ASSERT_EQ(timer.Arm(1, kNsPerMs), 0);
  BurnNs(10 * kNsPerMs);
  ASSERT_EQ(timer.Disarm(), 0);
  const uint32_t signals = g_signals;
  EXPECT_GT(signals, 0U);
  BurnNs(20 * kNsPerMs);
  EXPECT_EQ(g_signals, signals);
}

TEST_F(ThreadTimerTest, EachArmingOfTwoThatAlternateHasTheOtherCookie) {
  char cookies[2];
  AlternatingTimer timer;
  ASSERT_EQ(timer.Create(CLOCK_THREAD_CPUTIME_ID, gettid(), &cookies[0], &cookies[1]), 0);
  const void* last = nullptr;
  for (int i = 0; i < 4; ++i) {
    const void* next = timer.next_cookie();
    EXPECT_NE(next, last);
    ASSERT_EQ(timer.Arm(1, kNsPerMs), 0);  // starting again disarms the previous one
    EXPECT_TRUE(timer.is_armed());
    g_signals = 0;
    for (int wait = 0; wait < 1'000 && g_signals < 3; ++wait) BurnNs(kNsPerMs);
    EXPECT_GE(g_signals, 3U);
    EXPECT_EQ(g_last_value, next);
    last = next;
  }
  ASSERT_EQ(timer.Disarm(), 0);
  EXPECT_FALSE(timer.is_armed());
}

TEST_F(ThreadTimerTest, SaysWhyItCannotBeMade) {
  ThreadTimer timer;
  EXPECT_EQ(timer.Create(CLOCK_MONOTONIC, 1, nullptr), EINVAL) << "a thread of another process";
}

}  // namespace
}  // namespace stillframe::os
