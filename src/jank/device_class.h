// SPDX-License-Identifier: Apache-2.0
// What Matrix reports of the device and the process beside a stack.
// Source: Tencent/matrix, matrix-android-lib, DeviceUtil.java (getLevel).
#pragma once

#include <cstdint>

namespace stillframe::jank {

struct DeviceClass {
  const char* level;      // "BEST", "HIGH", "MIDDLE", "LOW", "BAD"
  uint64_t memory_bytes;  // of the device
};
DeviceClass ReadDeviceClass();
// By all memory and the number of CPUs.
const char* LevelOf(uint64_t memory_bytes, long cpus);

// By oom_score_adj: 0 has who the user sees, and what is no application.
bool IsInForeground();
// Of the main thread.
int NiceOfProcess();

}  // namespace stillframe::jank
