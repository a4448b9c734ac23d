// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/walk/walk_test.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/walk/code_elsewhere.h"
#include "tests/unit/walk/art_image.h"

namespace stillframe::walk {
namespace {

using core::RawFrameKind;
using core::Truncation;

TEST_P(WalkTest, AStackWithoutFramesIsTruncated) {
  image_.SetTop(0, 0, 0);
  ExpectOnlyTruncation(WalkImage(), Truncation::kNoFrames);
}

TEST_P(WalkTest, ReturnsTheThreadState) {
  image_.SetState(92);
  EXPECT_EQ(WalkImage().state, 92);
}

TEST_P(WalkTest, WalksShadowFramesInnermostFirst) {
  const uintptr_t outer = image_.Method();
  const uintptr_t inner = image_.Method();
  const uintptr_t frame = image_.ShadowFrame(outer, 30, 0);
  image_.SetTop(0, 0, image_.ShadowFrame(inner, 7, frame));
  const WalkedStack walked = WalkImage();
  ExpectMethods(walked, {inner, outer});
  EXPECT_EQ(walked.frames[0].dex_pc, 7U);
  EXPECT_EQ(walked.frames[1].dex_pc, 30U);
  EXPECT_EQ(walked.frames[0].kind, RawFrameKind::kInterpreted);
  EXPECT_EQ(walked.truncation, Truncation::kNone);
}

TEST_P(WalkTest, AFragmentWithFramesThatHasNoLinkIsNotTheLast) {
  image_.SetFragment(image_.top(), 0, 0, image_.ShadowFrame(image_.Method(), 7, 0));
  const WalkedStack walked = WalkImage();
  EXPECT_EQ(walked.frames.size(), 2U);
  EXPECT_EQ(walked.truncation, Truncation::kNoFrames);
}

TEST_P(WalkTest, TakesTheDexPcFromThePointerWhereThereIsOne) {
  const uintptr_t code = image_.Allocate(256);
  image_.SetTop(0, 0, image_.MterpFrame(image_.Method(), code, 21, 0));
  EXPECT_EQ(WalkImage().frames.at(0).dex_pc, 21U);
}

TEST_P(WalkTest, TakesTheLiveDexPcOfMterpForTheInnermostFrameOnly) {
  if (image_.layout().shadow_dex_pc_ptr == kNoField) return;  // no release with mterp
  image_.facts().mterp_begin = kMterpCode;
  image_.facts().mterp_end = kMterpCode + 0x8000;
  const uintptr_t code = image_.Allocate(256);
  const uintptr_t outer = image_.MterpFrame(image_.Method(), code, 5, 0);
  image_.SetTop(0, 0, image_.MterpFrame(image_.Method(), code, 6, outer));
  const arch::Registers inside{kMterpCode + 0x10, image_.stack(), code + 2 * 9};
  EXPECT_EQ(WalkImage(&inside).frames.at(0).dex_pc, 9U);
  EXPECT_EQ(WalkImage(&inside).frames.at(1).dex_pc, 5U);
  // Elsewhere, at an odd address or in other code, the register means something else.
  for (const arch::Registers& registers :
       {arch::Registers{kMterpCode - 1, image_.stack(), code + 18},
        arch::Registers{kMterpCode + 0x8000, image_.stack(), code + 18},
        arch::Registers{kMterpCode, image_.stack(), code + 19},
        arch::Registers{kMterpCode, image_.stack(), code - 2},
        arch::Registers{kMterpCode, image_.stack(), code + (1U << 17)}})
    EXPECT_EQ(WalkImage(&registers).frames.at(0).dex_pc, 6U);
}

TEST_P(WalkTest, WalksANativeMethodAboveInterpretedOnes) {
  const uintptr_t native = image_.NativeMethod();
  const uintptr_t caller = image_.Method();
  const uintptr_t quick = image_.QuickFrames(512, {image_.GenericJni(native)});
  const uintptr_t below = image_.Fragment(0, 0, image_.ShadowFrame(caller, 3, 0));
  image_.SetTop(quick | image_.layout().generic_jni_tag, below, 0);
  const WalkedStack walked = WalkImage();
  ExpectMethods(walked, {native, caller});
  EXPECT_EQ(walked.frames[0].kind, RawFrameKind::kJni);
  EXPECT_EQ(walked.frames[0].dex_pc, core::kNoDexPc);
  EXPECT_EQ(walked.truncation, Truncation::kNone);
}

TEST_P(WalkTest, AJniFrameWithReferencesIsAsLongAsItsHandleScope) {
  const uint32_t at = image_.layout().jni_handle_count;
  if (at == 0) return;
  const uintptr_t native = image_.NativeMethod();
  const uintptr_t caller = image_.NativeMethod();
  // Numbers whose frames end alike for both pointer sizes.
  for (const auto& [references, extra] : {std::pair{1U, 16U}, {5U, 32U}, {9U, 48U}}) {
    const ArtImage::QuickFrame frame{native, arch::kGenericJniFrameBytes + extra};
    const uintptr_t quick =
        image_.QuickFrames(512, {frame, image_.CalleeSave(0), image_.GenericJni(caller)});
    image_.Put32(quick + at, references);
    image_.SetTop(quick | image_.layout().generic_jni_tag, 0, 0);
    ExpectMethods(WalkImage(), {native, caller});
    image_.Put32(quick + at, 257);
    EXPECT_EQ(WalkImage().truncation, Truncation::kBadQuickFrame);
  }
}

TEST_P(WalkTest, NoNativeMethodCallsAnotherWithinAFragment) {
  const auto frame = image_.GenericJni(image_.NativeMethod());
  image_.SetTop(image_.QuickFrames(512, {frame, frame}) | image_.layout().generic_jni_tag, 0, 0);
  const WalkedStack walked = WalkImage();
  EXPECT_EQ(walked.frames.size(), 2U);
  EXPECT_EQ(walked.truncation, Truncation::kBadQuickFrame);
}

TEST_P(WalkTest, ANullEndsTheFragmentOnlyWhereTheRuntimeCalled) {
  const uintptr_t native = image_.NativeMethod();
  const auto frame = image_.GenericJni(native);
  const uintptr_t quick = image_.QuickFrames(512, {frame});
  image_.SetTop(quick | image_.layout().generic_jni_tag, 0, 0);
  ExpectMethods(WalkImage(), {native});
  for (const uintptr_t elsewhere : {uintptr_t{0}, kUnmapped, kLibrary + kLibraryBytes}) {
    image_.PutPointer(quick + frame.bytes - sizeof(uintptr_t), elsewhere);
    EXPECT_EQ(WalkImage().truncation, Truncation::kBadQuickFrame);
  }
}

TEST_P(WalkTest, ACallOfAProxyIsOnTopOfItsFragment) {
  const uintptr_t proxy = image_.Method();
  const ArtImage::QuickFrame frame{proxy, arch::kCalleeSaveFrameBytes[2]};
  const uintptr_t quick = image_.QuickFrames(512, {frame});
  const uintptr_t entry_point = proxy + image_.layout().method_entry_point;
  const uintptr_t return_address = quick + frame.bytes - sizeof(uintptr_t);
  image_.PutPointer(entry_point, kLibrary + 0x100);
  image_.PutPointer(return_address, kLibrary + 0x200);
  image_.SetTop(quick, 0, 0);
  const WalkedStack walked = WalkImage();
  ExpectMethods(walked, {proxy});
  EXPECT_EQ(walked.frames[0].dex_pc, core::kNoDexPc);
  EXPECT_EQ(walked.truncation, Truncation::kNone);
  // The proxy's code must be the runtime's, and its caller must be known code.
  image_.PutPointer(return_address, kUnmapped);
  ExpectOnlyTruncation(WalkImage(), Truncation::kUnknownQuickFrame);
  image_.PutPointer(return_address, kLibrary + 0x200);
  image_.PutPointer(entry_point, kUnmapped);
  ExpectOnlyTruncation(WalkImage(), Truncation::kUnknownQuickFrame);
}

// A native method on top of compiled ones, and an interpreted caller in the next fragment.
TEST_P(WalkTest, CompiledFramesReturnIntoTheirOwnCode) {
  testbed::quick_code::CodeDescription description;
  description.code_bytes = 256;
  description.frame_bytes = 64;
  const auto native = image_.GenericJni(image_.NativeMethod());
  const uintptr_t inner = image_.Method();
  const uintptr_t outer = image_.Method();
  const uintptr_t caller = image_.Method();
  std::vector<uintptr_t> code;
  for (const uintptr_t method : {inner, outer})
    code.push_back(image_.PutCode(method, image_.Allocate(ArtImage::kCodeRoom), description));
  const uintptr_t quick = image_.QuickFrames(512, {native, {inner, 64}, {outer, 64}});
  const uintptr_t to_inner = quick + native.bytes - sizeof(uintptr_t);
  const uintptr_t to_outer = to_inner + 64;
  image_.PutPointer(to_inner, code[0] + 40);
  image_.PutPointer(to_outer, code[1] + 40);
  image_.SetTop(quick | image_.layout().generic_jni_tag,
                image_.Fragment(0, 0, image_.ShadowFrame(caller, 3, 0)), 0);
  ExpectMethods(WalkImage(), {native.method, inner, outer, caller});
  // A place without a header that proves itself (for one that does, see code_elsewhere_test.cc);
  // the code of another method; a stub through which the runtime sees returns (ART 11
  // runtime/instrumentation.cc, InstrumentationInstallStack).
  for (const uintptr_t elsewhere : {code[1] + 4096, code[0] + 40, kLibrary}) {
    image_.PutPointer(to_outer, elsewhere);
    const WalkedStack walked = WalkImage();
    EXPECT_EQ(walked.truncation, Truncation::kUnknownQuickFrame);
    ASSERT_EQ(walked.frames.size(), 4U);
    EXPECT_EQ(walked.frames[1].method, inner);
    EXPECT_EQ(walked.frames[2].kind, RawFrameKind::kTruncated);
    EXPECT_EQ(walked.frames[3].method, caller) << "the fragments after the truncation are kept";
  }
}

// The same method again and again, and others between them.
TEST_P(WalkTest, WalksRecursionOfCompiledMethods) {
  std::vector<ArtImage::QuickFrame> frames;
  std::vector<uintptr_t> returns;
  std::vector<uintptr_t> expected;
  for (uint32_t i = 0; i < 12; ++i) {
    testbed::quick_code::CodeDescription description;
    description.code_bytes = 256;
    description.frame_bytes = 32 + 16 * i;
    const uintptr_t method = image_.Method();
    const uintptr_t area = image_.Allocate(ArtImage::kCodeRoom);
    returns.push_back(image_.PutCode(method, area, description) + 40);
    frames.push_back({method, description.frame_bytes});
  }
  std::vector<ArtImage::QuickFrame> stack = {image_.GenericJni(image_.NativeMethod())};
  for (const uint32_t i : {0U, 1U, 0U, 0U, 8U, 1U, 8U, 0U, 9U, 10U, 11U, 3U, 0U, 11U, 3U}) {
    stack.push_back(frames[i]);
    expected.push_back(returns[i]);
  }
  uintptr_t at = image_.QuickFrames(512, stack);
  image_.SetTop(at | image_.layout().generic_jni_tag, 0, 0);
  std::vector<uintptr_t> methods;
  for (size_t i = 0; i < stack.size(); ++i) {
    at += stack[i].bytes;
    methods.push_back(stack[i].method);
    if (i < expected.size()) image_.PutPointer(at - sizeof(uintptr_t), expected[i]);
  }
  const WalkedStack walked = WalkImage();
  ExpectMethods(walked, methods);
  EXPECT_EQ(walked.truncation, Truncation::kNone);
  for (size_t i = 1; i < walked.frames.size(); ++i)
    EXPECT_EQ(walked.frames[i].dex_pc, RawPc(expected[i - 1]));
}

TEST_P(WalkTest, SkipsCalleeSaveFramesOfAllTypes) {
  const uintptr_t native = image_.NativeMethod();
  std::vector<ArtImage::QuickFrame> frames;
  for (uint32_t type = 0; type < kCalleeSaveMethods; ++type)
    frames.push_back(image_.CalleeSave(type));
  frames.push_back(image_.GenericJni(native));
  image_.SetTop(image_.QuickFrames(64, frames), 0, 0);
  const WalkedStack walked = WalkImage();
  ExpectMethods(walked, {native});
  EXPECT_EQ(walked.truncation, Truncation::kNone);
}

TEST_P(WalkTest, WalksThreeFragmentsOfBothKinds) {
  const uintptr_t called_back = image_.Method();
  const uintptr_t native = image_.NativeMethod();
  const uintptr_t first = image_.Method();
  const uintptr_t bottom = image_.Fragment(0, 0, image_.ShadowFrame(first, 1, 0));
  const uintptr_t quick =
      image_.QuickFrames(1024, {image_.GenericJni(native), image_.CalleeSave(2)});
  const uintptr_t middle = image_.Fragment(quick | image_.layout().generic_jni_tag, bottom, 0);
  image_.SetTop(0, middle, image_.ShadowFrame(called_back, 2, 0));
  ExpectMethods(WalkImage(), {called_back, native, first});
}

TEST_P(WalkTest, TheTopQuickFrameOfARunningThreadIsNotBelieved) {
  const uintptr_t caller = image_.Method();
  const uintptr_t stale = image_.QuickFrames(64, {image_.GenericJni(image_.NativeMethod())});
  image_.SetTop(stale, image_.Fragment(0, 0, image_.ShadowFrame(caller, 0, 0)), 0);
  image_.SetState(image_.layout().state_runnable);
  const WalkedStack from_outside = WalkImage();
  EXPECT_EQ(from_outside.truncation, Truncation::kNoRegisters);
  ASSERT_EQ(from_outside.frames.size(), 2U);
  EXPECT_EQ(from_outside.frames[1].method, caller);
  // Registers that lead nowhere.
  const ucontext_t nowhere = {};
  const arch::Registers registers{0, 0, 0, &nowhere};
  EXPECT_EQ(WalkImage(&registers).truncation, Truncation::kUnknownCode);
  EXPECT_EQ(WalkImage(&registers).frames.size(), 2U);
}

TEST_P(WalkTest, AFragmentThatIsBeingCopiedCountsOnce) {
  const arch::Registers registers{0, image_.stack(), 0};
  const uintptr_t method = image_.Method();
  const uintptr_t shadow = image_.ShadowFrame(method, 4, 0);
  image_.SetTop(0, image_.Fragment(0, 0, shadow), shadow);
  ExpectMethods(WalkImage(&registers), {method});
  const uintptr_t native = image_.NativeMethod();
  const uintptr_t quick =
      image_.QuickFrames(128, {image_.GenericJni(native)}) | image_.layout().generic_jni_tag;
  image_.SetTop(quick, image_.Fragment(quick, 0, 0), 0);
  ExpectMethods(WalkImage(&registers), {native});
}

INSTANTIATE_TEST_SUITE_P(Rows, WalkTest, testing::Range(0U, KnownLayouts().count), RowName);

}  // namespace
}  // namespace stillframe::walk
