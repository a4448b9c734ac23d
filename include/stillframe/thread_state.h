// SPDX-License-Identifier: Apache-2.0
// A thread's state as the runtime reports it: shared by the walk, trees and the dump format.
// Context: any thread
#pragma once

#include <cstdint>

#include <stillframe/enum_table.h>

namespace stillframe::model {

// State when the stack was taken. Values are part of the dump format: never renumber.
enum class ThreadState : uint8_t {
  kUnknown = 0,
  kRunnable = 1,
  kNative = 2,
  kWaiting = 3,
  kTimedWaiting = 4,
  kSleeping = 5,
  kBlocked = 6,  // on a monitor
  kSuspended = 7,
  kOther = 8,
  // Since 1.5:
  kWaitingForGc = 9,        // another thread collects garbage
  kCollecting = 10,         // this thread collects garbage
  kWaitingForClass = 11,    // another thread loads or initialises a class
  kWaitingForLibrary = 12,  // another thread loads a native library
};

}  // namespace stillframe::model

namespace stillframe {

template <>
inline constexpr EnumTable<model::ThreadState, 13> kTableOf<model::ThreadState> = {
    model::ThreadState::kUnknown,
    {{"unknown", "in an unknown state", "other"},
     {"runnable", "running", "app"},
     {"native", "in native code", "native"},
     {"waiting", "waiting", "waiting"},
     {"timed-waiting", "waiting with a time-out", "waiting"},
     {"sleeping", "sleeping", "sleeping"},
     {"blocked", "blocked on a lock", "blocked"},
     {"suspended", "suspended", "runtime"},
     {"other", "in another state", "runtime"},
     {"waiting-for-gc", "waiting for the garbage collector", "runtime"},
     {"collecting", "collecting garbage", "runtime"},
     {"waiting-for-class", "waiting for a class that another thread loads or initialises",
      "waiting"},
     {"waiting-for-library", "waiting for a native library that another thread loads", "waiting"}}};

}  // namespace stillframe
