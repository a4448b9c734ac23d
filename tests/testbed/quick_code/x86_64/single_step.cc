// SPDX-License-Identifier: Apache-2.0
// By the trap flag: every instruction of the thread traps but those of the kernel.
#include "tests/testbed/quick_code/single_step.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

namespace testbed::quick_code {
namespace {

constexpr greg_t kTrapFlag = 0x100;
constexpr uintptr_t kLongestCall = 8;  // bytes of a call instruction, through %gs

uintptr_t StackPointer(const ucontext_t& context) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
}

}  // namespace

// The handler sets the flag.
void SingleStep::Start() { syscall(SYS_tgkill, getpid(), gettid(), SIGTRAP); }

bool SingleStep::BeforeWalk(ucontext_t*) { return true; }

void SingleStep::GoOn(ucontext_t* context) { context->uc_mcontext.gregs[REG_EFL] |= kTrapFlag; }

void SingleStep::End(ucontext_t* context) { context->uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag; }

uintptr_t ReturnAddressOf(const ucontext_t& context) {
  uintptr_t address = 0;
  memcpy(&address, reinterpret_cast<const void*>(StackPointer(context)), sizeof address);
  return address;
}

uint64_t FirstArgumentOf(const ucontext_t& context) {
  return static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RDI]);
}

bool IsCallTarget(const ucontext_t& context, uintptr_t previous_pc, uintptr_t previous_sp) {
  return previous_sp - StackPointer(context) == sizeof(uintptr_t) &&
         ReturnAddressOf(context) - previous_pc <= kLongestCall;
}

uintptr_t NterpHandlersOf(const ucontext_t& context) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_R14]);
}

}  // namespace testbed::quick_code
