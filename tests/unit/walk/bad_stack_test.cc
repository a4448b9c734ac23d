// SPDX-License-Identifier: Apache-2.0
// Inconsistent or oversized stacks: the walk truncates and never guesses.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/walk/method_check.h"
#include "tests/unit/walk/art_image.h"
#include "tests/unit/walk/walk_test.h"

namespace stillframe::walk {
namespace {

using core::RawFrameKind;
using core::Truncation;

class BadStackTest : public WalkTest {};

TEST_P(BadStackTest, WhatIsNoQuickFrameTruncatesItsFragment) {
  const uintptr_t caller = image_.Method();
  const uintptr_t below = image_.Fragment(0, 0, image_.ShadowFrame(caller, 0, 0));
  const uintptr_t quick = image_.QuickFrames(256, {image_.GenericJni(image_.NativeMethod())});
  const uintptr_t no_method = image_.QuickFrames(2048, {{image_.Allocate(64), 208}});
  const uintptr_t odd_method = image_.QuickFrames(4096, {{image_.NativeMethod() + 2, 208}});
  const uintptr_t no_memory = image_.QuickFrames(6144, {{kUnmapped, 208}});
  const uintptr_t only_a_base = image_.QuickFrames(7168, {});
  constexpr uintptr_t kHalf = sizeof(uintptr_t) / 2;
  const bool is_tag = (kHalf & image_.layout().quick_frame_tag_mask) != 0;
  for (const uintptr_t bad : {only_a_base, is_tag ? kUnmapped : quick + kHalf, image_.stack() - 8,
                              image_.facts().stack_high, image_.base() + 512 * 1024, kUnmapped,
                              no_method, odd_method, no_memory}) {
    image_.SetTop(bad, below, 0);
    const WalkedStack walked = WalkImage();
    EXPECT_EQ(walked.truncation, Truncation::kBadQuickFrame) << std::hex << bad;
    ASSERT_EQ(walked.frames.size(), 2U) << std::hex << bad;
    EXPECT_EQ(walked.frames[0].kind, RawFrameKind::kTruncated);
    EXPECT_EQ(walked.frames[1].method, caller) << "the fragments after the truncation are kept";
  }
}

TEST_P(BadStackTest, AQuickFrameOfUnknownSizeTruncatesItsFragment) {
  image_.SetTop(image_.QuickFrames(256, {{image_.Method(), 64}}), 0, 0);
  ExpectOnlyTruncation(WalkImage(), Truncation::kUnknownQuickFrame);
}

TEST_P(BadStackTest, QuickFramesThatRunIntoTheNextFragmentAreTruncated) {
  const uintptr_t native = image_.NativeMethod();
  const uintptr_t next = image_.Fragment(0, 0, 0);
  const uintptr_t last = next - sizeof(uintptr_t);
  image_.PutPointer(last, native);
  image_.SetTop(last | image_.layout().generic_jni_tag, next, 0);
  const WalkedStack walked = WalkImage();
  ASSERT_EQ(walked.frames.size(), 2U);
  EXPECT_EQ(walked.frames[0].method, native);
  EXPECT_EQ(walked.truncation, Truncation::kBadQuickFrame);
}

TEST_P(BadStackTest, UnreadableMemoryTruncatesTheStack) {
  const WalkedStack no_thread = Walk(image_.facts(), 0);
  ExpectOnlyTruncation(no_thread, Truncation::kUnreadable);
  EXPECT_EQ(no_thread.state, 0);
  ExpectOnlyTruncation(Walk(image_.facts(), kUnmapped), Truncation::kUnreadable);
  const uintptr_t method = image_.Method();
  image_.SetTop(0, image_.Fragment(0, 0, image_.ShadowFrame(method, 0, 0)), kUnmapped);
  const WalkedStack walked = WalkImage();
  EXPECT_EQ(walked.truncation, Truncation::kUnreadable);
  ASSERT_EQ(walked.frames.size(), 2U);
  EXPECT_EQ(walked.frames[1].method, method);
}

// The running method's frame is on top before it is linked to its caller's frame: the outer frames
// are lost.
TEST_P(BadStackTest, AShadowFrameThatHasNoLinkYetTruncatesTheStack) {
  const arch::Registers registers{0, image_.stack(), 0};
  const uintptr_t method = image_.Method();
  const uintptr_t below = image_.Fragment(0, 0, 0);
  const uintptr_t frame = below - 2048;
  image_.PutPointer(frame + image_.layout().shadow_method, method);
  image_.SetTop(0, below, frame);
  const WalkedStack walked = WalkImage(&registers);
  EXPECT_EQ(walked.truncation, Truncation::kNoFrames);
  ASSERT_EQ(walked.frames.size(), 2U);
  EXPECT_EQ(walked.frames[0].method, method);
  EXPECT_EQ(WalkImage().truncation, Truncation::kNone)
      << "a thread that stands still is not between two frames";
  // A frame right below the fragment that was pushed for it may have no caller.
  const uintptr_t alone = below - 256;
  image_.PutPointer(alone + image_.layout().shadow_method, method);
  image_.SetTop(0, below, alone);
  EXPECT_EQ(WalkImage(&registers).truncation, Truncation::kNone);
  // Its registers lie between its start and the fragment.
  const uintptr_t wide = below - 256 - 200 * 8;
  image_.PutPointer(wide + image_.layout().shadow_method, method);
  image_.Put32(wide + image_.layout().shadow_dex_pc - 4, 200);
  image_.SetTop(0, below, wide);
  EXPECT_EQ(WalkImage(&registers).truncation, Truncation::kNone);
  // A frame that replaced a compiled one is in the heap.
  image_.SetTop(0, below, image_.ShadowFrame(method, 4, 0));
  EXPECT_EQ(WalkImage(&registers).truncation, Truncation::kNone);
}

TEST_P(BadStackTest, ShadowFramesInACircleEndAtTheLimit) {
  const uintptr_t method = image_.Method();
  const uintptr_t first = image_.ShadowFrame(method, 0, 0);
  const uintptr_t second = image_.ShadowFrame(method, 0, first);
  image_.PutPointer(first + image_.layout().shadow_link, second);
  image_.SetTop(0, 0, second);
  const WalkedStack walked = WalkImage(nullptr, 40);
  EXPECT_EQ(walked.truncation, Truncation::kDepthLimit);
  EXPECT_EQ(walked.frames.size(), 40U);
}

TEST_P(BadStackTest, WhatIsNoFragmentTruncatesTheStack) {
  const uintptr_t method = image_.Method();
  const uintptr_t shadow = image_.ShadowFrame(method, 0, 0);
  const uintptr_t outer = image_.Fragment(0, 0, shadow);
  const uintptr_t inner = image_.Fragment(0, outer, 0);
  for (const uintptr_t none :
       {image_.top(), kUnmapped, outer + sizeof(uintptr_t) / 2, image_.facts().stack_high}) {
    image_.SetTop(0, none, shadow);
    const WalkedStack walked = WalkImage();
    EXPECT_EQ(walked.truncation, Truncation::kBadFragment) << std::hex << none;
    ASSERT_EQ(walked.frames.size(), 2U) << std::hex << none;
    EXPECT_EQ(walked.frames[0].method, method) << "what is inside of it is kept";
  }
  // Two in a circle: one of them is not above the other.
  image_.SetFragment(outer, 0, inner, shadow);
  image_.SetTop(0, inner, 0);
  const WalkedStack walked = WalkImage();
  EXPECT_EQ(walked.truncation, Truncation::kBadFragment);
  ASSERT_EQ(walked.frames.size(), 2U);
}

TEST_P(BadStackTest, TheDepthLimitIsExact) {
  const uintptr_t method = image_.Method();
  uintptr_t frame = 0;
  for (uint32_t i = 0; i < 20; ++i) frame = image_.ShadowFrame(method, i, frame);
  image_.SetTop(0, 0, frame);
  const WalkedStack fits = WalkImage(nullptr, 20);
  EXPECT_EQ(fits.truncation, Truncation::kNone);
  EXPECT_EQ(fits.frames.back().dex_pc, 0U);
  const WalkedStack too_deep = WalkImage(nullptr, 19);
  EXPECT_EQ(too_deep.truncation, Truncation::kDepthLimit);
  ASSERT_EQ(too_deep.frames.size(), 19U);
  EXPECT_EQ(too_deep.frames[17].dex_pc, 2U);
  EXPECT_EQ(too_deep.frames[18].kind, RawFrameKind::kTruncated);
}

TEST_P(BadStackTest, MethodsAreToldFromOtherMemory) {
  const Layout& layout = image_.layout();
  const uintptr_t method = image_.Method();
  EXPECT_TRUE(WalkIsMethod(layout, method));
  EXPECT_FALSE(WalkIsMethod(layout, 0));
  EXPECT_FALSE(WalkIsMethod(layout, method + 4));
  EXPECT_FALSE(WalkIsMethod(layout, kUnmapped));
  EXPECT_FALSE(WalkIsMethod(layout, image_.stack()));
  // An object that is not a class: its class's class is not its own class.
  const uintptr_t object = image_.Allocate(64);
  image_.Put32(object, static_cast<uint32_t>(image_.class_address()));
  const uintptr_t false_method = image_.Allocate(64);
  image_.Put32(false_method + layout.method_declaring_class, static_cast<uint32_t>(object));
  EXPECT_FALSE(WalkIsMethod(layout, false_method));
  // An object whose class is not one is rejected too, before and after a method was seen.
  const uintptr_t classless = image_.Allocate(64);
  const uintptr_t nobodys_method = image_.Allocate(64);
  image_.Put32(nobodys_method + layout.method_declaring_class, static_cast<uint32_t>(classless));
  LastClass last;
  EXPECT_FALSE(WalkIsMethod(layout, nobodys_method, &last));
  EXPECT_TRUE(WalkIsMethod(layout, method, &last));
  EXPECT_FALSE(WalkIsMethod(layout, false_method, &last));
  EXPECT_FALSE(WalkIsMethod(layout, nobodys_method, &last));
}

INSTANTIATE_TEST_SUITE_P(Rows, BadStackTest, testing::Range(0U, KnownLayouts().count), RowName);

}  // namespace
}  // namespace stillframe::walk
