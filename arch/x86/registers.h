// SPDX-License-Identifier: Apache-2.0
// What the walker and the fault recovery need of an interrupted context on x86.
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
  const ucontext_t* context = nullptr;  // all registers, where there are any
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

// The stack pointer after the return of a signal's handler; 0 where the kernel did not call it: one
// that another handler called returns elsewhere. `cfa`: the handler's own.
inline uintptr_t StackAfterHandler(uintptr_t cfa, uintptr_t, const siginfo_t* info, const void*) {
  return cfa + 12 == reinterpret_cast<uintptr_t>(info) ? cfa : 0;  // behind three arguments
}

// Goes on as after a return to `pc`.
inline void ReturnTo(ucontext_t* context, uintptr_t pc, uintptr_t sp) {
  SetProgramCounter(context, pc);
  context->uc_mcontext.gregs[REG_ESP] = static_cast<greg_t>(sp);
}

// The code that a return address or an entry point of a method names.
inline uintptr_t CodeAddress(uintptr_t address) { return address; }

// Whether a signal interrupted the thread inside rt_sigtimedwait, on which sigwait rests.
// The vDSO returns behind its int 0x80 whichever way it entered the kernel; the fourth argument is
// the size of the kernel's set of signals.
inline bool IsInSigtimedwait(const ucontext_t& context) {
  const auto& gregs = context.uc_mcontext.gregs;
  uint16_t instruction = 0;
  return gregs[REG_EAX] == -EINTR && gregs[REG_ESI] == 8 &&
         GuardedLoad16(ProgramCounter(context) - 2, &instruction) &&
         instruction == 0x80cd;  // int 0x80
}

}  // namespace stillframe::arch
