// SPDX-License-Identifier: Apache-2.0
// A system call in which a thread of ours rests, and where unwinders find the end of its stack.
//
// Problem: see arch/x86_64/resting_call.h.
// Rule: the return address is undefined at the call, so the stack ends there. A stopped thread's
// program counter is at the call, or behind it at the nop.
// Remaining risk: a debugger sees one frame of a thread that rests.
// Context: any thread
#pragma once

#include <cstdint>

namespace stillframe::arch {

inline long RestingCall(long number, uintptr_t first, uintptr_t second, uintptr_t third,
                        uintptr_t fourth) {
  long result = number;
  asm volatile(
      ".cfi_remember_state\n"
      ".cfi_undefined eip\n"
      "int $0x80\n"
      "nop\n"
      ".cfi_restore_state"
      : "+a"(result)
      : "b"(first), "c"(second), "d"(third), "S"(fourth)
      : "memory");
  return result;
}

}  // namespace stillframe::arch
