// SPDX-License-Identifier: Apache-2.0
// Copies of made-up stacks: the words copied, those left out, and why.
#include "src/core/stack_copies.h"

#include <gtest/gtest.h>
#include <ucontext.h>

#include <cstdint>
#include <vector>

#include "tests/unit/counted.h"

namespace stillframe::core {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);

// More than all slots need.
constexpr uint32_t kRingBytes = 32 * 256;

class StackCopiesTest : public testing::Test {
 protected:
  void SetUp() override {
    for (size_t i = 0; i < stack_.size(); ++i) stack_[i] = 1'000 + i;
    ASSERT_TRUE(copies_.Create({256, kRingBytes, Low(), High(), 2 * kWord}));
  }
  uintptr_t Low() const { return reinterpret_cast<uintptr_t>(stack_.data()); }
  uintptr_t High() const { return Low() + stack_.size() * kWord; }
  void Take(uintptr_t sp, uint64_t wall_ns = 7) { Take(sp, wall_ns, &copies_); }
  void Take(uintptr_t sp, uint64_t wall_ns, StackCopies* to) const {
    arch::UnwindRegisters registers = {};
    registers.values[arch::kDwarfSp] = sp;
    registers.values[arch::kDwarfPc] = 0x1234;
    ucontext_t context = {};
    arch::StoreUnwindRegisters(registers, &context);
    to->Take(wall_ns, context, reinterpret_cast<uintptr_t>(thread_));
  }

  std::vector<uintptr_t> stack_ = std::vector<uintptr_t>(200);
  const uintptr_t thread_[6] = {1, 2, 3, 4, 5, 6};
  Counted counted_;
  StackCopies copies_;
};

TEST_F(StackCopiesTest, TakesWhatIsAboveAndALittleBelowTheStackPointer) {
  Take(Low() + 50 * kWord);
  const uintptr_t* words = nullptr;
  const StackCopy* copy = copies_.Peek(&words);
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->wall_ns, 7U);
  EXPECT_EQ(copy->bytes, 256U);
  EXPECT_EQ(copy->begin, Low() + 50 * kWord - StackCopies::kRedZoneBytes);
  EXPECT_EQ(copy->registers.pc(), 0x1234U);
  EXPECT_EQ(copy->thread_words[0], 3U);
  EXPECT_EQ(copy->thread_words[2], 5U);
  for (size_t i = 0; i < copy->bytes / kWord; ++i)
    EXPECT_EQ(words[i], stack_[50 - StackCopies::kRedZoneBytes / kWord + i]);
  copies_.Release();
  EXPECT_EQ(copies_.Peek(&words), nullptr);
}

TEST_F(StackCopiesTest, EndsWhereTheStackEnds) {
  Take(High() - 3 * kWord);
  const uintptr_t* words = nullptr;
  const StackCopy* copy = copies_.Peek(&words);
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->begin + copy->bytes, High());
  EXPECT_EQ(counted_.Of(Counter::kNativeCopiesUnreadable), 0U);
}

TEST_F(StackCopiesTest, AnotherStackIsNotCopied) {
  const uintptr_t* words = nullptr;
  Take(High());
  Take(Low() - kWord);
  Take(Low() + 1);
  EXPECT_EQ(copies_.Peek(&words), nullptr);
  EXPECT_EQ(counted_.Of(Counter::kNativeCopiesOtherStack), 3U);
}

TEST_F(StackCopiesTest, WithoutASlotACopyIsDropped) {
  for (uint64_t i = 0; i <= StackCopies::kSlots; ++i) Take(Low() + 100 * kWord, i);
  EXPECT_EQ(counted_.Of(Counter::kNativeCopiesNoSlot), 1U);
  const uintptr_t* words = nullptr;
  for (uint64_t i = 0; i < StackCopies::kSlots; ++i) {
    const StackCopy* copy = copies_.Peek(&words);
    ASSERT_NE(copy, nullptr);
    EXPECT_EQ(copy->wall_ns, i);
    copies_.Release();
  }
  EXPECT_EQ(copies_.Peek(&words), nullptr);
  EXPECT_EQ(counted_.Of(Counter::kNativeCopies), StackCopies::kSlots);
}

// Three copies of 256 bytes fill a ring of 800; the fourth begins at its start once there is room.
TEST_F(StackCopiesTest, WithoutRoomForItsWordsACopyIsDropped) {
  StackCopies few;
  ASSERT_TRUE(few.Create({256, 800, Low(), High(), 2 * kWord}));
  const uintptr_t* words[2] = {};
  for (uint64_t i = 0; i < 4; ++i) Take(Low() + 50 * kWord, i, &few);
  EXPECT_EQ(counted_.Of(Counter::kNativeCopiesNoSlot), 1U);
  ASSERT_NE(few.Peek(&words[0]), nullptr);
  few.Release();
  stack_[60] = 77;
  Take(Low() + 50 * kWord, 9, &few);
  for (uint64_t i = 1; i < 3; ++i) {
    const StackCopy* copy = few.Peek(&words[1]);
    ASSERT_NE(copy, nullptr);
    EXPECT_EQ(copy->wall_ns, i);
    EXPECT_EQ(words[1][60 - 50 + StackCopies::kRedZoneBytes / kWord], 1'060U);
    few.Release();
  }
  const StackCopy* copy = few.Peek(&words[1]);
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->wall_ns, 9U);
  EXPECT_EQ(words[1], words[0]);
  EXPECT_EQ(words[1][60 - 50 + StackCopies::kRedZoneBytes / kWord], 77U);
}

TEST(StackCopiesOff, ThereIsNone) {
  const StackCopies copies;
  EXPECT_FALSE(copies.is_on());
}

}  // namespace
}  // namespace stillframe::core
