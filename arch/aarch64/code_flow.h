// SPDX-License-Identifier: Apache-2.0
// Branches of aarch64 instructions, all of which have four bytes.
// Source: Arm Architecture Reference Manual, C4.1.66, branches, exception generating and system
// instructions; ART 11 and 14 runtime/arch/arm64/registers_arm64.h: x19 is the thread.
// Context: any thread
#pragma once

#include <cstdint>
#include <cstring>

#include "arch/aarch64/memory_access.h"
#include "arch/code_flow.h"

namespace stillframe::arch {

// Sign-extended. Branch offsets count instructions; multiplied by four they are bytes.
inline int64_t BranchOffset(uint32_t code, uint32_t from, uint32_t bits) {
  return (static_cast<int32_t>(code << (32 - from - bits)) >> (32 - bits)) * int64_t{4};
}

inline uint32_t CodeWord(const uint8_t* code, uint32_t at) {
  uint32_t word = 0;
  memcpy(&word, code + at, sizeof word);
  return word;
}

// True if the instruction before loaded the register from the thread's structure.
inline bool IsLoadedFromThread(uint32_t before, uint32_t target) {
  constexpr uint32_t kThreadRegister = 19;
  return (before & 0xffc00000) == 0xf9400000 && (before & 31) == target &&
         (before >> 5 & 31) == kThreadRegister;
}

// Reads the instruction at offset `at` of `code`. False if it is invalid or outside the code.
inline bool ReadCodeFlow(const uint8_t* code, uint32_t bytes, uint32_t at, CodeFlow* flow) {
  *flow = {};
  if (at % 4 != 0 || bytes < 4 || at > bytes - 4) return false;
  const uint32_t word = CodeWord(code, at);
  flow->bytes = 4;
  if ((word & 0xffff0000) == 0) return false;  // udf
  if ((word & 0xfc000000) == 0x14000000) {     // b
    flow->flow = Flow::kJump;
    flow->target = at + BranchOffset(word, 0, 26);
  } else if ((word & 0xfc000000) == 0x94000000) {  // bl
    flow->flow = Flow::kCall;
  } else if ((word & 0xff000010) == 0x54000000 || (word & 0x7e000000) == 0x34000000) {
    flow->flow = Flow::kBranch;  // b.cond, cbz, cbnz
    flow->target = at + BranchOffset(word, 5, 19);
  } else if ((word & 0x7e000000) == 0x36000000) {  // tbz, tbnz
    flow->flow = Flow::kBranch;
    flow->target = at + BranchOffset(word, 5, 14);
  } else if ((word & 0xfffffc1f) == 0xd61f0000) {  // br
    flow->flow = Flow::kUnknown;
  } else if ((word & 0xfffffc1f) == 0xd63f0000) {  // blr
    const bool is_runtime = at >= 4 && IsLoadedFromThread(CodeWord(code, at - 4), word >> 5 & 31);
    flow->flow = is_runtime ? Flow::kRuntimeCall : Flow::kCall;
  } else if ((word & 0xfffffc1f) == 0xd65f0000) {  // ret
    flow->flow = Flow::kReturn;
  } else if ((word & 0xffe0001f) == 0xd4200000) {  // brk
    flow->flow = Flow::kStop;
  }
  constexpr uint32_t kDivide = 0x1ac00800;  // udiv, sdiv
  flow->is_checked = IsLoadOrStore(word) || (word & 0x7fe0f800) == kDivide;
  return true;
}

// Jump tables are not read.
inline bool ReadJumpTable(const uint8_t*, uint32_t, const uint32_t*, uint32_t, JumpTable*) {
  return false;
}

}  // namespace stillframe::arch
