// SPDX-License-Identifier: Apache-2.0
// A signal sets the trap flag, and the handler of each trap keeps it set.
#include "bench/native/instruction_count.h"

#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if !defined(__x86_64__)
#error "the trap flag is x86_64's"
#endif

namespace bench {
namespace {

constexpr greg_t kTrapFlag = 0x100;

// Written by the counted thread and its own handler.
volatile bool g_is_counting = false;
volatile uint64_t g_count = 0;
void (*g_see)(const ucontext_t&) = nullptr;

void OnTrap(int, siginfo_t*, void* context) {
  auto* thread = static_cast<ucontext_t*>(context);
  greg_t& flags = thread->uc_mcontext.gregs[REG_EFL];
  if (g_is_counting) {
    flags |= kTrapFlag;
    g_count = g_count + 1;
    if (g_see != nullptr) g_see(*thread);
  } else {
    flags &= ~kTrapFlag;
  }
}

}  // namespace

bool InstructionCount::Open(stillframe::core::SigactionFunction kernel_sigaction) {
  struct sigaction action = {};
  action.sa_sigaction = OnTrap;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigfillset(&action.sa_mask);
  return kernel_sigaction(SIGTRAP, &action, nullptr) == 0;
}

void InstructionCount::Begin(void (*see)(const ucontext_t&)) {
  g_see = see;
  g_count = 0;
  g_is_counting = true;
  syscall(SYS_tgkill, getpid(), gettid(), SIGTRAP);
}

uint64_t InstructionCount::End() {
  g_is_counting = false;
  return g_count;
}

}  // namespace bench
