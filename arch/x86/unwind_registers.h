// The registers that call frame information speaks of, under their DWARF numbers.
// Source: System V ABI, Intel386 supplement, table 2.14.
// Context: signal
#pragma once

#include <ucontext.h>

#include <cstdint>

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

}  // namespace stillframe::arch
