// SPDX-License-Identifier: Apache-2.0
// libunwind beside our own steps, on this very stack.
#include "src/native/native_steps.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "src/elf/loaded_modules.h"

namespace stillframe::native {
namespace {

using arch::UnwindRegisters;
using Kind = LibunwindAccount::Kind;

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
  static bool IsWithLibunwind() { return *Libunwind::LibraryName() != '\0'; }

  unwind::CodeModules modules_;
  NativeSteps steps_;
  struct sigaction before_ = {};
};

TEST_F(NativeStepsTest, BothFindTheSame) {
  if (!IsWithLibunwind()) GTEST_SKIP() << "a build without libunwind";
  const std::vector<uintptr_t> own = StepsFromQsort();
  EXPECT_GT(own.size(), 5U);
  EXPECT_EQ(steps_.account().frames, 0U);
  ASSERT_TRUE(steps_.Choose(StepsBy::kBoth, modules_));
  EXPECT_EQ(StepsFromQsort().size(), own.size());
  // None was found by ours alone.
  EXPECT_EQ(steps_.account().frames, own.size());
  for (const Kind kind : {Kind::kDifferent, Kind::kNoCall, Kind::kGuess})
    EXPECT_EQ(steps_.account().count(kind), 0U) << LibunwindAccount::Name(kind);
}

TEST_F(NativeStepsTest, LibunwindAloneFindsThemToo) {
  if (!IsWithLibunwind()) GTEST_SKIP() << "a build without libunwind";
  std::vector<uintptr_t> own = StepsFromQsort();
  ASSERT_TRUE(steps_.Choose(StepsBy::kLibunwind, modules_));
  std::vector<uintptr_t> theirs = StepsFromQsort();
  ASSERT_EQ(theirs.size(), own.size());
  EXPECT_EQ(steps_.account().frames, own.size());
  // The same but for where StepsFromQsort itself was called.
  EXPECT_TRUE(std::equal(own.begin(), own.begin() + 4, theirs.begin()));
}

TEST_F(NativeStepsTest, WithoutTheLibraryOursIsLeft) {
  Libunwind none;
  EXPECT_FALSE(none.Open(modules_, "libstillframe-has-none.so"));
  if (IsWithLibunwind()) return;
  EXPECT_FALSE(steps_.Choose(StepsBy::kBoth, modules_));
  EXPECT_EQ(steps_.by(), StepsBy::kOwn);
  EXPECT_GT(StepsFromQsort().size(), 5U);
}

TEST_F(NativeStepsTest, APlaceIsKeptOnce) {
  LibunwindAccount account;
  for (uintptr_t i = 0; i < 100; ++i) account.Add({Kind::kGuess, i % 50, 0, i, 0});
  account.Add({Kind::kDifferent, 3, 4, 5, 0});
  EXPECT_EQ(account.count(Kind::kGuess), 100U);
  EXPECT_EQ(account.count(Kind::kDifferent), 1U);
  ASSERT_EQ(account.places.size(), LibunwindAccount::kMaxPlaces);
  EXPECT_EQ(account.places[7].pc, 7U);
  EXPECT_EQ(account.places[7].times, 2U);
}

TEST_F(NativeStepsTest, RegistersThatLeadNowhereEndIt) {
  ASSERT_EQ(steps_.Choose(StepsBy::kBoth, modules_), IsWithLibunwind());
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
