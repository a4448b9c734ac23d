// SPDX-License-Identifier: Apache-2.0
// What the walker and the fault recovery need of an interrupted context on x86_64.
// Context: signal
#pragma once

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cstdint>

#include "arch/x86_64/guarded_load.h"

namespace stillframe::arch {

constexpr const char* kAbi = "x86_64";

struct Registers {
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t mterp_pc;  // r12 holds mterp's dex pc (ART 11 runtime/interpreter/mterp/x86_64/main.S)
  const ucontext_t* context = nullptr;  // all registers, where there are any
};

inline Registers RegistersOf(const ucontext_t& context) {
  const auto& gregs = context.uc_mcontext.gregs;
  return {static_cast<uintptr_t>(gregs[REG_RIP]), static_cast<uintptr_t>(gregs[REG_RSP]),
          static_cast<uintptr_t>(gregs[REG_R12]), &context};
}

inline uintptr_t ProgramCounter(const ucontext_t& context) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
}

inline void SetProgramCounter(ucontext_t* context, uintptr_t pc) {
  context->uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(pc);
}

// The stack pointer after the return of a signal's handler; 0 where the kernel did not call it: one
// that another handler called returns elsewhere. `cfa`: the handler's own.
inline uintptr_t StackAfterHandler(uintptr_t cfa, uintptr_t, const siginfo_t*,
                                   const void* context) {
  return cfa == reinterpret_cast<uintptr_t>(context) ? cfa : 0;
}

// Goes on as after a return to `pc`.
inline void ReturnTo(ucontext_t* context, uintptr_t pc, uintptr_t sp) {
  SetProgramCounter(context, pc);
  context->uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(sp);
}

// The code that a return address or an entry point of a method names.
inline uintptr_t CodeAddress(uintptr_t address) { return address; }

// Whether a signal interrupted the thread inside rt_sigtimedwait, on which sigwait rests.
// The kernel keeps the arguments: the fourth is the size of its set of signals.
inline bool IsInSigtimedwait(const ucontext_t& context) {
  const auto& gregs = context.uc_mcontext.gregs;
  uint16_t instruction = 0;
  return gregs[REG_RAX] == -EINTR && gregs[REG_R10] == 8 &&
         GuardedLoad16(ProgramCounter(context) - 2, &instruction) &&
         instruction == 0x050f;  // syscall
}

}  // namespace stillframe::arch
