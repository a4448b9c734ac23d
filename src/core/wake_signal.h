// SPDX-License-Identifier: Apache-2.0
// The signal that wakes the collector, see src/core/waker.h.
// Context: any thread and signal
#pragma once

#include <signal.h>

namespace stillframe::core {

constexpr int kWakeSignal = SIGSTKFLT;  // the kernel never sends it

}  // namespace stillframe::core
