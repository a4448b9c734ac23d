// SPDX-License-Identifier: Apache-2.0
// Events that end the collector's sleep. Freezes are tested by freeze_watch_test and the
// situations.
#include "src/collector/collector_sleep.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "src/core/clock.h"
#include "src/os/duration.h"
#include "src/os/own_descriptor.h"
#include "tests/unit/test_waker.h"

namespace stillframe::collector {
namespace {

using os::kNsPerMs;
using os::kNsPerSecond;

class CollectorSleepTest : public testing::Test {
 protected:
  void SetUp() override {
    sleep_.Open();
    sleep_.WatchForFreezes(3'600 * kNsPerSecond);
  }

  TestWaker blocks_;
  core::Waker waker_;
  CollectorSleep sleep_{&waker_};
  history::FreezeWatch::Freeze freeze_ = {};
};

TEST_F(CollectorSleepTest, LastsAsLongAsAsked) {
  const uint64_t begin_ns = core::MonotonicNs();
  EXPECT_FALSE(sleep_.For({20 * kNsPerMs, false}, &freeze_));
  EXPECT_GE(core::MonotonicNs() - begin_ns, 20 * kNsPerMs);
}

TEST_F(CollectorSleepTest, AWakeUpEndsItOnce) {
  sleep_.Wake();
  sleep_.Wake();
  EXPECT_FALSE(sleep_.For({UINT64_MAX, false}, &freeze_)) << "two wake-ups before a sleep are one";
  const uint64_t begin_ns = core::MonotonicNs();
  sleep_.For({20 * kNsPerMs, false}, &freeze_);
  EXPECT_GE(core::MonotonicNs() - begin_ns, 20 * kNsPerMs);
}

TEST_F(CollectorSleepTest, AnotherThreadEndsASleepWithoutEnd) {
  std::thread waker([this] { sleep_.Wake(); });
  EXPECT_FALSE(sleep_.For({UINT64_MAX, false}, &freeze_));
  waker.join();
}

TEST_F(CollectorSleepTest, SomethingToReadEndsIt) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  os::OwnDescriptor input;
  ASSERT_TRUE(input.Take(ends[0]));
  ASSERT_EQ(input.SignalOnInput(core::kWakeSignal), 0);
  ASSERT_EQ(write(ends[1], "x", 1), 1);
  EXPECT_FALSE(sleep_.For({UINT64_MAX, false}, &freeze_));
  close(ends[1]);
}

TEST_F(CollectorSleepTest, AWakeUpDuringARestIsNotLostToItsAlarm) {
  sleep_.WatchMainThread(gettid());
  sleep_.Wake();
  EXPECT_FALSE(sleep_.For({UINT64_MAX, true}, &freeze_));
  std::thread waker([this] { sleep_.Wake(); });
  EXPECT_FALSE(sleep_.For({UINT64_MAX, true}, &freeze_));
  waker.join();
}

}  // namespace
}  // namespace stillframe::collector
