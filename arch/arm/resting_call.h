// SPDX-License-Identifier: Apache-2.0
// A system call in which a thread of ours rests.
//
// Problem: see arch/x86_64/resting_call.h.
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
