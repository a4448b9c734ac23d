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

class StackCopiesTest : public testing::Test {
 protected:
  void SetUp() override {
    for (size_t i = 0; i < stack_.size(); ++i) stack_[i] = 1'000 + i;
    ASSERT_TRUE(copies_.Create({256, Low(), High(), 2 * kWord}));
  }
  uintptr_t Low() const { return reinterpret_cast<uintptr_t>(stack_.data()); }
  uintptr_t High() const { return Low() + stack_.size() * kWord; }
  void Take(uintptr_t sp, uint64_t wall_ns = 7) {
    arch::UnwindRegisters registers = {};
    registers.values[arch::kDwarfSp] = sp;
    registers.values[arch::kDwarfPc] = 0x1234;
    ucontext_t context = {};
    arch::StoreUnwindRegisters(registers, &context);
    copies_.Take(wall_ns, context, reinterpret_cast<uintptr_t>(thread_));
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

TEST(StackCopiesOff, ThereIsNone) {
  const StackCopies copies;
  EXPECT_FALSE(copies.is_on());
}

}  // namespace
}  // namespace stillframe::core
