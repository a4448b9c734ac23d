// SPDX-License-Identifier: Apache-2.0
// The display's refresh interval, as the main thread's Choreographer has it.
// Source: AOSP 8-17, core/java/android/view/Choreographer.java: mFrameIntervalNanos of the main
// thread's own, which mMainInstance holds (9 to 16) or sMainInstance (since 17).
// Context: any attached thread; reads fields only, yet enters the VM
#pragma once

#include <cstdint>

#include "src/art/vm.h"

namespace stillframe::jvm {

// In nanoseconds; 0 when it cannot be read.
uint64_t ReadRefreshInterval(const art::AttachedThread& thread);

}  // namespace stillframe::jvm
