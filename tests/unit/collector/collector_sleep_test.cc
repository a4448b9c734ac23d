// SPDX-License-Identifier: Apache-2.0
// What ends the collector's sleep. Freezes are the tests' of the freeze watch and of situations.
#include "src/collector/collector_sleep.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <thread>

#include "src/core/clock.h"
#include "src/os/duration.h"

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

  CollectorSleep sleep_;
  history::FreezeWatch::Freeze freeze_ = {};
};

TEST_F(CollectorSleepTest, LastsAsLongAsAsked) {
  const uint64_t begin_ns = core::MonotonicNs();
  EXPECT_FALSE(sleep_.For({20 * kNsPerMs, -1, -1, false}, &freeze_));
  EXPECT_GE(core::MonotonicNs() - begin_ns, 20 * kNsPerMs);
}

TEST_F(CollectorSleepTest, AWakeUpEndsItOnce) {
  sleep_.Wake();
  sleep_.Wake();
  EXPECT_FALSE(sleep_.For({UINT64_MAX, -1, -1, false}, &freeze_))
      << "two wake-ups before a sleep are one";
  const uint64_t begin_ns = core::MonotonicNs();
  sleep_.For({20 * kNsPerMs, -1, -1, false}, &freeze_);
  EXPECT_GE(core::MonotonicNs() - begin_ns, 20 * kNsPerMs);
}

TEST_F(CollectorSleepTest, AnotherThreadEndsASleepWithoutEnd) {
  std::thread waker([this] { sleep_.Wake(); });
  EXPECT_FALSE(sleep_.For({UINT64_MAX, -1, -1, false}, &freeze_));
  waker.join();
}

TEST_F(CollectorSleepTest, AReadableListenerEndsItAndDoesNotBlock) {
  const int listener = eventfd(1, EFD_CLOEXEC);
  EXPECT_FALSE(sleep_.For({UINT64_MAX, listener, -1, false}, &freeze_));
  close(listener);
}

}  // namespace
}  // namespace stillframe::collector
