// SPDX-License-Identifier: Apache-2.0
// Facts about this process from /proc.
// Context: any thread but the watched one; blocks on system calls
#pragma once

#include <cstdint>
#include <string>

namespace stillframe::os {

// Thread id of the first thread with this name (first 15 bytes); 0: none.
int32_t FindThreadByName(const char* name);

// The thread's name, at most 15 bytes; empty: no such thread.
std::string ThreadName(int32_t tid);

// Whether a thread of this process has this signal blocked; false if unknown.
bool ThreadBlocks(int32_t tid, int signal);

// State letter from /proc/PID/stat for a thread of this process: 'R' runs or waits for a CPU, 'S'
// sleeps, 'X' does not exist; '?': unknown.
char SchedulerState(int32_t tid);

// Whether a thread of this process has ended. The main thread's entry stays in /proc as a zombie.
bool ThreadHasEnded(int32_t tid);

struct AddressRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

// The range that the main thread's stack may grow to, from its mapping and RLIMIT_STACK. Empty on
// failure.
AddressRange MainStack();

// argv[0] of this process; empty on failure.
std::string ProcessName();

// Whether a process that this one descends from has a file mapped whose name begins so, such as a
// library's with its version. Looks at eight of them; false for those that cannot be read.
bool IsBelowProcessWith(const char* file);

}  // namespace stillframe::os
