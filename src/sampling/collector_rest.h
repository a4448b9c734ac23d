// SPDX-License-Identifier: Apache-2.0
// When the collector may sleep until a message wakes it.
//
// Problem: a message that begins while the collector falls asleep must not be missed, and must not
// pay a system call while the collector looks by itself. Rule: after kIdleNs without a message the
// tap is told to wake the collector, which then looks once more: a message that still saw it awake
// has stored its token long before.
#pragma once

#include <cstdint>

namespace stillframe::sampling {

class CollectorRest {
 public:
  static constexpr uint64_t kIdleNs = 1'000'000'000;

  enum class State : uint8_t {
    kAwake,     // it looks by itself
    kLastLook,  // the next message wakes it; it looks once more
    kAsleep,    // until it is woken
  };

  // A tick saw `begun` messages so far, and whether one runs.
  State Tick(uint64_t begun, bool is_running, uint64_t now_ns) {
    if (begun != begun_ || is_running) {
      begun_ = begun;
      active_ns_ = now_ns;
      return state_ = State::kAwake;
    }
    if (now_ns - active_ns_ < kIdleNs) return state_ = State::kAwake;
    return state_ = state_ == State::kAwake ? State::kLastLook : State::kAsleep;
  }

 private:
  State state_ = State::kAwake;
  uint64_t begun_ = 0;
  uint64_t active_ns_ = 0;
};

}  // namespace stillframe::sampling
