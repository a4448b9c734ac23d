// SPDX-License-Identifier: Apache-2.0
// The display's refresh interval, as the main thread's Choreographer has it.
// Source: AOSP 8-14, core/java/android/view/Choreographer.java: mFrameIntervalNanos of the main
// thread's own, which mMainInstance holds (since 9).
// Context: any attached thread; reads fields only, yet enters the VM
#pragma once

#include <cstdint>

#include "src/art/vm.h"

namespace stillframe::jvm {

// In nanoseconds; 0 when it cannot be read.
uint64_t ReadRefreshInterval(const art::AttachedThread& thread);

}  // namespace stillframe::jvm
