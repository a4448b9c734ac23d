// SPDX-License-Identifier: Apache-2.0
// The two clocks a sample carries.
#pragma once

#include <time.h>

#include <cstdint>

namespace stillframe::core {

// CLOCK_MONOTONIC; no system call where the kernel offers a vDSO.
inline uint64_t MonotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<uint64_t>(now.tv_nsec);
}

// CPU time of a thread; 0 if it cannot be read. One system call.
inline uint64_t CpuClockNs(clockid_t clock) {
  timespec now;
  if (clock_gettime(clock, &now) != 0) return 0;
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<uint64_t>(now.tv_nsec);
}

// The CPU clock of any thread of this process (kernel ABI, include/linux/posix-timers.h:
// CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED).
inline clockid_t ThreadCpuClock(int32_t tid) {
  return static_cast<clockid_t>((~static_cast<uint32_t>(tid) << 3) | 4U | 2U);
}

}  // namespace stillframe::core
