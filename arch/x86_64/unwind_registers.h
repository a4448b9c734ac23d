// SPDX-License-Identifier: Apache-2.0
// The registers that call frame information speaks of, under their DWARF numbers.
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

// Of the first eight, by the number that an instruction has for them.
constexpr uint8_t kEncodingOrder[8] = {0, 2, 1, 3, 7, 6, 4, 5};

struct UnwindRegisters {
  uintptr_t values[kDwarfRegisters];

  uintptr_t pc() const { return values[kDwarfPc]; }
  uintptr_t sp() const { return values[kDwarfSp]; }
};

// Where the kernel's context has them.
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

// True at what a signal's handler returns to: mov rax, 15; syscall (glibc
// sysdeps/unix/sysv/linux/x86_64/libc_sigaction.c, __restore_rt; bionic likewise).
inline bool IsSignalReturn(uintptr_t pc) {
  uint64_t move = 0;
  uint8_t last = 0;
  return GuardedLoad64(pc, &move) && move == 0x0f0000000fc0c748 && GuardedLoad8(pc + 8, &last) &&
         last == 0x05;
}

// What a signal has interrupted, by the kernel's frame, whose context the stack pointer is at then.
inline bool LoadInterruptedRegisters(uintptr_t sp, UnwindRegisters* registers) {
  const uintptr_t first = sp + offsetof(ucontext_t, uc_mcontext.gregs);
  for (uint32_t i = 0; i < kDwarfRegisters; ++i)
    if (!GuardedLoad64(first + sizeof(greg_t) * static_cast<uint32_t>(kContextOrder[i]),
                       &registers->values[i]))
      return false;
  return true;
}

// True at the jump of a procedure linkage stub (System V ABI, "Procedure Linkage Table"): linkers
// may leave those undescribed.
inline bool IsLinkageStub(uintptr_t pc) {
  uint8_t b[2] = {};
  return GuardedLoad8(pc, &b[0]) && GuardedLoad8(pc + 1, &b[1]) && b[0] == 0xff && b[1] == 0x25;
}

// Frames of the vDSO are known by their description only.
inline bool StepVdsoFrame(UnwindRegisters*) { return false; }

// Nor is other code that nothing describes read on this CPU.
inline bool StepUndescribedFrame(bool, UnwindRegisters*) { return false; }

}  // namespace stillframe::arch
