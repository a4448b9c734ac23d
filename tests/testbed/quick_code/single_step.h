// SPDX-License-Identifier: Apache-2.0
// Makes each instruction of a thread trap but those of the kernel, and reads what a trap finds. One
// thread steps at a time. What differs per CPU is in <cpu>/single_step.cc.
// Context: an ART process; the functions that say so: the handler of SIGTRAP
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace testbed::quick_code {

class SingleStep {
 public:
  // From here on the calling thread traps.
  static void Start();

  // In the handler, before a walk: the code reads as it was written. False: there is nothing to
  // walk, another thread met the trap.
  static bool BeforeWalk(ucontext_t* context);
  // In the handler, at its end: the interrupted instruction runs, the next one traps.
  static void GoOn(ucontext_t* context);
  // In the handler, of the trap at which the thread stops to step.
  static void End(ucontext_t* context);
};

// Valid at a method's first instruction: its return address, and its first argument.
uintptr_t ReturnAddressOf(const ucontext_t& context);
uint64_t FirstArgumentOf(const ucontext_t& context);

// The instruction is where a call led that was the one before it.
bool IsCallTarget(const ucontext_t& context, uintptr_t previous_pc, uintptr_t previous_sp);

// In nterp's code: where the code of its opcodes begins.
uintptr_t NterpHandlersOf(const ucontext_t& context);

}  // namespace testbed::quick_code
