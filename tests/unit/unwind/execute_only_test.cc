// SPDX-License-Identifier: Apache-2.0
// Libraries whose instructions cannot be read, as Android 10's on aarch64: their frames are stepped
// over by description alone, and they cost one fault at most.
#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <vector>

#include "src/core/guarded_memory.h"
#include "src/elf/loaded_modules.h"
#include "src/unwind/native_step.h"

namespace stillframe::unwind {
namespace {

constexpr int kDepth = 20;

std::atomic<uint32_t> g_faults{0};
struct sigaction g_recovery = {};

void CountFault(int signal, siginfo_t* info, void* context) {
  g_faults.fetch_add(1, std::memory_order_relaxed);
  g_recovery.sa_sigaction(signal, info, context);
}

struct Walked {
  uint32_t frames = 0;   // in the guest
  bool is_home = false;  // it came back to the test
  uint32_t faults = 0;
};

class ExecuteOnlyTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ASSERT_EQ(core::InstallFaultRecovery(sigaction), 0);
    ASSERT_EQ(sigaction(SIGSEGV, nullptr, &g_recovery), 0);
    struct sigaction counting = g_recovery;
    counting.sa_sigaction = CountFault;
    ASSERT_EQ(sigaction(SIGSEGV, &counting, nullptr), 0);
  }

  void SetUp() override {
    handle_ = dlopen(STILLFRAME_GUEST_SMALL, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle_, nullptr);
    call_ = reinterpret_cast<int (*)(int, int (*)())>(dlsym(handle_, "guest_call"));
    ASSERT_NE(call_, nullptr);
    elf::OpenLoadedModules(&modules_);
    ASSERT_TRUE(modules_.Find(reinterpret_cast<uintptr_t>(call_), &guest_));
    ASSERT_TRUE(guest_.HoldsCode(reinterpret_cast<uintptr_t>(call_)));
  }
  void TearDown() override {
    test_ = nullptr;
    if (handle_ != nullptr) dlclose(handle_);
  }

  // Walks so often from the guest's innermost call, while its code is unreadable.
  [[gnu::noinline]] void WalkInGuest(uint32_t times) {
    test_ = this;
    times_ = times;
    home_ = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    ASSERT_EQ(call_(kDepth, WalkFromGuest), kDepth + 1);
  }

  void Protect(int protection) const {
    const uintptr_t page = static_cast<uintptr_t>(getpagesize());
    const uintptr_t begin = (guest_.begin + guest_.code_begin) & ~(page - 1);
    const uintptr_t end = (guest_.begin + guest_.code_end + page - 1) & ~(page - 1);
    ASSERT_EQ(mprotect(reinterpret_cast<void*>(begin), end - begin, protection), 0);
  }

  static int WalkFromGuest() {
    ucontext_t context;
    getcontext(&context);
    test_->readable_ = test_->Walk(context);
    test_->Protect(PROT_NONE);
    for (uint32_t i = 0; i < test_->times_; ++i) test_->walked_.push_back(test_->Walk(context));
    test_->Protect(PROT_READ | PROT_EXEC);
    return 0;
  }

  Walked Walk(const ucontext_t& context) const {
    Walked walked;
    const uint32_t before = g_faults;
    arch::UnwindRegisters registers;
    arch::FillUnwindRegisters(context, &registers);
    CodeModule module;
    if (!modules_.Find(registers.pc(), &module)) return walked;
    for (bool is_call = false;
         StepNativeFrame(modules_, is_call, &module, &registers) && !walked.is_home;
         is_call = true) {
      walked.frames += guest_.Holds(registers.pc()) ? 1U : 0U;
      walked.is_home = registers.pc() == home_;
    }
    walked.faults = g_faults - before;
    return walked;
  }

  static inline ExecuteOnlyTest* test_ = nullptr;
  static inline CodeModules modules_;  // large
  void* handle_ = nullptr;
  int (*call_)(int, int (*)()) = nullptr;
  CodeModule guest_ = {};
  uintptr_t home_ = 0;
  uint32_t times_ = 0;
  Walked readable_ = {};  // the same stack while the code can be read
  std::vector<Walked> walked_;
};

TEST_F(ExecuteOnlyTest, OneFaultTellsThatCodeCannotBeRead) {
  WalkInGuest(3);
  ASSERT_EQ(walked_.size(), 3U);
  EXPECT_GT(readable_.frames, 1U);  // as many as the compiler left calls
  EXPECT_EQ(readable_.faults, 0U);
  for (const Walked& walked : walked_) {
    EXPECT_EQ(walked.frames, readable_.frames);
    EXPECT_TRUE(walked.is_home);
  }
  EXPECT_EQ(walked_[0].faults, 1U);
  EXPECT_EQ(walked_[1].faults, 0U);
  EXPECT_EQ(walked_[2].faults, 0U);
  EXPECT_FALSE(modules_.TryCode(reinterpret_cast<uintptr_t>(call_)));
  // A library loaded at this place later is tried again.
  ASSERT_EQ(dlclose(handle_), 0);
  modules_.Refresh();
  handle_ = dlopen(STILLFRAME_GUEST_LARGE, RTLD_NOW | RTLD_LOCAL);
  modules_.Refresh();
  EXPECT_TRUE(modules_.CanReadCode(guest_));
}

TEST_F(ExecuteOnlyTest, SegmentsThatSaySoCostNone) {
  // The header that the dynamic linker has mapped, as a linker writes it with --execute-only.
  const uintptr_t page = static_cast<uintptr_t>(getpagesize());
  auto* const start = reinterpret_cast<void*>(guest_.begin);
  ASSERT_EQ(mprotect(start, page, PROT_READ | PROT_WRITE), 0);
  const auto* header = static_cast<const ElfW(Ehdr)*>(start);
  auto* segments = reinterpret_cast<ElfW(Phdr)*>(guest_.begin + header->e_phoff);
  for (uint32_t i = 0; i < header->e_phnum; ++i)
    if (segments[i].p_type == PT_LOAD && (segments[i].p_flags & PF_X) != 0)
      segments[i].p_flags = PF_X;
  modules_.AddLibrary(guest_.begin);
  CodeModule said;
  ASSERT_TRUE(modules_.Find(guest_.begin, &said));
  EXPECT_FALSE(modules_.CanReadCode(said));
  WalkInGuest(1);
  ASSERT_EQ(walked_.size(), 1U);
  EXPECT_EQ(walked_[0].frames, readable_.frames);
  EXPECT_TRUE(walked_[0].is_home);
  EXPECT_EQ(walked_[0].faults, 0U);
}

// The description is believed for the library's code alone.
TEST_F(ExecuteOnlyTest, DataIsNoCode) {
  EXPECT_FALSE(guest_.HoldsCode(guest_.begin));
  EXPECT_FALSE(guest_.HoldsCode(guest_.end));
}

}  // namespace
}  // namespace stillframe::unwind
