// The registers that call frame information speaks of, under their DWARF numbers.
// Source: System V ABI, Intel386 supplement, table 2.14.
// Context: signal
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <initializer_list>

#include "arch/x86/guarded_load.h"

namespace stillframe::arch {

constexpr uint32_t kDwarfRegisters = 9;
constexpr uint32_t kDwarfSp = 4;
constexpr uint32_t kDwarfPc = 8;  // the return address column

struct UnwindRegisters {
  uintptr_t values[kDwarfRegisters];

  uintptr_t pc() const { return values[kDwarfPc]; }
  uintptr_t sp() const { return values[kDwarfSp]; }
};

inline void FillUnwindRegisters(const ucontext_t& context, UnwindRegisters* registers) {
  constexpr int kOrder[kDwarfRegisters] = {REG_EAX, REG_ECX, REG_EDX, REG_EBX, REG_ESP,
                                           REG_EBP, REG_ESI, REG_EDI, REG_EIP};
  for (uint32_t i = 0; i < kDwarfRegisters; ++i) {
    registers->values[i] = static_cast<uintptr_t>(context.uc_mcontext.gregs[kOrder[i]]);
  }
}

// True when the bytes before a return address are a call: direct, or through a register or memory.
// What only looks like a return address, among registers that are being restored, is told by it.
inline bool FollowsCall(uintptr_t return_address) {
  uint8_t before[8] = {};
  for (uintptr_t i = 1; i < sizeof before; ++i) {
    if (!GuardedLoad8(return_address - i, &before[i])) return false;
  }
  if (before[5] == 0xe8) return true;
  for (const uint32_t length : {2U, 3U, 4U, 6U, 7U}) {
    if (before[length] == 0xff && (before[length - 1] & 0x38) == 0x10) return true;
  }
  return false;
}

// True at the jump of a procedure linkage stub (System V ABI, "Procedure Linkage Table"): linkers
// may leave those undescribed.
inline bool IsLinkageStub(uintptr_t pc) {
  uint8_t b[2] = {};
  return GuardedLoad8(pc, &b[0]) && GuardedLoad8(pc + 1, &b[1]) && b[0] == 0xff &&
         (b[1] == 0x25 || b[1] == 0xa3);
}

// From inside a linkage stub to behind the call that led there. False when the stack is gone.
inline bool LeaveLinkageStub(UnwindRegisters* registers) {
  if (!GuardedLoad32(registers->sp(), &registers->values[kDwarfPc])) return false;
  registers->values[kDwarfSp] += sizeof(uintptr_t);
  return true;
}

}  // namespace stillframe::arch
