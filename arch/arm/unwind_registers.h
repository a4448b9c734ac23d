// The registers that call frame information speaks of, under their DWARF numbers.
// Source: DWARF for the Arm Architecture (ABI 2023Q3), section 4.1.
// Context: signal
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace stillframe::arch {

constexpr uint32_t kDwarfRegisters = 16;
constexpr uint32_t kDwarfSp = 13;
constexpr uint32_t kDwarfPc = 15;  // return addresses are in column 14, lr

struct UnwindRegisters {
  uintptr_t values[kDwarfRegisters];

  uintptr_t pc() const { return values[kDwarfPc]; }
  uintptr_t sp() const { return values[kDwarfSp]; }
};

inline void FillUnwindRegisters(const ucontext_t& context, UnwindRegisters* registers) {
  const auto& machine = context.uc_mcontext;
  *registers = {{machine.arm_r0, machine.arm_r1, machine.arm_r2, machine.arm_r3, machine.arm_r4,
                 machine.arm_r5, machine.arm_r6, machine.arm_r7, machine.arm_r8, machine.arm_r9,
                 machine.arm_r10, machine.arm_fp, machine.arm_ip, machine.arm_sp, machine.arm_lr,
                 machine.arm_pc}};
}

}  // namespace stillframe::arch
