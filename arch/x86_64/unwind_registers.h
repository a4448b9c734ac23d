// SPDX-License-Identifier: Apache-2.0
// The registers of call frame information, by DWARF number.
// Source: System V ABI, AMD64 supplement, figure 3.36.
// Context: signal
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

#include "arch/x86_64/guarded_load.h"
#include "arch/x86_return_address.h"

namespace stillframe::arch {

constexpr uint32_t kDwarfRegisters = 17;
constexpr uint32_t kDwarfSp = 7;
constexpr uint32_t kDwarfPc = 16;  // the return address column

// DWARF numbers of the first eight registers, by the number in an instruction.
constexpr uint8_t kEncodingOrder[8] = {0, 2, 1, 3, 7, 6, 4, 5};

struct UnwindRegisters {
  uintptr_t values[kDwarfRegisters];

  uintptr_t pc() const { return values[kDwarfPc]; }
  uintptr_t sp() const { return values[kDwarfSp]; }
};

// Index in the kernel's context, by DWARF number.
constexpr int kContextOrder[kDwarfRegisters] = {
    REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
    REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};

inline void FillUnwindRegisters(const ucontext_t& context, UnwindRegisters* registers) {
  for (uint32_t i = 0; i < kDwarfRegisters; ++i)
    registers->values[i] = static_cast<uintptr_t>(context.uc_mcontext.gregs[kContextOrder[i]]);
}

inline void StoreUnwindRegisters(const UnwindRegisters& registers, ucontext_t* context) {
  for (uint32_t i = 0; i < kDwarfRegisters; ++i)
    context->uc_mcontext.gregs[kContextOrder[i]] = static_cast<greg_t>(registers.values[i]);
}

// Whether pc is the return from a signal handler: mov rax, 15; syscall (glibc
// sysdeps/unix/sysv/linux/x86_64/libc_sigaction.c, __restore_rt; the same in bionic).
inline bool IsSignalReturn(uintptr_t pc) {
  uint64_t move = 0;
  uint8_t last = 0;
  return GuardedLoad64(pc, &move) && move == 0x0f0000000fc0c748 && GuardedLoad8(pc + 8, &last) &&
         last == 0x05;
}

// Loads the interrupted registers from the kernel's ucontext_t, which begins at `sp`.
inline bool LoadInterruptedRegisters(uintptr_t sp, UnwindRegisters* registers) {
  const uintptr_t first = sp + offsetof(ucontext_t, uc_mcontext.gregs);
  for (uint32_t i = 0; i < kDwarfRegisters; ++i)
    if (!GuardedLoad64(first + sizeof(greg_t) * static_cast<uint32_t>(kContextOrder[i]),
                       &registers->values[i]))
      return false;
  return true;
}

// Whether pc is at the jump of a procedure linkage stub (System V ABI, "Procedure Linkage Table").
// Linkers may leave those undescribed.
inline bool IsLinkageStub(uintptr_t pc) {
  uint8_t b[2] = {};
  return GuardedLoad8(pc, &b[0]) && GuardedLoad8(pc + 1, &b[1]) && b[0] == 0xff && b[1] == 0x25;
}

// The vDSO's frames are unwound by call frame information alone.
inline bool StepVdsoFrame(UnwindRegisters*) { return false; }

// Other code without call frame information is not unwound on this CPU either.
inline bool StepUndescribedFrame(bool, UnwindRegisters*) { return false; }

}  // namespace stillframe::arch
