// SPDX-License-Identifier: Apache-2.0
// Where compiled code goes on after an instruction, for every CPU: arch/<cpu>/code_flow.h reads one
// instruction of a copy of a method's code.
// Context: any thread
#pragma once

#include <cstdint>

namespace stillframe::arch {

enum class Flow : uint8_t {
  kNext,         // with the next instruction
  kCall,         // of a method, then with the next
  kRuntimeCall,  // of the runtime, by an address that the thread holds
  kBranch,       // at the target or with the next
  kJump,         // at the target
  kReturn,
  kStop,     // nowhere: a trap
  kUnknown,  // where a register says
};

struct CodeFlow {
  uint32_t bytes = 0;  // of the instruction
  Flow flow = Flow::kNext;
  int64_t target = 0;  // of branches and jumps: offset in the code, which may be outside
  // It does what a check before it may be for: reads or writes memory, or divides.
  bool is_checked = false;
};

// Where a jump to what a register says leads: `count` numbers of 32 bits at offset `table` of the
// code, relative to it.
struct JumpTable {
  int64_t table = 0;
  uint32_t count = 0;
};

}  // namespace stillframe::arch
