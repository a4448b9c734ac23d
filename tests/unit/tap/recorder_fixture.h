// SPDX-License-Identifier: Apache-2.0
// A recorder of the test's own thread, and what the collector takes out of it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <vector>

#include "src/core/clock.h"
#include "src/os/duration.h"
#include "src/tap/recorder.h"
#include "tests/unit/test_waker.h"

namespace stillframe::tap {

using os::kNsPerMs;

class RecorderTest : public testing::Test {
 protected:
  RecorderTest() { StartWith(5 * kNsPerMs); }

  void StartWith(uint64_t slow_ns) {
    thread_.tid = gettid();
    const HistoryLimits limits = {slow_ns, slow_ns, 300 * kNsPerMs, 1'000 * kNsPerMs};
    wake_up_.Start(waker_.get());
    recorder_->Start({&thread_, limits, &wake_up_, nullptr});
  }
  static void BurnMs(uint64_t ms) {
    const uint64_t until = core::MonotonicNs() + ms * kNsPerMs;
    while (core::MonotonicNs() < until) {
    }
  }
  bool IsWoken() const { return waker_.IsWoken(); }
  std::vector<EndedMessage> TakeAll() {
    std::vector<EndedMessage> all;
    EndedMessage message;
    while (recorder_->TakeEnded(&message)) all.push_back(message);
    return all;
  }
  // Dispatches a message from a frame further down the stack, as a nested loop does.
  [[gnu::noinline]] void DispatchNested(uint64_t ms) {
    volatile char further_down[512];
    further_down[0] = 1;
    recorder_->Begin();
    BurnMs(ms);
    if ((recorder_->End() & Recorder::kDescribe) != 0)
      recorder_->Describe("inner", "", 2, 0, false);
    further_down[511] = further_down[0];
  }

  TestWaker waker_;
  WakeUpRequest wake_up_;
  core::WatchedThread thread_;
  std::unique_ptr<Recorder> recorder_ = std::make_unique<Recorder>();
};

}  // namespace stillframe::tap
