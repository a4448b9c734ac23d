// SPDX-License-Identifier: Apache-2.0
// The part of an interrupted context that the walker and the fault recovery use on arm.
// Context: signal
#pragma once

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cstdint>

namespace stillframe::arch {

constexpr const char* kAbi = "armeabi-v7a";

struct Registers {
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t mterp_pc;  // r4 holds mterp's dex pc (ART 11 runtime/interpreter/mterp/arm/main.S)
  const ucontext_t* context = nullptr;  // all registers; null: unknown
};

inline Registers RegistersOf(const ucontext_t& context) {
  const auto& machine = context.uc_mcontext;
  return {machine.arm_pc, machine.arm_sp, machine.arm_r4, &context};
}

// Without the Thumb bit, which the kernel keeps in CPSR.
inline uintptr_t ProgramCounter(const ucontext_t& context) { return context.uc_mcontext.arm_pc; }

// Keeps the interrupted instruction set (CPSR's T). Clears the If-Then state, which belongs to the
// instructions after the interrupted one.
inline void SetProgramCounter(ucontext_t* context, uintptr_t pc) {
  constexpr unsigned long kIfThenBits = 0x0600'fc00;
  context->uc_mcontext.arm_cpsr &= ~kIfThenBits;
  context->uc_mcontext.arm_pc = pc & ~uintptr_t{1};
}

// Continues as after a return to `pc`; its bit 0 selects Thumb.
inline void ReturnTo(ucontext_t* context, uintptr_t pc, uintptr_t sp) {
  constexpr unsigned long kThumb = 0x20;
  SetProgramCounter(context, pc);
  context->uc_mcontext.arm_cpsr &= ~kThumb;
  context->uc_mcontext.arm_cpsr |= (pc & 1) != 0 ? kThumb : 0;
  context->uc_mcontext.arm_sp = sp;
}

// Code address of a return address or entry point, without the Thumb bit.
inline uintptr_t CodeAddress(uintptr_t address) { return address & ~uintptr_t{1}; }

// Whether a signal interrupted the thread inside rt_sigtimedwait, the system call of sigwait.
inline bool IsInSigtimedwait(const ucontext_t& context) {
  const auto& machine = context.uc_mcontext;
  return static_cast<int32_t>(machine.arm_r0) == -EINTR &&
         (machine.arm_r7 == SYS_rt_sigtimedwait || machine.arm_r7 == 421);  // _time64
}

}  // namespace stillframe::arch
