// SPDX-License-Identifier: Apache-2.0
// A made-up stack: pointers into the copied part are moved into the slice. Pointers to the part
// that was not copied lead nowhere.
#include "src/native/stack_slice.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace stillframe::native {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);
constexpr uintptr_t kStackLow = 0x70001000;
constexpr uintptr_t kBegin = 0x70002340;
constexpr uintptr_t kStackHigh = 0x70009000;

class StackSliceTest : public testing::Test {
 protected:
  void Load() {
    copy_.begin = kBegin;
    copy_.bytes = static_cast<uint32_t>(words_.size() * kWord);
    slice_.Load(copy_, words_.data(), kStackLow, kStackHigh);
  }
  uintptr_t WordAt(size_t index) const {
    return reinterpret_cast<const uintptr_t*>(slice_.low())[index];
  }

  std::vector<uintptr_t> words_ = std::vector<uintptr_t>(64, 17);
  core::StackCopy copy_;
  StackSlice slice_;
};

TEST_F(StackSliceTest, PointersIntoItMoveWithIt) {
  ASSERT_TRUE(slice_.Create(4096));
  words_[1] = kBegin;
  words_[2] = kBegin + 63 * kWord;
  copy_.registers.values[arch::kDwarfSp] = kBegin + 8;
  copy_.registers.values[arch::kDwarfPc] = 0x1234;
  copy_.thread_words[1] = kBegin + 16;
  Load();
  EXPECT_EQ(slice_.low() % 4096, kBegin % 4096);
  EXPECT_EQ(WordAt(0), 17U);
  EXPECT_EQ(WordAt(1), slice_.low());
  EXPECT_EQ(WordAt(2), slice_.low() + 63 * kWord);
  EXPECT_EQ(slice_.registers().sp(), slice_.low() + 8);
  EXPECT_EQ(slice_.registers().pc(), 0x1234U);
  EXPECT_EQ(slice_.thread_words()[1], slice_.low() + 16);
}

#if defined(__aarch64__)
TEST_F(StackSliceTest, PointersWithTagsMoveToo) {
  constexpr uintptr_t kTag = uintptr_t{0x2a} << 56;
  ASSERT_TRUE(slice_.Create(4096));
  words_[1] = kTag | (kBegin + 8);
  words_[2] = kTag | kStackLow;
  words_[3] = kTag | kStackHigh;  // no address of the stack
  copy_.thread_words[1] = kTag | (kBegin + 16);
  Load();
  uint64_t value = 0;
  EXPECT_EQ(WordAt(1), slice_.low() + 8);
  EXPECT_FALSE(arch::GuardedLoad64(WordAt(2), &value));
  EXPECT_EQ(WordAt(3), kTag | kStackHigh);
  EXPECT_EQ(slice_.thread_words()[1], slice_.low() + 16);
}
#endif

TEST_F(StackSliceTest, WhatWasNotCopiedIsNotInIt) {
  ASSERT_TRUE(slice_.Create(4096));
  words_[1] = kBegin + 64 * kWord;
  words_[2] = kStackHigh - kWord;
  words_[3] = kStackLow;
  words_[4] = kStackHigh;  // no address of the stack
  Load();
  for (size_t i = 1; i < 4; ++i) {
    EXPECT_NE(WordAt(i), words_[i]);
    EXPECT_FALSE(slice_.Holds(WordAt(i)));
  }
  EXPECT_EQ(WordAt(4), kStackHigh);
}

TEST_F(StackSliceTest, PointersAtHalfAWordMoveToo) {
  if (kWord != 8) GTEST_SKIP() << "words have four bytes";
  ASSERT_TRUE(slice_.Create(4096));
  const uintptr_t pointer = kBegin + 24;
  memcpy(reinterpret_cast<char*>(&words_[5]) + 4, &pointer, sizeof pointer);
  Load();
  uintptr_t moved = 0;
  memcpy(&moved, reinterpret_cast<const char*>(slice_.low() + 5 * kWord) + 4, sizeof moved);
  EXPECT_EQ(moved, slice_.low() + 24);
}

TEST_F(StackSliceTest, NoMoreThanThereIsRoomFor) {
  ASSERT_TRUE(slice_.Create(128));
  Load();
  EXPECT_EQ(slice_.high() - slice_.low(), 128U);
}

}  // namespace
}  // namespace stillframe::native
