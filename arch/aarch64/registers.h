// SPDX-License-Identifier: Apache-2.0
// The part of an interrupted context that the walker and the fault recovery use on aarch64.
// Context: signal
#pragma once

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cstdint>

namespace stillframe::arch {

constexpr const char* kAbi = "arm64-v8a";

struct Registers {
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t mterp_pc;  // x20 holds mterp's dex pc (ART 11 runtime/interpreter/mterp/arm64/main.S)
  const ucontext_t* context = nullptr;  // all registers; null: unknown
};

inline Registers RegistersOf(const ucontext_t& context) {
  const auto& machine = context.uc_mcontext;
  return {machine.pc, machine.sp, machine.regs[20], &context};
}

inline uintptr_t ProgramCounter(const ucontext_t& context) { return context.uc_mcontext.pc; }

inline void SetProgramCounter(ucontext_t* context, uintptr_t pc) { context->uc_mcontext.pc = pc; }

// Continues as after a return to `pc`.
inline void ReturnTo(ucontext_t* context, uintptr_t pc, uintptr_t sp) {
  SetProgramCounter(context, pc);
  context->uc_mcontext.sp = sp;
}

// Code address of a return address or entry point, without the pointer authentication signature in
// the upper bits. The instruction is a hint, so older CPUs ignore it.
inline uintptr_t CodeAddress(uintptr_t address) {
  register uintptr_t link asm("x30") = address;
  asm("hint #7" : "+r"(link));  // xpaclri
  return link;
}

// Whether a signal interrupted the thread inside rt_sigtimedwait, the system call of sigwait.
inline bool IsInSigtimedwait(const ucontext_t& context) {
  const auto& machine = context.uc_mcontext;
  return static_cast<int64_t>(machine.regs[0]) == -EINTR && machine.regs[8] == SYS_rt_sigtimedwait;
}

}  // namespace stillframe::arch
