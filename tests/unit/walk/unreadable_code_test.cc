// SPDX-License-Identifier: Apache-2.0
// Walks over code that cannot be read, as libart's on Android 10 for aarch64, whose segments are
// execute-only. The walk ends with its reason, and a library costs one fault. qemu-user and x86 do
// read such code, so the test takes every access away: guarded loads fault there.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <vector>

#include "tests/unit/walk/walk_test.h"

namespace stillframe::walk {
namespace {

std::atomic<uint32_t> g_code_faults{0};
struct sigaction g_before = {};

void CountCodeFault(int signal, siginfo_t* info, void* context) {
  g_code_faults.fetch_add(1, std::memory_order_relaxed);
  g_before.sa_sigaction(signal, info, context);
}

class UnreadableCodeTest : public WalkTest {
 protected:
  static constexpr uint32_t kFrameBytes = 64;
  static constexpr uint32_t kCall = 40;  // offset of a return address in its method's code
  static constexpr uint32_t kSaveEverything = 3;
  // Limit for a walk over compiled code of no library: each way to find its method may fault.
  static constexpr uint32_t kMostFaults = 16;

  UnreadableCodeTest() : modules_(new unwind::CodeModules) {
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    bytes_ = 2 * page;
    library_ = (image_.Allocate(2 * bytes_) + page - 1) & ~(page - 1);
    area_ = (image_.Allocate(2 * bytes_) + page - 1) & ~(page - 1);
    modules_->Add({library_, library_ + bytes_, 0, 0, 0, 0, static_cast<uint32_t>(bytes_)});
    modules_->Add({kLibrary, kLibrary + kLibraryBytes, 0, 0, 0, 0});
    image_.facts().modules = modules_.get();
    testbed::quick_code::CodeDescription description;
    description.code_bytes = 128;
    description.frame_bytes = kFrameBytes;
    methods_ = {image_.Method(), image_.Method()};
    inner_code_ = image_.PutCode(methods_[0], image_.Allocate(ArtImage::kCodeRoom), description);
    outer_code_ = image_.PutCode(methods_[1], area_, description);
    const uintptr_t lowest = image_.QuickFrames(1024, {image_.CalleeSave(kSaveEverything),
                                                       {methods_[0], kFrameBytes},
                                                       {methods_[1], kFrameBytes}});
    frame_ = lowest + arch::kCalleeSaveFrameBytes[kSaveEverything];
    image_.PutPointer(frame_ - sizeof(uintptr_t), inner_code_ + kCall);
    image_.SetTop(lowest, 0, 0);
  }
  void SetUp() override {
    ASSERT_EQ(sigaction(SIGSEGV, nullptr, &g_before), 0);
    struct sigaction counting = g_before;
    counting.sa_sigaction = CountCodeFault;
    ASSERT_EQ(sigaction(SIGSEGV, &counting, nullptr), 0);
  }
  void TearDown() override { ASSERT_EQ(sigaction(SIGSEGV, &g_before, nullptr), 0); }

  void ReturnTo(uintptr_t pc) { image_.PutPointer(frame_ + kFrameBytes - sizeof(uintptr_t), pc); }
  void TakeAway(uintptr_t address) {
    ASSERT_EQ(mprotect(reinterpret_cast<void*>(address), bytes_, PROT_NONE), 0);
  }
  // The faults of the next walk.
  uint32_t WalkAndCount(const arch::Registers* registers = nullptr) {
    const uint32_t before = g_code_faults;
    walked_ = WalkImage(registers);
    return g_code_faults - before;
  }
  void ExpectTruncatedBehind(size_t methods, core::Truncation truncation) {
    EXPECT_EQ(walked_.truncation, truncation);
    ASSERT_EQ(walked_.frames.size(), methods + 1);
    for (size_t i = 0; i < methods; ++i) EXPECT_EQ(walked_.frames[i].method, methods_[i]);
    EXPECT_EQ(walked_.frames[methods].kind, core::RawFrameKind::kTruncated);
  }

