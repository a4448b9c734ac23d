// SPDX-License-Identifier: Apache-2.0
// Native code of this very process as frames of trees.
#include "src/native/native_frames.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include "src/elf/loaded_modules.h"

namespace stillframe::native {
namespace {

class NativeFramesTest : public testing::Test {
 protected:
  void SetUp() override {
    elf::OpenLoadedModules(&modules_);
    facts_.modules = &modules_;
  }
  std::vector<trace::FrameId> Resolve(const NativePart& part) {
    std::vector<trace::FrameId> stack;
    native_.Resolve(part, &stack);
    return stack;
  }
  static uintptr_t Random() { return reinterpret_cast<uintptr_t>(&random) + 1; }

  unwind::CodeModules modules_;
  walk::RuntimeFacts facts_;
  trace::FrameTable frames_;
  NativeFrames native_{facts_, &frames_};
};

TEST_F(NativeFramesTest, AreNamedByTheirLibraries) {
  int local = 0;
  const auto nowhere = reinterpret_cast<uintptr_t>(&local);
  const std::vector<trace::FrameId> stack =
      Resolve({.absent = "", .is_truncated = false, .pcs = {Random(), nowhere, Random()}});
  ASSERT_EQ(stack.size(), 3U);
  EXPECT_EQ(stack[0], stack[2]);
  EXPECT_EQ(frames_.MethodName(stack[0]), "random");
  EXPECT_NE(frames_.ClassName(stack[0]).find("libc"), std::string::npos);
  EXPECT_EQ(frames_.ClassName(stack[0]).find('/'), std::string::npos);
  const std::string signature(frames_.String(frames_.At(stack[0]).signature));
  EXPECT_GE(signature.find("+0x"), 16U) << signature;
  EXPECT_EQ(frames_.At(stack[0]).kind, trace::FrameKind::kNative);
  // In no library: no name but the address.
  EXPECT_EQ(frames_.ClassName(stack[1]), "");
  EXPECT_EQ(frames_.MethodName(stack[1]).substr(0, 2), "0x");
  EXPECT_EQ(frames_.String(frames_.At(stack[1]).signature),
            "+" + std::string(frames_.MethodName(stack[1])));
}

TEST_F(NativeFramesTest, AreFoundAgainUntilIdsAreForgotten) {
  const NativePart part = {.absent = "", .is_truncated = false, .pcs = {Random()}};
  const std::vector<trace::FrameId> first = Resolve(part);
  const uint32_t frames = frames_.frame_count();
  EXPECT_EQ(Resolve(part), first);
  native_.ForgetIds();
  frames_.Sweep(trace::LiveNames(frames_));
  EXPECT_LT(frames_.frame_count(), frames);
  EXPECT_EQ(frames_.MethodName(Resolve(part)[0]), "random");
}

TEST_F(NativeFramesTest, MorePlacesThanAreKeptHaveTheirNames) {
  NativePart part;
  const auto begin = reinterpret_cast<uintptr_t>(&random);
  for (uintptr_t i = 0; i < 1'100; ++i) {
    part.pcs = {begin + i % 5, begin + i};
    const std::vector<trace::FrameId> stack = Resolve(part);
    ASSERT_EQ(stack.size(), 2U);
    EXPECT_EQ(frames_.MethodName(stack[0]), "random");
  }
}

TEST_F(NativeFramesTest, WhatIsMissingHasAMark) {
  const std::vector<trace::FrameId> stack =
      Resolve({.absent = "", .is_truncated = true, .pcs = {Random()}});
  ASSERT_EQ(stack.size(), 2U);
  EXPECT_EQ(frames_.MethodName(stack[1]), "[native frames missing]");
  EXPECT_EQ(frames_.At(stack[1]).kind, trace::FrameKind::kNative);
}

TEST_F(NativeFramesTest, WithoutTheSwitchThereAreNone) {
  const NativePart part = native_.Read(0, 0);
  EXPECT_STREQ(part.absent, "");
  EXPECT_TRUE(Resolve(part).empty());
}

}  // namespace
}  // namespace stillframe::native
