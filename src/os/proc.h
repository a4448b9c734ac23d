// SPDX-License-Identifier: Apache-2.0
// What /proc tells about this process.
// Context: any thread but the watched one; blocks on system calls
#pragma once

#include <cstdint>
#include <string>

namespace stillframe::os {

// Thread id of the first thread with this name (at most 15 bytes count); 0 when there is none.
int32_t FindThreadByName(const char* name);

// Its name as the kernel has it, at most 15 bytes; empty when there is no such thread.
std::string ThreadName(int32_t tid);

// Whether a thread of this process has this signal blocked; false when it cannot be told.
bool ThreadBlocks(int32_t tid, int signal);

// The letter of /proc/PID/stat for a thread of this process: 'R' runs or waits for a CPU, 'S'
// sleeps, 'X' is not there; '?' when it cannot be told.
char SchedulerState(int32_t tid);

// Whether a thread of this process runs no more. The main thread's entry stays in /proc as a
// zombie.
bool ThreadHasEnded(int32_t tid);

struct AddressRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

// The main thread's stack as it may grow to, by the mapping [stack] and RLIMIT_STACK. Empty on
// failure.
AddressRange MainStack();

// argv[0] of this process; empty on failure.
std::string ProcessName();

}  // namespace stillframe::os
