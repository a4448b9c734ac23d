// SPDX-License-Identifier: Apache-2.0
// Shapes from one walk help the next: only a frame that confirms its shape gets it.
#include "src/walk/warm_facts.h"

#include <gtest/gtest.h>

#include <memory>

namespace stillframe::walk {
namespace {

constexpr uintptr_t kMethod = 0x7000'1000;
constexpr uintptr_t kInstructions = 0x6000'0010;
constexpr uint32_t kDexPc = 3;

class WarmFactsTest : public testing::Test {
 protected:
  static constexpr uint32_t kWord = sizeof(uintptr_t);
  static constexpr uint32_t kReferences = 6;  // in words
  static constexpr uint32_t kWords = 32;

  WarmFactsTest() {
    shape_.instructions = kInstructions;
    shape_.instruction_count = 10;
    shape_.least_bytes = kWords * kWord;
    shape_.reference_words = kReferences * kWord / 4;
    shape_.method_index = 5;
    frame_[0] = kMethod;
    SetDexPc(kDexPc);
    frame_[kReferences - 1] = frame() + kWords * kWord;
  }

  uintptr_t frame() const { return reinterpret_cast<uintptr_t>(frame_); }
  void SetDexPc(uint32_t dex_pc) { frame_[kReferences - 2] = kInstructions + 2 * dex_pc; }

  alignas(64) uintptr_t frame_[kWords + 2] = {};
  NterpShape shape_ = {};
  std::unique_ptr<WarmFacts> warm_ = std::make_unique<WarmFacts>();
};

TEST_F(WarmFactsTest, FindsAShapeThatTheFrameConfirms) {
  EXPECT_EQ(warm_->Find(kMethod, frame()), nullptr);
  warm_->Keep(kMethod, frame(), shape_);
  const NterpShape* found = warm_->Find(kMethod, frame());
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->method_index, 5);
  EXPECT_EQ(warm_->Find(kMethod + 8, frame()), nullptr);
  EXPECT_EQ(warm_->Find(0, frame()), nullptr);
}

// As after an unloaded method, whose address another one has.
TEST_F(WarmFactsTest, FindsNoShapeForAFrameOfAnotherSize) {
  warm_->Keep(kMethod, frame(), shape_);
  frame_[kReferences - 1] -= arch::kStackAlignment;
  EXPECT_EQ(warm_->Find(kMethod, frame()), nullptr);
}

TEST_F(WarmFactsTest, FindsNoShapeForOtherInstructions) {
  warm_->Keep(kMethod, frame(), shape_);
  SetDexPc(10);
  EXPECT_EQ(warm_->Find(kMethod, frame()), nullptr);
}

TEST_F(WarmFactsTest, KeepsNoShapeThatTheFrameDenies) {
  SetDexPc(11);
  warm_->Keep(kMethod, frame(), shape_);
  SetDexPc(kDexPc);
  EXPECT_EQ(warm_->Find(kMethod, frame()), nullptr);
}

TEST_F(WarmFactsTest, AsksForPlacesThatAreGone) {
  warm_->Note(1);
  warm_->Note(UINTPTR_MAX);
  for (int i = 0; i < 100; ++i) warm_->Begin();
}

}  // namespace
}  // namespace stillframe::walk
