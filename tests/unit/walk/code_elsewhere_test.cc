// SPDX-License-Identifier: Apache-2.0
// Frames that return into code which is not at their method's entry point.
#include "src/walk/code_elsewhere.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "src/walk/code_item.h"
#include "src/walk/compiled_frame.h"
#include "tests/unit/walk/art_image.h"
#include "tests/unit/walk/walk_test.h"

namespace stillframe::walk {
namespace {

using core::RawFrameKind;
using core::Truncation;

// How often the process faults while it lives.
class FaultCount {
 public:
  FaultCount() {
    g_faults = 0;
    struct sigaction action = {};
    sigaction(SIGSEGV, nullptr, &g_recovery);
    action = g_recovery;
    action.sa_flags |= SA_SIGINFO;
    action.sa_sigaction = [](int signal, siginfo_t* info, void* context) {
      g_faults = g_faults + 1;
      g_recovery.sa_sigaction(signal, info, context);
    };
    sigaction(SIGSEGV, &action, nullptr);
  }
  ~FaultCount() { sigaction(SIGSEGV, &g_recovery, nullptr); }
  uint32_t Read() const { return static_cast<uint32_t>(g_faults); }

 private:
  static inline struct sigaction g_recovery = {};
  static inline volatile sig_atomic_t g_faults = 0;
};

// Prologues are read on these CPUs only; elsewhere such frames are truncated.
#if defined(__x86_64__) || defined(__aarch64__)

// A native method and its caller, which was compiled twice. The frame returns into the first code;
// the entry point is the second.
class CodeElsewhereTest : public WalkTest {
 protected:
  static constexpr uint32_t kFrameBytes = 64;
  static constexpr uint32_t kDexRegisters = 5;
  static constexpr uint32_t kSafepoint = 40;
#if defined(__x86_64__)
  static constexpr uint32_t kStore = 4;  // of the method, in the prologue
#else
  static constexpr uint32_t kStore = 8;
#endif

  CodeElsewhereTest() {
    const uintptr_t dex_cache = image_.Allocate(64);
    const uintptr_t dex_file = image_.Allocate(64);
    code_item_ = image_.Allocate(64) + 16;
    image_.Put32(image_.class_address() + layout().class_dex_cache,
                 static_cast<uint32_t>(dex_cache));
    image_.Put64(dex_cache + layout().dex_cache_dex_file, dex_file);
    image_.PutPointer(dex_file + layout().dex_file_begin, image_.Allocate(16));  // no compact dex
    image_.PutPointer(dex_file + layout().dex_file_data_begin, code_item_ - 16);
    image_.PutPointer(dex_file + layout().dex_file_begin, code_item_);  // no compact file's magic
    image_.PutCodeItem(method_, code_item_ - 16, 16);
    image_.Put32(code_item_ + kCodeItemRegisters, kDexRegisters);
    code_ = Compile({});
    Compile({});
    const auto native = image_.GenericJni(image_.NativeMethod());
    const uintptr_t quick = image_.QuickFrames(512, {native, {method_, kFrameBytes}});
    return_address_ = quick + native.bytes - sizeof(uintptr_t);
    image_.PutPointer(return_address_, code_ + kSafepoint);
    caller_ = return_address_ + kFrameBytes;
    image_.PutPointer(caller_, kLibrary + 0x200);
    image_.SetTop(quick | layout().generic_jni_tag, 0, 0);
  }

  const Layout& layout() const { return image_.layout(); }

  // The method's entry point becomes this code.
  uintptr_t Compile(testbed::quick_code::CodeDescription description) {
    description.code_bytes = 256;
    description.frame_bytes = kFrameBytes;
    description.dex_registers = kDexRegisters;
    if (description.safepoints.empty())
      description.safepoints = {{kSafepoint / arch::kInstructionAlignment, 7, {}}};
    const uintptr_t code =
        image_.PutCode(method_, image_.Allocate(ArtImage::kCodeRoom), description);
    PutPrologue(code);
    return code;
  }

  // And a call before the safepoint.
  void PutPrologue(uintptr_t code) {
#if defined(__x86_64__)
    image_.Put32(code, (kFrameBytes - 8) << 24 | 0xec8348);  // sub $56,%rsp
    image_.Put32(code + kStore, 0x243c8948);                 // mov %rdi,(%rsp)
    image_.Put32(code + kSafepoint - 5, 0xe8);               // call
#else
    image_.Put32(code + kSafepoint - 4, 0x94000000);  // bl
#endif
  }

  void ExpectTruncated() {
    const WalkedStack walked = WalkImage();
    EXPECT_EQ(walked.truncation, Truncation::kUnknownQuickFrame);
    ASSERT_EQ(walked.frames.size(), 2U);
    EXPECT_EQ(walked.frames[1].kind, RawFrameKind::kTruncated);
  }

