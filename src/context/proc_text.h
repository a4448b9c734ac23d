// SPDX-License-Identifier: Apache-2.0
// Parses texts of /proc. A truncated, empty or malformed text gives false, never a number that it
// does not contain.
// Source: Linux, Documentation/filesystems/proc.rst and Documentation/accounting/psi.rst.
// Context: any thread
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::context {

// /proc/self/stat and /proc/self/task/TID/stat.
struct TaskStat {
  std::string name;  // as the kernel has it: at most 15 bytes, any value
  char state = '?';
  uint64_t minor_faults = 0;
  uint64_t major_faults = 0;
  uint64_t user_ticks = 0;
  uint64_t system_ticks = 0;
  int32_t nice = 0;
  uint32_t threads = 0;
  uint64_t start_ticks = 0;  // after boot
};
bool ParseTaskStat(std::string_view text, TaskStat* stat);

// /proc/loadavg: over 1, 5 and 15 minutes, in thousandths.
bool ParseLoad(std::string_view text, std::array<uint64_t, 3>* milli);

// The first line of /proc/stat, in ticks of all cores.
struct SystemCpu {
  uint64_t busy = 0;    // neither idle nor waiting for I/O
  uint64_t iowait = 0;  // idle with I/O pending
  uint64_t total = 0;
};
bool ParseSystemCpu(std::string_view text, SystemCpu* cpu);

// /proc/pressure/{cpu,memory,io}: share of the last 10 s in which some or all tasks waited.
struct Pressure {
  uint64_t some_permille = 0;
  uint64_t full_permille = 0;
  bool has_full = false;  // false for the CPU on older kernels
};
bool ParsePressure(std::string_view text, Pressure* pressure);

// The number after a line's key, as in "VmRSS:  1788 kB" or "read_bytes: 0". kB becomes bytes.
bool FindNumber(std::string_view text, std::string_view key, uint64_t* value);

}  // namespace stillframe::context
