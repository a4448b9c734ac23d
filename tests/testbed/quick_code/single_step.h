// SPDX-License-Identifier: Apache-2.0
// Makes each instruction of a thread trap, as far as the CPU allows it, and reads what a trap
// finds. What differs per CPU is in <cpu>/single_step.cc.
// Context: an ART process; the functions that say so: the handler of SIGTRAP
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <vector>

namespace testbed::quick_code {

class SingleStep {
 public:
  // False: only the instructions of compiled methods trap.
  static bool SeesAllCode();

  // Says where the code of a compiled method is.
  void AddCode(uintptr_t begin, uintptr_t end);

  // From here on the calling thread traps.
  void Start();
  void Stop();

  // In the handler, around a walk: the code reads as it was written.
  void BeforeWalk();
  // In the handler, at its end: the interrupted instruction runs, the next one traps.
  void GoOn(ucontext_t* context);
  // In the handler, of a trap after Stop.
  void End(ucontext_t* context);

 private:
  struct Code {
    uintptr_t begin;
    std::vector<uint32_t> instructions;
  };
  void Write(bool traps, uintptr_t but);

  std::vector<Code> codes_;  // where instructions are replaced
};

// Valid at a method's first instruction: its return address, and its first argument.
uintptr_t ReturnAddressOf(const ucontext_t& context);
uint64_t FirstArgumentOf(const ucontext_t& context);

// The instruction is where a call led that was the one before it.
bool IsCallTarget(const ucontext_t& context, uintptr_t previous_pc, uintptr_t previous_sp);

// In nterp's code: where the code of its opcodes begins.
uintptr_t NterpHandlersOf(const ucontext_t& context);

}  // namespace testbed::quick_code