  std::unique_ptr<unwind::CodeModules> modules_;  // large
  uintptr_t bytes_ = 0;
  uintptr_t library_ = 0;
  uintptr_t area_ = 0;
  std::vector<uintptr_t> methods_;
  uintptr_t inner_code_ = 0;
  uintptr_t outer_code_ = 0;
  uintptr_t frame_ = 0;
  WalkedStack walked_ = {};
};

TEST_P(UnreadableCodeTest, IsWalkedWholeWhileItCanBeRead) {
  ReturnTo(outer_code_ + kCall);
  EXPECT_EQ(WalkAndCount(), 0U);
  EXPECT_EQ(walked_.truncation, core::Truncation::kNone);
  ExpectMethods(walked_, methods_);
}

// Where a method returns into the runtime because its calls are traced.
TEST_P(UnreadableCodeTest, OfALibraryCostsOneFault) {
  ReturnTo(library_ + kCall);
  TakeAway(library_);
  EXPECT_LE(WalkAndCount(), 1U);
  ExpectTruncatedBehind(1, core::Truncation::kUnknownQuickFrame);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(WalkAndCount(), 0U);
  ExpectTruncatedBehind(1, core::Truncation::kUnknownQuickFrame);
}

TEST_P(UnreadableCodeTest, OfALibraryThatIsSaidToBeSoCostsNone) {
  modules_ = std::make_unique<unwind::CodeModules>();
  modules_->Add({library_, library_ + bytes_, 0, 0, 0, 0, static_cast<uint32_t>(bytes_), 0, 1});
  image_.facts().modules = modules_.get();
  ReturnTo(library_ + kCall);
  TakeAway(library_);
  EXPECT_EQ(WalkAndCount(), 0U);
  ExpectTruncatedBehind(1, core::Truncation::kUnknownQuickFrame);
}

// Stores ahead of pc are not read there.
TEST_P(UnreadableCodeTest, ThatMayPushAFragmentCostsOneFault) {
  const uintptr_t fragment = image_.Fragment(
      0, 0, image_.ShadowFrame(methods_[0], 3, image_.ShadowFrame(methods_[1], 4, 0)));
  image_.SetTop(0, fragment, 0);
  TakeAway(library_);
  ucontext_t context = {};
  arch::UnwindRegisters values = {};
  values.values[arch::kDwarfPc] = library_ + kCall;
  values.values[arch::kDwarfSp] = image_.stack();
  arch::StoreUnwindRegisters(values, &context);
  const arch::Registers registers = arch::RegistersOf(context);
  EXPECT_LE(WalkAndCount(&registers), 1U);
  ExpectMethods(walked_, methods_);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(WalkAndCount(&registers), 0U);
  ExpectMethods(walked_, methods_);
}

// ART reads a method's header before its code, so such code is gone rather than execute-only.
TEST_P(UnreadableCodeTest, OfACallerTruncates) {
  ReturnTo(outer_code_ + kCall);
  TakeAway(area_);
  const uint32_t faults = WalkAndCount();
  EXPECT_GE(faults, 1U);
  EXPECT_LE(faults, kMostFaults);
  ExpectTruncatedBehind(1, core::Truncation::kUnknownQuickFrame);
}

TEST_P(UnreadableCodeTest, OfTheRunningMethodTruncates) {
  TakeAway(area_);
  image_.SetState(image_.layout().state_runnable);
  image_.SetTop(0, image_.Fragment(0, 0, 0), 0);
  ucontext_t context = {};
  arch::UnwindRegisters values = {};
  values.values[arch::kMethodRegister] = methods_[1];
  values.values[arch::kDwarfPc] = outer_code_ + kCall;
  values.values[arch::kDwarfSp] = frame_ + kFrameBytes;
  arch::StoreUnwindRegisters(values, &context);
  const arch::Registers registers = arch::RegistersOf(context);
  const uint32_t faults = WalkAndCount(&registers);
  EXPECT_GE(faults, 1U);
  EXPECT_LE(faults, kMostFaults);
  ExpectOnlyTruncation(walked_, core::Truncation::kUnknownCode);
}

INSTANTIATE_TEST_SUITE_P(Rows, UnreadableCodeTest, testing::Range(0U, KnownLayouts().count),
                         RowName);

}  // namespace
}  // namespace stillframe::walk
