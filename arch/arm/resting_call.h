// SPDX-License-Identifier: Apache-2.0
// A system call in which a thread of ours rests.
//
// Problem: at SIGQUIT the runtime prints the native stack of each thread. For a thread that is not
// attached to the VM it reads the memory map and the symbols of each library on the stack again
// (AOSP 11, runtime/thread_list.cc, DumpUnattachedThread): 1.4 ms for each of our threads.
// Rule: none here: ARM's unwind tables (EHABI) describe whole functions, not places in them.
// Remaining risk: these traces take as much longer on 32-bit ARM.
// Context: any thread
#pragma once

#include <unistd.h>

#include <cstdint>

namespace stillframe::arch {

inline long RestingCall(long number, uintptr_t first, uintptr_t second, uintptr_t third,
                        uintptr_t fourth) {
  return syscall(number, first, second, third, fourth);
}

}  // namespace stillframe::arch
