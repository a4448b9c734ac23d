// SPDX-License-Identifier: Apache-2.0
// Checks the return address of a signal handler, once called by the kernel and once by another
// handler. Exits with 0 if both answers are right.
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"

namespace {

uintptr_t g_by_kernel = 0;
uintptr_t g_by_other = 1;
uintptr_t g_expected = 0;
bool g_is_inner = false;

// Takes stack of its own, as the profiler's handler does: a frame pointer is then not the CFA.
[[gnu::noinline]] void OnSignal(int, siginfo_t* info, void* context) {
  char room[64];
  memset(room, 0, sizeof room);
  asm volatile("" : : "r"(room) : "memory");
  const auto cfa = reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa());
  const auto pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  (g_is_inner ? g_by_other : g_by_kernel) =
      stillframe::arch::StackAfterHandler(cfa, pc, info, context);
  g_expected = reinterpret_cast<uintptr_t>(info);
  asm volatile("" : : "r"(room) : "memory");
}

void OnOther(int signal, siginfo_t* info, void* context) {
  g_is_inner = true;
  OnSignal(signal, info, context);
  g_is_inner = false;
}

bool Raise(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  return sigaction(SIGUSR1, &action, nullptr) == 0 &&
         syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1) == 0;
}

}  // namespace

int main() {
  if (!Raise(OnSignal) || g_by_kernel == 0 || g_by_kernel != g_expected) return 1;
  return Raise(OnOther) && g_by_other == 0 ? 0 : 2;
}
