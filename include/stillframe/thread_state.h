// SPDX-License-Identifier: Apache-2.0
// What a thread does, by the runtime's own account: shared by the walk, trees and the dump format.
// Context: any thread
#pragma once

#include <cstdint>

namespace stillframe::trace {

// What the main thread did when the sample was taken. Values are part of the dump format.
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
};

}  // namespace stillframe::trace
