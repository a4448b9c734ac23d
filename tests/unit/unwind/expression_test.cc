// SPDX-License-Identifier: Apache-2.0
// DWARF expressions as call frame information holds them, over literal bytes.
#include "src/unwind/expression.h"

#include <gtest/gtest.h>

#include <vector>

namespace stillframe::unwind {
namespace {

class ExpressionTest : public testing::Test {
 protected:
  // Runs the operations; the length goes in front of them.
  bool Run(std::vector<uint8_t> operations, uintptr_t first = 0) {
    operations.insert(operations.begin(), static_cast<uint8_t>(operations.size()));
    return Evaluate(reinterpret_cast<uintptr_t>(operations.data()), first, registers_, &result_);
  }

  arch::UnwindRegisters registers_ = {};
  uintptr_t result_ = 0;
};

TEST_F(ExpressionTest, TheFirstValueIsOnTheStack) {
  EXPECT_TRUE(Run({}, 77));
  EXPECT_EQ(result_, 77U);
}

TEST_F(ExpressionTest, FindsNterpsFrameAddress) {
  // bregx references -word, deref, plus_uconst 88 (ART 11 runtime/interpreter/cfi_asm_support.h).
  const uintptr_t memory[] = {0x1000, 0};
  constexpr uint8_t kBack = 0x80 - sizeof(uintptr_t);
  registers_.values[arch::kNterpReferencesRegister] = reinterpret_cast<uintptr_t>(&memory[1]);
  EXPECT_TRUE(Run({0x92, arch::kNterpReferencesRegister, kBack, 0x06, 0x23, 88}));
  EXPECT_EQ(result_, 0x1000U + 88);
}

TEST_F(ExpressionTest, FindsTheFrameInAProcedureLinkageTable) {
  // breg7 8, breg8 0, lit15, and, lit11, ge, lit3, shl, plus: what linkers write for .plt.
  registers_.values[7] = 0x2000;
  for (const auto& [pc, address] :
       {std::pair<uintptr_t, uintptr_t>{0x40, 0x2008}, {0x4a, 0x2008}, {0x4b, 0x2010}}) {
    registers_.values[8] = pc;
    EXPECT_TRUE(Run({0x77, 8, 0x78, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22}));
    EXPECT_EQ(result_, address);
  }
}

TEST_F(ExpressionTest, MarksAreDropped) {
  registers_.values[7] = 5;
  EXPECT_TRUE(Run({0x0c, 0x44, 0x45, 0x58, 0x31, 0x13, 0x92, 7, 0}));
  EXPECT_EQ(result_, 5U);
}

TEST_F(ExpressionTest, RefusesWhatCannotBeRun) {
  EXPECT_FALSE(Run({0xf0})) << "an unknown operation";
  EXPECT_FALSE(Run({0x13, 0x13})) << "an empty stack";
  EXPECT_FALSE(Run(std::vector<uint8_t>(20, 0x31))) << "too many values";
  EXPECT_FALSE(Run({0x92, 120, 0})) << "no such register";
  EXPECT_FALSE(Run({0x06}, 0x10)) << "unmapped memory";
  EXPECT_FALSE(Run({0x0c, 1, 2})) << "an operand that is not whole";
  EXPECT_FALSE(Evaluate(0x10, 0, registers_, &result_)) << "no expression";
}

}  // namespace
}  // namespace stillframe::unwind
