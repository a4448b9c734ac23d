// SPDX-License-Identifier: Apache-2.0
// Shapes from one walk help the next: only a frame that confirms its shape gets it.
#include "src/walk/warm_facts.h"

#include <gtest/gtest.h>

#include <memory>

#include "src/walk/layout.h"

namespace stillframe::walk {
namespace {

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
    SetMethod(1, 2, 3);
    frame_[0] = method();
    SetDexPc(kDexPc);
    frame_[kReferences - 1] = frame() + kWords * kWord;
  }

  uintptr_t frame() const { return reinterpret_cast<uintptr_t>(frame_); }
  uintptr_t method() const { return reinterpret_cast<uintptr_t>(method_); }
  void SetMethod(uint32_t declaring_class, uint32_t dex_index, uint32_t code_item) {
    method_[layout_.method_declaring_class / 4] = declaring_class;
    method_[layout_.method_dex_index / 4] = dex_index;
    method_[layout_.method_code_item / 4] = code_item;
  }
  const NterpShape* Find() const { return warm_->Find(layout_, method(), frame()); }
  void Keep() { warm_->Keep(layout_, method(), frame(), shape_); }
  void SetDexPc(uint32_t dex_pc) { frame_[kReferences - 2] = kInstructions + 2 * dex_pc; }

  const Layout& layout_ = KnownLayouts().rows[0];
  alignas(64) uint32_t method_[16] = {};
  alignas(64) uintptr_t frame_[kWords + 2] = {};
  NterpShape shape_ = {};
  std::unique_ptr<WarmFacts> warm_ = std::make_unique<WarmFacts>();
};

TEST_F(WarmFactsTest, FindsAShapeThatTheFrameConfirms) {
  EXPECT_EQ(Find(), nullptr);
  Keep();
  const NterpShape* found = Find();
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->method_index, 5);
  EXPECT_EQ(warm_->Find(layout_, method() + 8, frame()), nullptr);
  EXPECT_EQ(warm_->Find(layout_, 0, frame()), nullptr);
}

// As after an unloaded class, whose next version has the same addresses and frames.
TEST_F(WarmFactsTest, FindsNoShapeOfAnotherMethodAtTheAddress) {
  Keep();
  SetMethod(9, 2, 3);
  EXPECT_EQ(Find(), nullptr) << "another class";
  SetMethod(1, 9, 3);
  EXPECT_EQ(Find(), nullptr) << "another index";
  SetMethod(1, 2, 9);
  EXPECT_EQ(Find(), nullptr) << "other code";
  SetMethod(1, 2, 3);
  EXPECT_NE(Find(), nullptr);
}

TEST_F(WarmFactsTest, InDoubtTheNextWalkReadsAllAnew) {
  EXPECT_FALSE(warm_->Begin());
  warm_->Doubt();
  EXPECT_TRUE(warm_->Begin());
  EXPECT_FALSE(warm_->Begin());
}

TEST_F(WarmFactsTest, NowAndThenAWalkReadsAllAnew) {
  int anew = 0;
  for (int i = 0; i < 320; ++i) anew += warm_->Begin() ? 1 : 0;
  EXPECT_EQ(anew, 10);
}

TEST_F(WarmFactsTest, FindsNoShapeForAFrameOfAnotherSize) {
  Keep();
  frame_[kReferences - 1] -= arch::kStackAlignment;
  EXPECT_EQ(Find(), nullptr);
}

TEST_F(WarmFactsTest, FindsNoShapeForOtherInstructions) {
  Keep();
  SetDexPc(10);
  EXPECT_EQ(Find(), nullptr);
}

TEST_F(WarmFactsTest, KeepsNoShapeThatTheFrameDenies) {
  SetDexPc(11);
  Keep();
  SetDexPc(kDexPc);
  EXPECT_EQ(Find(), nullptr);
}

TEST_F(WarmFactsTest, AsksForPlacesThatAreGone) {
  warm_->Note(1);
  warm_->Note(UINTPTR_MAX);
  for (int i = 0; i < 100; ++i) warm_->Begin();
}

}  // namespace
}  // namespace stillframe::walk
