// SPDX-License-Identifier: Apache-2.0
// Device and process facts that Matrix reports beside a stack.
// Source: Tencent/matrix, matrix-android-lib, DeviceUtil.java (getLevel).
#pragma once

#include <cstdint>

namespace stillframe::context {

struct DeviceClass {
  const char* level;      // "BEST", "HIGH", "MIDDLE", "LOW", "BAD"
  uint64_t memory_bytes;  // of the device
};
DeviceClass ReadDeviceClass();
// From total memory and the number of CPUs.
const char* LevelOf(uint64_t memory_bytes, long cpus);

// True if oom_score_adj is 0: the foreground application, or a process that is not an
// application's.
bool IsInForeground();
// Nice value of the main thread.
int NiceOfProcess();

}  // namespace stillframe::context
