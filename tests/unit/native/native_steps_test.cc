// SPDX-License-Identifier: Apache-2.0
// libunwind's steps and our own, on this very stack.
#include "src/native/native_steps.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "src/elf/loaded_modules.h"
#include "tests/unit/counted.h"

namespace stillframe::native {
namespace {

using arch::UnwindRegisters;

struct Walk {
  NativeSteps* steps = nullptr;
  const unwind::CodeModules* modules = nullptr;
  std::vector<uintptr_t> pcs;  // what each frame returns to
};
Walk* g_walk = nullptr;

void OnSignal(int, siginfo_t*, void* context) {
  UnwindRegisters registers = {};
  arch::FillUnwindRegisters(*static_cast<const ucontext_t*>(context), &registers);
  g_walk->steps->Begin(registers, false);
  bool is_return = false;
  while (g_walk->steps->Step(*g_walk->modules, is_return, &registers, &is_return))
    g_walk->pcs.push_back(registers.pc());
}

int RaiseInComparison(const void*, const void*) {
  if (g_walk->pcs.empty()) raise(SIGUSR1);
  return 0;
}

class NativeStepsTest : public testing::Test {
 protected:
  void SetUp() override {
    elf::OpenLoadedModules(&modules_);
    struct sigaction action = {};
    action.sa_sigaction = OnSignal;
    action.sa_flags = SA_SIGINFO;
    ASSERT_EQ(sigaction(SIGUSR1, &action, &before_), 0);
  }
  void TearDown() override { sigaction(SIGUSR1, &before_, nullptr); }

  // From a comparison out of the C library's qsort.
  [[gnu::noinline]] std::vector<uintptr_t> StepsFromQsort() {
    int numbers[2] = {2, 1};
    Walk walk = {&steps_, &modules_, {}};
    g_walk = &walk;
    qsort(numbers, 2, sizeof numbers[0], RaiseInComparison);
    return walk.pcs;
  }

  unwind::CodeModules modules_;
  Counted counted_;
  NativeSteps steps_;
  struct sigaction before_ = {};
};

TEST_F(NativeStepsTest, LibunwindFindsWhatOursFinds) {
  const std::vector<uintptr_t> own = StepsFromQsort();
  EXPECT_GT(own.size(), 5U);
  EXPECT_EQ(counted_.Of(Counter::kNativeLibunwindFrames), 0U);
#if !defined(STILLFRAME_LIBUNWIND)
  GTEST_SKIP() << "a build without libunwind";
#endif
  ASSERT_TRUE(steps_.UseLibunwind(modules_));
  const std::vector<uintptr_t> theirs = StepsFromQsort();
  ASSERT_EQ(theirs.size(), own.size());
  // None was found by ours.
  EXPECT_EQ(counted_.Of(Counter::kNativeLibunwindFrames), own.size());
  // The same but for where StepsFromQsort itself was called.
  EXPECT_TRUE(std::equal(own.begin(), own.begin() + 4, theirs.begin()));
}

TEST_F(NativeStepsTest, WithoutTheLibraryThereIsNone) {
  EXPECT_EQ(OpenLibunwind(modules_, "libstillframe-has-none.so"), nullptr);
}

TEST_F(NativeStepsTest, RegistersThatLeadNowhereEndIt) {
  steps_.UseLibunwind(modules_);
  UnwindRegisters registers = {};
  registers.values[arch::kDwarfPc] = reinterpret_cast<uintptr_t>(&qsort) + 40;
  bool is_return = false;
  for (const uintptr_t sp : {uintptr_t{0}, uintptr_t{16}, UINTPTR_MAX - 7}) {
    registers.values[arch::kDwarfSp] = sp;
    steps_.Begin(registers, false);
    UnwindRegisters outer = registers;
    EXPECT_FALSE(steps_.Step(modules_, false, &outer, &is_return));
  }
}

}  // namespace
}  // namespace stillframe::native
