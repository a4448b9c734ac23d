// SPDX-License-Identifier: Apache-2.0
// Successors of an instruction in compiled code, for every CPU. arch/<cpu>/code_flow.h reads one
// instruction from a copy of a method's code.
// Context: any thread
#pragma once

#include <cstdint>

namespace stillframe::arch {

enum class Flow : uint8_t {
  kNext,         // the next instruction
  kCall,         // calls a method, then the next instruction
  kRuntimeCall,  // calls the runtime through an address in the thread's structure
  kBranch,       // the target or the next instruction
  kJump,         // the target
  kReturn,
  kStop,     // none: a trap
  kUnknown,  // a target in a register
};

struct CodeFlow {
  uint32_t bytes = 0;  // of the instruction
  Flow flow = Flow::kNext;
  int64_t target = 0;  // of branches and jumps: offset in the code, which may be outside
  // The instruction may be guarded by an earlier check: it accesses memory, or divides.
  bool is_checked = false;
};

// Targets of a jump through a table: `count` 32-bit offsets at offset `table` of the code, relative
// to the table.
struct JumpTable {
  int64_t table = 0;
  uint32_t count = 0;
};

}  // namespace stillframe::arch
