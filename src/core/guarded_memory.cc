// SPDX-License-Identifier: Apache-2.0
// The handler of SIGSEGV and SIGBUS, its table of guarded loads, and what it chains to.
#include "src/core/guarded_memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <initializer_list>

#include "arch/arch.h"
#include "src/core/death_mark.h"
#include "src/core/sampler.h"
#include "src/core/signal_chain.h"

namespace stillframe::core {
namespace {

struct GuardedLoadRow {
  int32_t load;
  int32_t recovery;
};

// The linker's own bounds of the section.
extern "C" [[gnu::visibility("hidden")]] const GuardedLoadRow __start_sf_guarded_loads[];
extern "C" [[gnu::visibility("hidden")]] const GuardedLoadRow __stop_sf_guarded_loads[];

uintptr_t Target(const int32_t* offset) {
  return reinterpret_cast<uintptr_t>(offset) +
         static_cast<uintptr_t>(static_cast<intptr_t>(*offset));
}

// Written once by InstallFaultRecovery before the kernel knows the handler; read in the handler.
struct sigaction g_previous_segv;
struct sigaction g_previous_bus;
SigactionFunction g_kernel_sigaction = nullptr;

bool IsRecovered(uintptr_t pc, ucontext_t* machine) {
  for (const auto* row = __start_sf_guarded_loads; row != __stop_sf_guarded_loads; ++row) {
    if (Target(&row->load) != pc) continue;
    arch::SetProgramCounter(machine, Target(&row->recovery));
    return true;
  }
  return false;
}

void OnFault(int signal, siginfo_t* info, void* context) {
  auto* machine = static_cast<ucontext_t*>(context);
  const uintptr_t pc = arch::ProgramCounter(*machine);
  // What somebody sent is no fault, wherever it came.
  if (info->si_code > 0 && (IsRecovered(pc, machine) || Sampler::LeaveHandler(machine))) return;
  const bool is_marked = MarkDeathInOurCode(signal, pc);
  ChainFatal(signal == SIGBUS ? g_previous_bus : g_previous_segv, g_kernel_sigaction, signal, info,
             context);
  if (is_marked) UnmarkIfAlive(signal);
}

int Install(SigactionFunction kernel_sigaction, int signal, struct sigaction* previous) {
  if (kernel_sigaction(signal, nullptr, previous) != 0) return errno;
  // Mask and flags stay those of the handler before us, which then runs as it expects to.
  struct sigaction action = *previous;
  if (previous->sa_handler == SIG_DFL || previous->sa_handler == SIG_IGN)
    sigemptyset(&action.sa_mask);
  action.sa_flags &= ~static_cast<int>(SA_RESETHAND);
  action.sa_flags |= SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = OnFault;
  return kernel_sigaction(signal, &action, nullptr) == 0 ? 0 : errno;
}

}  // namespace

int InstallFaultRecovery(SigactionFunction kernel_sigaction) {
  if (g_kernel_sigaction != nullptr) return 0;
  g_kernel_sigaction = kernel_sigaction;
  const int error = Install(kernel_sigaction, SIGSEGV, &g_previous_segv);
  return error != 0 ? error : Install(kernel_sigaction, SIGBUS, &g_previous_bus);
}

bool IsFaultRecovery(const struct sigaction& action) { return action.sa_sigaction == OnFault; }

uintptr_t ForeignFaultHandler() {
  if (g_kernel_sigaction == nullptr) return 0;
  for (const int signal : {SIGSEGV, SIGBUS}) {
    struct sigaction now = {};
    if (g_kernel_sigaction(signal, nullptr, &now) == 0 && now.sa_sigaction != OnFault)
      return reinterpret_cast<uintptr_t>(now.sa_sigaction);
  }
  return 0;
}

bool RecoveryWorks() {
  void* page = mmap(nullptr, static_cast<size_t>(sysconf(_SC_PAGESIZE)), PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return false;
  uint64_t value = 0;
  const bool loaded = arch::GuardedLoad64(reinterpret_cast<uintptr_t>(page), &value);
  munmap(page, static_cast<size_t>(sysconf(_SC_PAGESIZE)));
  return !loaded;
}

}  // namespace stillframe::core
