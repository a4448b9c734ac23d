// SPDX-License-Identifier: Apache-2.0
// An alarm comes when another thread has run, never while it sleeps.
#include "src/os/cpu_alarm.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "src/core/clock.h"
#include "src/os/duration.h"
#include "tests/unit/test_waker.h"

namespace stillframe::os {
namespace {

// A thread that computes on request, and sleeps otherwise.
class CpuAlarmTest : public testing::Test {
 protected:
  CpuAlarmTest() : watched_([this] { Work(); }) {
    while (tid_ == 0) std::this_thread::yield();
  }
  ~CpuAlarmTest() override {
    turns_ = -1;
    turns_.notify_all();
    watched_.join();
  }
  void RunFor20Ms() {
    const int turn = ++turns_;
    turns_.notify_all();
    while (done_ != turn) std::this_thread::yield();
  }
  bool HasCome(uint64_t within_ms) const { return waker_.IsWoken(within_ms * kNsPerMs); }
  // The kernel checks at its ticks; on a busy machine these may miss the thread's time on a CPU.
  bool ComesWhileTheThreadRuns() {
    for (int turns = 0; turns < 100; ++turns) {
      RunFor20Ms();
      if (HasCome(20)) return true;
    }
    return false;
  }
  int32_t tid() const { return tid_; }

  TestWaker waker_;

 private:
  void Work() {
    tid_ = gettid();
    for (int turn = 0; turn >= 0; turn = turns_) {
      const uint64_t end_ns = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID) + 20 * kNsPerMs;
      while (turn != 0 && core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID) < end_ns) {
      }
      done_ = turn;
      turns_.wait(turn);
    }
  }
  std::atomic<int32_t> tid_{0};
  std::atomic<int> turns_{0};
  std::atomic<int> done_{0};
  std::thread watched_;
};

TEST_F(CpuAlarmTest, ComesWhenTheThreadHasRun) {
  CpuAlarm alarm;
  ASSERT_EQ(alarm.Open(tid()), 0);
  alarm.Arm(2 * kNsPerMs);
  EXPECT_FALSE(HasCome(100)) << "it sleeps";
  EXPECT_TRUE(ComesWhileTheThreadRuns());
  alarm.Disarm();
  EXPECT_FALSE(HasCome(0));
  RunFor20Ms();
  EXPECT_FALSE(HasCome(0)) << "once";
}

TEST_F(CpuAlarmTest, DoesNotComeWhenDisarmed) {
  CpuAlarm alarm;
  ASSERT_EQ(alarm.Open(tid()), 0);
  alarm.Arm(2 * kNsPerMs);
  alarm.Disarm();
  RunFor20Ms();
  EXPECT_FALSE(HasCome(0));
  alarm.Arm(2 * kNsPerMs);
  EXPECT_TRUE(ComesWhileTheThreadRuns()) << "armed again";
}

TEST_F(CpuAlarmTest, SaysThatThereIsNoSuchThread) {
  CpuAlarm alarm;
  EXPECT_NE(alarm.Open(1), 0) << "of another process";
  alarm.Arm(1);
  alarm.Disarm();
}

}  // namespace
}  // namespace stillframe::os
