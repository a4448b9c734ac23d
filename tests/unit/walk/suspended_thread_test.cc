// SPDX-License-Identifier: Apache-2.0
// A compiled method that an implicit suspend check stops, as ART does from release 14 on arm64
// (ART 14 runtime/runtime.cc, implicit_suspend_checks_): a load through x21 faults, and ART's
// handler continues in art_quick_implicit_suspend with the address behind the load in x30. ART 11
// calls art_quick_test_suspend instead.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/unit/described_code.h"
#include "tests/unit/walk/walk_test.h"

namespace stillframe::walk {
namespace {

#if defined(__aarch64__)

// In the order of Runtime::callee_save_methods_: kSaveEverythingForSuspendCheck.
constexpr uint32_t kSaveForSuspendCheck = 5;
constexpr uint32_t kFrameBytes = 64;
constexpr uint32_t kStubBytes = arch::kCalleeSaveFrameBytes[kSaveForSuspendCheck];
constexpr uint32_t kCheck = 32;  // offset of the check in its method's code

// ART 14 runtime/arch/arm64/quick_entrypoints_arm64.S, art_quick_implicit_suspend, without most of
// its stores: sub sp, sp, 512; str x30, [sp, 504]; str x0, [sp]; bl; ldr x30, [sp, 504]; add sp,
// sp, 512; br x30.
const std::vector<uint32_t> kStub = {0xd10803ff, 0xf900fffe, 0xf90003e0, 0x94000001,
                                     0xf940fffe, 0x910803ff, 0xd61f03c0};
const std::vector<uint8_t> kStubRules = {
    0x41, 0x0e, 0x80, 0x04,  // behind the sub: def_cfa_offset 512
    0x41, 0x9e, 1,           // behind the str: offset x30 at CFA - 8
    0x43, 0xde,              // behind the ldr: restore x30
    0x41, 0x0e, 0,           // behind the add: def_cfa_offset 0
};

class SuspendedThreadTest : public WalkTest {
 protected:
  SuspendedThreadTest() : stub_(kStub, kStubRules), modules_(new unwind::CodeModules) {
    testbed::quick_code::CodeDescription description;
    description.code_bytes = 128;
    description.frame_bytes = kFrameBytes;
    for (uintptr_t* code : {&code_, &outer_code_}) {
      methods_.push_back(image_.Method());
      *code = image_.PutCode(methods_.back(), image_.Allocate(ArtImage::kCodeRoom), description);
      image_.Put32(*code + kCheck, kSuspendCheck);
      image_.Put32(*code + kCheck + 4, kBlrX0);
    }
    modules_->Add(stub_.module);
    modules_->Add({kLibrary, kLibrary + kLibraryBytes, 0, 0, 0, 0});
    image_.facts().modules = modules_.get();
    stub_frame_ = image_.QuickFrames(1024, {image_.CalleeSave(kSaveForSuspendCheck),
                                            {methods_[0], kFrameBytes},
                                            {methods_[1], kFrameBytes}});
    frame_ = stub_frame_ + kStubBytes;
    image_.PutPointer(frame_ + kFrameBytes - sizeof(uintptr_t), outer_code_ + kCheck + 8);
    image_.SetState(image_.layout().state_runnable);
    context_.uc_mcontext.regs[19] = image_.thread();
  }

  // The stub has made its frame up to its instruction `i`.
  WalkedStack WalkInStub(uint32_t i) {
    const bool has_frame = i >= 1 && i <= 5;
    const bool is_stored = i >= 2 && i <= 4;
    auto& machine = context_.uc_mcontext;
    machine.pc = stub_.At(i);
    machine.sp = has_frame ? stub_frame_ : frame_;
    machine.regs[30] = is_stored ? 0 : code_ + kCheck + 4;
    image_.PutPointer(frame_ - sizeof(uintptr_t), i >= 2 ? code_ + kCheck + 4 : 0);
    const arch::Registers registers = arch::RegistersOf(context_);
    return WalkImage(&registers);
  }
  void ExpectWhole(const WalkedStack& walked) {
    EXPECT_EQ(walked.truncation, core::Truncation::kNone);
    ExpectMethods(walked, methods_);
  }

  DescribedCode stub_;
  std::unique_ptr<unwind::CodeModules> modules_;  // large
  std::vector<uintptr_t> methods_;
  uintptr_t code_ = 0;
  uintptr_t outer_code_ = 0;
  uintptr_t stub_frame_ = 0;
  uintptr_t frame_ = 0;
  ucontext_t context_ = {};
};

// ART's handler blocks most signals (ART 14 runtime/fault_handler.cc, FaultManager::Init), so
// SIGPROF comes at the stub's first instruction.
TEST_P(SuspendedThreadTest, IsWalkedWholeFromEachInstructionOfTheStub) {
  image_.SetTop(0, image_.Fragment(0, 0, 0), 0);
  for (uint32_t i = 0; i < kStub.size(); ++i) {
    SCOPED_TRACE("instruction " + std::to_string(i));
    ExpectWhole(WalkInStub(i));
  }
}

TEST_P(SuspendedThreadTest, IsWalkedWholeAtTheCheck) {
  image_.SetTop(0, image_.Fragment(0, 0, 0), 0);
  auto& machine = context_.uc_mcontext;
  machine.pc = code_ + kCheck;
  machine.sp = frame_;
  machine.regs[21] = 0;  // the trigger
  const arch::Registers registers = arch::RegistersOf(context_);
  ExpectWhole(WalkImage(&registers));
}

// The thread waits in the stub's callee, and no longer in the runnable state.
TEST_P(SuspendedThreadTest, IsWalkedWholeByItsTopQuickFrame) {
  image_.PutPointer(frame_ - sizeof(uintptr_t), code_ + kCheck + 4);
  image_.SetTop(stub_frame_, 0, 0);
  image_.SetState(ArtImage::kNativeState);
  ExpectWhole(WalkImage());
}

INSTANTIATE_TEST_SUITE_P(Rows, SuspendedThreadTest, testing::Range(0U, KnownLayouts().count),
                         RowName);

#endif

}  // namespace
}  // namespace stillframe::walk
