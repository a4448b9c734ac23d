// SPDX-License-Identifier: Apache-2.0
// A waker of the test's own thread, in the collector's place.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdint>

#include "src/core/waker.h"
#include "src/os/duration.h"

namespace stillframe {

class TestWaker {
 public:
  TestWaker() {
    sigemptyset(&set_);
    sigaddset(&set_, core::kWakeSignal);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    // Drops wake-ups left by the previous test.
    while (IsWoken()) {
    }
    waker_.Start();
  }
  TestWaker(const TestWaker&) = delete;
  TestWaker& operator=(const TestWaker&) = delete;

  const core::Waker* get() const { return &waker_; }

  // Whether a wake-up comes within this time; takes it. On the thread that made this.
  bool IsWoken(uint64_t within_ns = 0) const {
    const timespec time = os::TimespecOf(within_ns);
    return sigtimedwait(&set_, nullptr, &time) == core::kWakeSignal;
  }

 private:
  sigset_t set_;
  core::Waker waker_;
};

}  // namespace stillframe
