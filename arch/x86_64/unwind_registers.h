// SPDX-License-Identifier: Apache-2.0
// The registers that call frame information speaks of, under their DWARF numbers.
// Source: System V ABI, AMD64 supplement, figure 3.36.
// Context: signal
#pragma once

#include <ucontext.h>

#include <cstdint>

#include "arch/x86_64/guarded_load.h"
#include "arch/x86_return_address.h"

namespace stillframe::arch {

constexpr uint32_t kDwarfRegisters = 17;
constexpr uint32_t kDwarfSp = 7;
constexpr uint32_t kDwarfPc = 16;  // the return address column

// Of the first eight, by the number that an instruction has for them.
constexpr uint8_t kEncodingOrder[8] = {0, 2, 1, 3, 7, 6, 4, 5};

struct UnwindRegisters {
  uintptr_t values[kDwarfRegisters];

  uintptr_t pc() const { return values[kDwarfPc]; }
  uintptr_t sp() const { return values[kDwarfSp]; }
};

inline void FillUnwindRegisters(const ucontext_t& context, UnwindRegisters* registers) {
  constexpr int kOrder[kDwarfRegisters] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                           REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                           REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  for (uint32_t i = 0; i < kDwarfRegisters; ++i)
    registers->values[i] = static_cast<uintptr_t>(context.uc_mcontext.gregs[kOrder[i]]);
}

// True at the jump of a procedure linkage stub (System V ABI, "Procedure Linkage Table"): linkers
// may leave those undescribed.
inline bool IsLinkageStub(uintptr_t pc) {
  uint8_t b[2] = {};
  return GuardedLoad8(pc, &b[0]) && GuardedLoad8(pc + 1, &b[1]) && b[0] == 0xff && b[1] == 0x25;
}

// Frames of the vDSO are known by their description only.
inline bool StepVdsoFrame(UnwindRegisters*) { return false; }

}  // namespace stillframe::arch
