// SPDX-License-Identifier: Apache-2.0
// Steps from every instruction of code with missing or wrong descriptions: the C library's copies,
// the thunks of 32-bit code and the vDSO.
#include <gtest/gtest.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "src/elf/loaded_modules.h"
#include "src/unwind/native_step.h"

namespace stillframe::unwind {
namespace {

#if defined(__x86_64__) || defined(__i386__)

constexpr greg_t kTrapFlag = 0x100;

struct Sweep {
  CodeModules modules;
  uintptr_t caller = 0;  // the return address that every walk leads to
  volatile bool is_over = false;
  uint32_t steps = 0;
  uint32_t found = 0;
};
Sweep* g_sweep = nullptr;

// False when the walk ends before the caller: truncated.
bool FindsCaller(const ucontext_t& context) {
  constexpr int kMaxFrames = 12;
  arch::UnwindRegisters registers;
  arch::FillUnwindRegisters(context, &registers);
  for (int i = 0; i < kMaxFrames && registers.pc() != g_sweep->caller; ++i)
    if (!StepNativeFrame(g_sweep->modules, i != 0, &registers)) return false;
  EXPECT_EQ(registers.pc(), g_sweep->caller) << "a walk that lost its way";
  return true;
}

void OnTrap(int, siginfo_t*, void* context_pointer) {
  auto* context = static_cast<ucontext_t*>(context_pointer);
  greg_t& flags = context->uc_mcontext.gregs[REG_EFL];
  if (g_sweep->is_over) {
    flags &= ~kTrapFlag;
    return;
  }
  flags |= kTrapFlag;
  ++g_sweep->steps;
  g_sweep->found += FindsCaller(*context) ? 1U : 0U;
}

[[gnu::noinline]] void RunTraced(void (*code)()) {
  g_sweep->caller = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  raise(SIGTRAP);
  code();
  g_sweep->is_over = true;
}

class EveryInstruction : public testing::Test {
 protected:
  void Step(void (*code)()) {
    code();  // what the linker does at the first call is not looked at
    elf::OpenLoadedModules(&sweep_.modules);
    g_sweep = &sweep_;
    struct sigaction action = {};
    struct sigaction previous = {};
    action.sa_sigaction = OnTrap;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &action, &previous);
    RunTraced(code);
    sigaction(SIGTRAP, &previous, nullptr);
  }

  Sweep sweep_;
};

TEST_F(EveryInstruction, OfTheCLibrarysCopiesHasItsCaller) {
  Step([] {
    static char from[1024];
    static char to[1024];
    for (const size_t bytes : {3U, 17U, 45U, 129U, 1000U}) {
      for (size_t skew = 0; skew < 16; skew += 3) {
        // `volatile`: otherwise the compiler inserts its own copies. No checked functions either:
        // they run over padding that has no call frame information.
        volatile size_t count = bytes;
        __builtin_memcpy(to + 1, from + skew, count);
        __builtin_memmove(to + skew, to + 2, count);
        __builtin_memset(to + skew, 1, count);
      }
    }
  });
  EXPECT_GT(sweep_.steps, 1000U);
  EXPECT_EQ(sweep_.found, sweep_.steps);
}

TEST_F(EveryInstruction, OfTheClockHasItsCaller) {
  Step([] {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
  });
  EXPECT_GT(sweep_.steps, 40U);
  EXPECT_EQ(sweep_.found, sweep_.steps);
}

#endif

}  // namespace
}  // namespace stillframe::unwind