  CodeIndex seen_;
  uintptr_t method_ = image_.Method();
  uintptr_t code_item_ = 0;
  uintptr_t code_ = 0;
  uintptr_t return_address_ = 0;
  uintptr_t caller_ = 0;  // where the frame's own return address is
};

TEST_P(CodeElsewhereTest, AHeaderThatProvesItselfGivesTheFrame) {
  if (layout().code_info == CodeInfoForm::kNone) return ExpectTruncated();
  const WalkedStack walked = WalkImage();
  ASSERT_EQ(walked.frames.size(), 2U);
  EXPECT_EQ(walked.truncation, Truncation::kNone);
  EXPECT_EQ(walked.frames[1].method, method_);
  EXPECT_EQ(walked.frames[1].kind, RawFrameKind::kCompiled);
  CompiledFrame frames[kMaxInlined + 1];
  CompiledCode code = {};
  ASSERT_EQ(MethodsOf(image_.facts(), walked.frames[1], frames, &code), 1U);
  EXPECT_EQ(code.begin, code_);
  EXPECT_EQ(frames[0].method, method_);
  EXPECT_EQ(frames[0].dex_pc, 7U);
}

TEST_P(CodeElsewhereTest, FreedCodeLeavesTheMethodWithoutALine) {
  if (layout().code_info == CodeInfoForm::kNone) return;
  const WalkedStack walked = WalkImage();
  ASSERT_EQ(walked.frames.size(), 2U);
  for (uintptr_t at = code_ - 16; at < code_ + 64; at += 4) image_.Put32(at, 0xcccccccc);
  CompiledFrame frames[kMaxInlined + 1];
  CompiledCode code = {};
  ASSERT_EQ(MethodsOf(image_.facts(), walked.frames[1], frames, &code), 1U);
  EXPECT_EQ(code.bytes, 0U);
  EXPECT_EQ(frames[0].method, method_);
  EXPECT_EQ(frames[0].dex_pc, core::kNoDexPc);
}

TEST_P(CodeElsewhereTest, WhatWasSeenThereIsAskedFirst) {
  if (layout().code_info == CodeInfoForm::kNone) return;
  CompiledCode code = {};
  seen_.Add(code_, 256, method_);
  ASSERT_TRUE(FindCodeElsewhere(layout(), &seen_, method_, code_ + kSafepoint, &code));
  EXPECT_EQ(code.begin, code_);
  // An outdated row does not hide the header.
  seen_.Add(code_ + 16, 256, method_);
  ASSERT_TRUE(FindCodeElsewhere(layout(), &seen_, method_, code_ + kSafepoint, &code));
  EXPECT_EQ(code.begin, code_);
}

TEST_P(CodeElsewhereTest, WhatAnotherMethodLeftBehindDoesNotHideAMethodThatStoredItself) {
  if (layout().code_info == CodeInfoForm::kNone) return;
  CompiledCode code = {};
  const uintptr_t unloaded = image_.Method();
  image_.PutPointer(unloaded + layout().method_entry_point, code_);
  seen_.Add(code_, 256, unloaded);
  ASSERT_TRUE(FindCodeElsewhere(layout(), &seen_, method_, code_ + kSafepoint, &code));
  EXPECT_EQ(code.begin, code_);
  // If the code stores nothing, the entry point alone identifies its method.
  for (const CodeFrame frame : {CodeFrame::kNone, CodeFrame::kBeingMade})
    EXPECT_FALSE(FindCodeElsewhere(layout(), &seen_, method_, code_ + kSafepoint, &code, frame));
}

TEST_P(CodeElsewhereTest, TheBytecodeOfTheMethodHasAsManyRegisters) {
  image_.Put32(code_item_ + kCodeItemRegisters, kDexRegisters + 1);
  ExpectTruncated();
}

TEST_P(CodeElsewhereTest, AMethodWithoutBytecodeHasNone) {
  image_.PutCodeItem(method_, 0, 0);
  ExpectTruncated();
}

TEST_P(CodeElsewhereTest, ThePrologueMakesTheFrame) {
  image_.Put32(code_, 0xcccccccc);
  ExpectTruncated();
}

TEST_P(CodeElsewhereTest, ThePrologueStoresTheMethod) {
  image_.Put32(code_ + kStore, 0x90909090);
  ExpectTruncated();
}

TEST_P(CodeElsewhereTest, ACallerReturnsBehindACall) {
  // The frame above is a method that was called, not a native one.
  const uintptr_t inner = image_.Method();
  testbed::quick_code::CodeDescription description;
  description.code_bytes = 256;
  description.frame_bytes = kFrameBytes;
  const uintptr_t code = image_.PutCode(inner, image_.Allocate(ArtImage::kCodeRoom), description);
  const auto native = image_.GenericJni(image_.NativeMethod());
  const uintptr_t quick =
      image_.QuickFrames(512, {native, {inner, kFrameBytes}, {method_, kFrameBytes}});
  image_.PutPointer(return_address_, code + kSafepoint);
  image_.PutPointer(return_address_ + kFrameBytes, code_ + kSafepoint);
  image_.PutPointer(return_address_ + 2 * kFrameBytes, kLibrary + 0x200);
  image_.SetTop(quick | layout().generic_jni_tag, 0, 0);
  if (layout().code_info != CodeInfoForm::kNone)
    ExpectMethods(WalkImage(), {native.method, inner, method_});
  image_.PutPointer(return_address_ + kFrameBytes, code_ + kSafepoint + 8);
  EXPECT_EQ(WalkImage().truncation, Truncation::kUnknownQuickFrame);
}

TEST_P(CodeElsewhereTest, SafepointsLieInTheCode) {
  const uintptr_t code = Compile({.safepoints = {{260 / arch::kInstructionAlignment, 7, {}}}});
  Compile({});
  image_.PutPointer(return_address_, code + kSafepoint);
  ExpectTruncated();
}

TEST_P(CodeElsewhereTest, TheCallerOfTheFrameFits) {
  image_.PutPointer(caller_, kUnmapped);
  ExpectTruncated();
}

// As when tracing begins while a native method runs: its entry point becomes the generic stub.
TEST_P(CodeElsewhereTest, AFormerStubIsFoundByItsCall) {
  if (layout().code_info == CodeInfoForm::kNone) return;
  const uintptr_t native = image_.NativeMethod();
  testbed::quick_code::CodeDescription description;
  description.code_bytes = 256;
  description.frame_bytes = kFrameBytes + 16;
  const uintptr_t stub = image_.PutCode(native, image_.Allocate(ArtImage::kCodeRoom), description);
#if defined(__x86_64__)
  image_.Put32(stub + kSafepoint - 5, 0xe8);  // call
#else
  image_.Put32(stub + kSafepoint - 4, 0x94000000);    // bl
#endif
  image_.PutPointer(native + layout().method_entry_point, image_.facts().generic_jni_begin);
  const uintptr_t quick = image_.QuickFrames(512, {{native, kFrameBytes + 16}});
  image_.PutPointer(quick - 3 * sizeof(uintptr_t), stub + kSafepoint);
  image_.SetTop(quick, 0, 0);
  const WalkedStack walked = WalkImage();
  ExpectMethods(walked, {native});
  EXPECT_EQ(walked.truncation, Truncation::kNone);
  // Without the call its size is not known.
  image_.PutPointer(quick - 3 * sizeof(uintptr_t), 0);
  EXPECT_EQ(WalkImage().truncation, Truncation::kBadQuickFrame);
}

TEST_P(CodeElsewhereTest, AMethodThatBeginsIsInItsRegister) {
  arch::UnwindRegisters registers = {};
  registers.values[arch::kDwarfPc] = code_;
  registers.values[arch::kDwarfSp] = caller_;
  registers.values[arch::kMethodRegister] = method_;
#if defined(__aarch64__)
  registers.values[arch::kDwarfSp] = caller_ + sizeof(uintptr_t);
  registers.values[arch::kLinkRegister] = kLibrary + 0x200;
#endif
  InnermostFrame found;
  const bool is_known = layout().code_info != CodeInfoForm::kNone;
  ASSERT_EQ(FindLiveCompiledFrame(image_.facts(), registers, 0, false, &found), is_known);
  if (!is_known) return;
  EXPECT_EQ(found.method, method_);
  EXPECT_EQ(found.place.frame, caller_ + sizeof(uintptr_t));
  CompiledFrame frames[kMaxInlined + 1];
  CompiledCode code = {};
  const uint32_t tag = WalkMethodTag(layout(), method_, found.code_mark);
  const core::RawFrame raw = {method_, found.dex_pc, RawFrameKind::kCompiled, tag & 0xffffff};
  ASSERT_EQ(MethodsOf(image_.facts(), raw, frames, &code), 1U);
  EXPECT_EQ(code.begin, code_);
  // Another method in that register has no such code.
  image_.Put32(code_item_ + kCodeItemRegisters, kDexRegisters + 1);
  EXPECT_FALSE(FindLiveCompiledFrame(image_.facts(), registers, 0, false, &found));
}

// Its header describes the stub of a @CriticalNative method, whose caller would be searched for on
// the stack: the method's frame would be left out.
TEST_P(CodeElsewhereTest, AMethodThatStoresItselfIsNoStub) {
  testbed::quick_code::CodeDescription description;
  description.code_bytes = 256;
  const uintptr_t code = image_.PutCode(method_, image_.Allocate(ArtImage::kCodeRoom), description);
  PutPrologue(code);
  Compile({});
  const uintptr_t outer = image_.Method();
  description.frame_bytes = kFrameBytes;
  const uintptr_t outer_code =
      image_.PutCode(outer, image_.Allocate(ArtImage::kCodeRoom), description);
  PutPrologue(outer_code);
  image_.PutPointer(caller_, outer_code + kSafepoint);
  image_.PutPointer(caller_ + sizeof(uintptr_t), outer);
  arch::UnwindRegisters registers = {};
  registers.values[arch::kDwarfPc] = code + kSafepoint;
  registers.values[arch::kDwarfSp] = caller_ - kFrameBytes + sizeof(uintptr_t);
  InnermostFrame found;
  for (const bool is_call : {false, true})
    EXPECT_FALSE(FindLiveCompiledFrame(image_.facts(), registers, 0, is_call, &found));
}

// A fault costs some thousand times as much as a load, and a signal handler must be quick.
TEST_P(CodeElsewhereTest, WordsThatLookLikeHeadersCostFewFaults) {
  constexpr size_t kReserved = 4 << 20;
  constexpr size_t kCode = 128 << 10;
  auto* memory =
      static_cast<char*>(mmap(nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  char* code = memory + kReserved - kCode;
  ASSERT_EQ(mprotect(code, kCode, PROT_READ | PROT_WRITE), 0);
  // A word that fits each kind of header: CodeInfo a megabyte below, or code of a megabyte.
  const uint32_t word =
      1U << 20 | (layout().method_header == MethodHeader::kCodeInfoOffset ? 1U << 30 : 0);
  for (size_t at = 0; at < kCode; at += sizeof word) memcpy(code + at, &word, sizeof word);
  const auto pc = reinterpret_cast<uintptr_t>(code + kCode - 64);

  FaultCount faults;
  CompiledCode found = {};
  EXPECT_FALSE(FindCodeElsewhere(layout(), nullptr, method_, pc, &found));
  EXPECT_EQ(faults.Read(), 0U) << "its instructions make no frame";
  EXPECT_FALSE(FindCodeElsewhere(layout(), nullptr, method_, pc, &found, CodeFrame::kNone));
  EXPECT_LE(faults.Read(), 64U);
  munmap(memory, kReserved);
}

#if defined(__x86_64__)
TEST_P(CodeElsewhereTest, AMethodThatIsNotStoredYetIsLeftFromAnotherFrame) {
  arch::UnwindRegisters registers = {};
  registers.values[arch::kDwarfPc] = code_ + kStore;
  registers.values[arch::kDwarfSp] = caller_ - kFrameBytes + sizeof(uintptr_t);
  InnermostFrame found;
  const bool is_known = layout().code_info != CodeInfoForm::kNone;
  registers.values[arch::kDwarfPc] += 4;
  EXPECT_EQ(FindLiveCompiledFrame(image_.facts(), registers, 0, false, &found), is_known);
  registers.values[arch::kDwarfPc] -= 4;
  EXPECT_FALSE(FindLiveCompiledFrame(image_.facts(), registers, 0, false, &found));
}

TEST_P(CodeElsewhereTest, ADroppedFrameTellsItsMethodAndThePc) {
  if (layout().code_info == CodeInfoForm::kNone) return;
  image_.Put32(code_ + 100, 0x38c48348);  // add $56,%rsp
  image_.Put32(code_ + 104, 0xccccccc3);  // ret
  arch::UnwindRegisters registers = {};
  registers.values[arch::kDwarfPc] = code_ + 104;
  registers.values[arch::kDwarfSp] = caller_;
  InnermostFrame found;
  ASSERT_TRUE(FindLiveCompiledFrame(image_.facts(), registers, 0, false, &found));
  EXPECT_EQ(found.place.frame, caller_ + sizeof(uintptr_t));
  EXPECT_EQ(found.method, method_);
  EXPECT_EQ(found.code_mark, CodeMarkOf(WalkImage().frames[1].tag));
  EXPECT_EQ(found.dex_pc, RawPc(code_ + 104));
}
#endif

INSTANTIATE_TEST_SUITE_P(Rows, CodeElsewhereTest, testing::Range(0U, KnownLayouts().count),
                         RowName);

#endif

}  // namespace
}  // namespace stillframe::walk
