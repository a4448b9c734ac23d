// SPDX-License-Identifier: Apache-2.0
// The part of an interrupted context that the walker and the fault recovery use on x86.
// Context: signal
#pragma once

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cstdint>

#include "arch/x86/guarded_load.h"

namespace stillframe::arch {

constexpr const char* kAbi = "x86";

struct Registers {
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t mterp_pc;  // esi holds mterp's dex pc (ART 11 runtime/interpreter/mterp/x86/main.S)
  const ucontext_t* context = nullptr;  // all registers; null: unknown
};

inline Registers RegistersOf(const ucontext_t& context) {
  const auto& gregs = context.uc_mcontext.gregs;
  return {static_cast<uintptr_t>(gregs[REG_EIP]), static_cast<uintptr_t>(gregs[REG_ESP]),
          static_cast<uintptr_t>(gregs[REG_ESI]), &context};
}

inline uintptr_t ProgramCounter(const ucontext_t& context) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_EIP]);
}

inline void SetProgramCounter(ucontext_t* context, uintptr_t pc) {
  context->uc_mcontext.gregs[REG_EIP] = static_cast<greg_t>(pc);
}

// Stack pointer after the return of a signal handler whose CFA is `cfa`. 0: the kernel did not call
// the handler; another handler did.
inline uintptr_t StackAfterHandler(uintptr_t cfa, uintptr_t, const siginfo_t* info, const void*) {
  return cfa + 12 == reinterpret_cast<uintptr_t>(info) ? cfa : 0;  // behind three arguments
}

// Continues as after a return to `pc`.
inline void ReturnTo(ucontext_t* context, uintptr_t pc, uintptr_t sp) {
  SetProgramCounter(context, pc);
  context->uc_mcontext.gregs[REG_ESP] = static_cast<greg_t>(sp);
}

// Code address of a return address or entry point.
inline uintptr_t CodeAddress(uintptr_t address) { return address; }

// Whether a signal interrupted the thread inside rt_sigtimedwait, the system call of sigwait. The
// vDSO always returns behind its int 0x80, however it entered the kernel. The fourth argument is
// the size of the kernel's signal set.
inline bool IsInSigtimedwait(const ucontext_t& context) {
  const auto& gregs = context.uc_mcontext.gregs;
  uint16_t instruction = 0;
  return gregs[REG_EAX] == -EINTR && gregs[REG_ESI] == 8 &&
         GuardedLoad16(ProgramCounter(context) - 2, &instruction) &&
         instruction == 0x80cd;  // int 0x80
}

}  // namespace stillframe::arch
