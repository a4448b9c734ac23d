// SPDX-License-Identifier: Apache-2.0
// Native code of this very process as frames of trees.
#include "src/native/native_frames.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

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
  std::vector<model::FrameId> Resolve(const std::vector<MixedFrame>& native, uint32_t managed = 0) {
    std::vector<model::FrameId> stack;
    native_.Merge(
        native, managed, [&stack](uint32_t i) { stack.push_back(kManaged + i); },
        [&stack](model::FrameId id) { stack.push_back(id); });
    return stack;
  }
  // A placeholder for managed frames.
  static constexpr model::FrameId kManaged = 1'000'000;
  static uintptr_t Random() { return reinterpret_cast<uintptr_t>(&random) + 1; }

  unwind::CodeModules modules_;
  walk::RuntimeFacts facts_;
  model::FrameTable frames_;
  FileSymbols file_symbols_;
  NativeFrames native_{facts_, &frames_, &file_symbols_};
};

TEST_F(NativeFramesTest, AreNamedByTheirLibraries) {
  int local = 0;
  const auto nowhere = reinterpret_cast<uintptr_t>(&local);
  const std::vector<model::FrameId> stack = Resolve({{Random()}, {nowhere}, {Random()}});
  ASSERT_EQ(stack.size(), 3U);
  EXPECT_EQ(stack[0], stack[2]);
  EXPECT_EQ(frames_.MethodName(stack[0]), "random");
  EXPECT_NE(frames_.ClassName(stack[0]).find("libc"), std::string::npos);
  EXPECT_EQ(frames_.ClassName(stack[0]).find('/'), std::string::npos);
  const std::string signature(frames_.String(frames_.At(stack[0]).signature));
  EXPECT_GE(signature.find("+0x"), 16U) << signature;
  EXPECT_EQ(frames_.At(stack[0]).kind, model::FrameKind::kNative);
  // In no library: no name but the address.
  EXPECT_EQ(frames_.ClassName(stack[1]), "");
  EXPECT_EQ(frames_.MethodName(stack[1]).substr(0, 2), "0x");
  EXPECT_EQ(frames_.String(frames_.At(stack[1]).signature),
            "+" + std::string(frames_.MethodName(stack[1])));
}

TEST_F(NativeFramesTest, AreFoundAgainUntilIdsAreForgotten) {
  const std::vector<MixedFrame> part = {{Random()}};
  const std::vector<model::FrameId> first = Resolve(part);
  const uint32_t frames = frames_.frame_count();
  EXPECT_EQ(Resolve(part), first);
  native_.ForgetIds();
  frames_.Sweep(model::LiveNames(frames_));
  EXPECT_LT(frames_.frame_count(), frames);
  EXPECT_EQ(frames_.MethodName(Resolve(part)[0]), "random");
}

TEST_F(NativeFramesTest, MorePlacesThanAreKeptHaveTheirNames) {
  std::vector<MixedFrame> part;
  const auto begin = reinterpret_cast<uintptr_t>(&random);
  for (uintptr_t i = 0; i < 1'100; ++i) {
    part = {{begin + i % 5}, {begin + i}};
    const std::vector<model::FrameId> stack = Resolve(part);
    ASSERT_EQ(stack.size(), 2U);
    EXPECT_EQ(frames_.MethodName(stack[0]), "random");
  }
}

TEST_F(NativeFramesTest, WhatIsMissingHasAMark) {
  const std::vector<model::FrameId> stack = Resolve({{Random()}, {0}});
  ASSERT_EQ(stack.size(), 2U);
  EXPECT_EQ(frames_.MethodName(stack[1]), "[native frames missing]");
  EXPECT_EQ(frames_.At(stack[1]).kind, model::FrameKind::kNative);
}

TEST_F(NativeFramesTest, StandBetweenManagedFrames) {
  const std::vector<model::FrameId> stack =
      Resolve({{Random(), 0}, {0, 2}, {Random(), 2}, {Random(), 9}}, 3);
  ASSERT_EQ(stack.size(), 7U);
  EXPECT_EQ(stack[1], kManaged);
  EXPECT_EQ(stack[2], kManaged + 1);
  EXPECT_EQ(frames_.MethodName(stack[3]), "[native frames missing]");
  EXPECT_EQ(stack[4], stack[0]);
  EXPECT_EQ(stack[5], kManaged + 2);
  EXPECT_EQ(stack[6], stack[0]);
}

TEST_F(NativeFramesTest, WithoutTheSwitchNothingIsCopied) {
  core::Sampler sampler;
  EXPECT_TRUE(native_.OfSample({}, 0, sampler).empty());
  EXPECT_FALSE(native_.CopyBlocked(static_cast<int32_t>(gettid()), 0));
}

}  // namespace
}  // namespace stillframe::native
