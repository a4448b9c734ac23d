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

// The activity of a thread in a state.
enum class Activity : uint8_t {
  kUnknown,
  kComputing,
  kNative,  // computing or waiting in native code
  kWaiting,
  kSleeping,
  kBlocked,
  kRuntime,  // held by the runtime
};

constexpr Activity ActivityOf(ThreadState state) {
  switch (state) {
    case ThreadState::kUnknown: return Activity::kUnknown;
    case ThreadState::kRunnable: return Activity::kComputing;
    case ThreadState::kNative: return Activity::kNative;
    case ThreadState::kWaiting:
    case ThreadState::kTimedWaiting:
    case ThreadState::kWaitingForClass:
    case ThreadState::kWaitingForLibrary: return Activity::kWaiting;
    case ThreadState::kSleeping: return Activity::kSleeping;
    case ThreadState::kBlocked: return Activity::kBlocked;
    case ThreadState::kSuspended:
    case ThreadState::kOther:
    case ThreadState::kWaitingForGc:
    case ThreadState::kCollecting: return Activity::kRuntime;
  }
  return Activity::kUnknown;
}

}  // namespace stillframe::model

namespace stillframe {

template <>
inline constexpr EnumTable<model::ThreadState, 13> kTableOf<model::ThreadState> = {
    model::ThreadState::kUnknown,
    {{"unknown", "in an unknown state"},
     {"runnable", "running"},
     {"native", "in native code"},
     {"waiting", "waiting"},
     {"timed-waiting", "waiting with a time-out"},
     {"sleeping", "sleeping"},
     {"blocked", "blocked on a lock"},
     {"suspended", "suspended"},
     {"other", "in another state"},
     {"waiting-for-gc", "waiting for the garbage collector"},
     {"collecting", "collecting garbage"},
     {"waiting-for-class", "waiting for a class that another thread loads or initialises"},
     {"waiting-for-library", "waiting for a native library that another thread loads"}}};

}  // namespace stillframe
