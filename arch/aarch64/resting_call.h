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
  register long call asm("x8") = number;
  register uintptr_t result asm("x0") = first;
  register uintptr_t x1 asm("x1") = second;
  register uintptr_t x2 asm("x2") = third;
  register uintptr_t x3 asm("x3") = fourth;
  asm volatile(
      ".cfi_remember_state\n"
      ".cfi_undefined x30\n"
      "svc #0\n"
      "nop\n"
      ".cfi_restore_state"
      : "+r"(result)
      : "r"(call), "r"(x1), "r"(x2), "r"(x3)
      : "memory");
  return static_cast<long>(result);
}

}  // namespace stillframe::arch
