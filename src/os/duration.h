// SPDX-License-Identifier: Apache-2.0
// Durations in nanoseconds, and as system calls take them.
// Context: any thread and signal
#pragma once

#include <time.h>

#include <cstdint>

namespace stillframe::os {

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr uint64_t kNsPerSecond = 1'000'000'000;
constexpr int64_t kSecondsPerDay = 86'400;

// Whole microseconds from one time to a later one, at most UINT32_MAX; 0: it is not later.
constexpr uint32_t ElapsedUs(uint64_t from_ns, uint64_t at_ns) {
  const uint64_t us = at_ns > from_ns ? (at_ns - from_ns) / 1'000 : 0;
  return us < UINT32_MAX ? static_cast<uint32_t>(us) : UINT32_MAX;
}

inline timespec TimespecOf(uint64_t ns) {
  return {static_cast<time_t>(ns / kNsPerSecond), static_cast<long>(ns % kNsPerSecond)};
}

// Blocks the calling thread; a signal ends it early.
inline void SleepMs(uint64_t ms) {
  const timespec time = TimespecOf(ms * kNsPerMs);
  nanosleep(&time, nullptr);
}

}  // namespace stillframe::os
