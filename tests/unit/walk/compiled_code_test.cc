// SPDX-License-Identifier: Apache-2.0
// CodeInfo as each release writes it.
#include "src/walk/compiled_code.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "arch/arch.h"
#include "src/walk/code_index.h"
#include "tests/testbed/quick_code/code_info.h"

namespace stillframe::walk {
namespace {

using testbed::quick_code::CodeDescription;
using testbed::quick_code::EncodeCodeInfo;

const Layout* LayoutOf(int release) {
  const LayoutTable table = KnownLayouts();
  for (uint32_t i = 0; i < table.count; ++i)
    if (table.rows[i].release == std::to_string(release)) return &table.rows[i];
  return nullptr;
}

class CompiledCodeTest : public testing::TestWithParam<int> {
 protected:
  static constexpr uintptr_t kOuter = 0x1000;
  static constexpr uint64_t kInlined = 0x7fff'1234'5678;

  CompiledCodeTest() {
    description_.code_bytes = 300;
    description_.frame_bytes = 4096;
    // CodeInfo counts native pcs in the alignment of instructions.
    description_.safepoints = {
        {.native_pc = 40 / arch::kInstructionAlignment, .dex_pc = 7, .inlined = {}},
        {.native_pc = 88 / arch::kInstructionAlignment,
         .dex_pc = 11,
         .inlined =
             {{.art_method = 0, .method_index = 77, .is_by_index = true, .dex_pc = 2},
              {.art_method = kInlined, .method_index = 0, .is_by_index = false, .dex_pc = 3}}},
    };
  }

  // CodeInfo, header and code in one piece of memory.
  uintptr_t Place() {
    const std::vector<uint8_t> info = EncodeCodeInfo(GetParam(), description_);
    const auto code = static_cast<uint32_t>((info.size() + 8 + 15) & ~size_t{15});
    memory_.assign(code + 512, 0);
    memcpy(memory_.data(), info.data(), info.size());
    const uint32_t mark = GetParam() >= 14 ? code | 1U << 30 : description_.code_bytes;
    memcpy(&memory_[code - 4], &mark, sizeof mark);
    if (GetParam() < 14) memcpy(&memory_[code - 8], &code, sizeof code);
    return reinterpret_cast<uintptr_t>(memory_.data()) + code;
  }
  uint32_t At(const CompiledCode& code, uint32_t offset) {
    return MethodsAt(*LayoutOf(GetParam()), code, kOuter, offset, frames_);
  }

  CodeDescription description_;
  std::vector<uint8_t> memory_;
  CompiledFrame frames_[kMaxInlined + 1] = {};
};

TEST_P(CompiledCodeTest, TheHeaderGivesTheSizesOfCodeAndFrame) {
  const uintptr_t entry = Place();
  CompiledCode code = {};
  ASSERT_TRUE(LoadCompiledCode(*LayoutOf(GetParam()), entry, &code));
  EXPECT_EQ(code.begin, entry);
  EXPECT_EQ(code.bytes, 300U);
  EXPECT_EQ(code.frame_bytes, 4096U);
  EXPECT_TRUE(code.Holds(entry));
  EXPECT_TRUE(code.Holds(entry + 300)) << "a return address behind the last call";
  EXPECT_FALSE(code.Holds(entry + 301));
  EXPECT_FALSE(code.Holds(entry - 1));
}

TEST_P(CompiledCodeTest, ASafepointGivesDexPcAndInlinedMethods) {
  CompiledCode code = {};
  ASSERT_TRUE(LoadCompiledCode(*LayoutOf(GetParam()), Place(), &code));
  ASSERT_EQ(At(code, 40), 1U);
  EXPECT_EQ(frames_[0].method, kOuter);
  EXPECT_EQ(frames_[0].dex_pc, 7U);
  ASSERT_EQ(At(code, 88), 3U);
  EXPECT_EQ(frames_[0].method, static_cast<uintptr_t>(kInlined));
  EXPECT_EQ(frames_[0].dex_pc, 3U);
  EXPECT_EQ(frames_[1].method, 0U);
  EXPECT_EQ(frames_[1].method_index, 77U);
  EXPECT_EQ(frames_[1].dex_pc, 2U);
  EXPECT_EQ(frames_[2].method, kOuter);
  EXPECT_EQ(frames_[2].dex_pc, 11U);
}

TEST_P(CompiledCodeTest, AMethodOfTheBootClassPathHasTheNumberOfItsDexFile) {
  description_.safepoints[1].inlined[0].boot_dex_file = 1;
  CompiledCode code = {};
  ASSERT_TRUE(LoadCompiledCode(*LayoutOf(GetParam()), Place(), &code));
  ASSERT_EQ(At(code, 88), 3U);
  // Before release 13 no field holds the dex file.
  EXPECT_EQ(frames_[1].method_index, 77U);
  EXPECT_EQ(frames_[1].dex_file, GetParam() >= 14 ? 1U : kSameDexFile);
  EXPECT_EQ(frames_[1].dex_pc, 2U);
}

TEST_P(CompiledCodeTest, BetweenSafepointsTheNearestCounts) {
  CompiledCode code = {};
  ASSERT_TRUE(LoadCompiledCode(*LayoutOf(GetParam()), Place(), &code));
  EXPECT_EQ(At(code, 0), 1U) << "before the first";
  EXPECT_EQ(frames_[0].dex_pc, 7U);
  EXPECT_EQ(At(code, 87), 1U);
  EXPECT_EQ(At(code, 299), 3U) << "behind the last";
}

TEST_P(CompiledCodeTest, WithoutSafepointsTheDexPcIsUnknown) {
  description_.safepoints.clear();
  CompiledCode code = {};
  ASSERT_TRUE(LoadCompiledCode(*LayoutOf(GetParam()), Place(), &code));
  ASSERT_EQ(At(code, 40), 1U);
  EXPECT_EQ(frames_[0].dex_pc, core::kNoDexPc);
}

TEST_P(CompiledCodeTest, RefusesWhatIsNoCode) {
  CompiledCode code = {};
  EXPECT_FALSE(LoadCompiledCode(*LayoutOf(GetParam()), 0, &code));
  EXPECT_FALSE(LoadCompiledCode(*LayoutOf(GetParam()), 0x100, &code));
  const std::vector<uint8_t> zeros(64);
  EXPECT_FALSE(LoadCompiledCode(*LayoutOf(GetParam()),
                                reinterpret_cast<uintptr_t>(zeros.data()) + 32, &code));
}

INSTANTIATE_TEST_SUITE_P(Releases, CompiledCodeTest, testing::Values(10, 11, 14));

TEST(CodeIndex, TheNewestAtAPlaceWins) {
  CodeIndex index;
  EXPECT_EQ(index.Find(0x1000), 0U);
  index.Add(0x1000, 0x100, 7);
  index.Add(0x1000, 0x100, 7);
  EXPECT_EQ(index.Find(0x10ff), 7U);
  EXPECT_EQ(index.Find(0x1100), 0U);
  index.Add(0x1080, 0x10, 9);
  EXPECT_EQ(index.Find(0x1088), 9U);
  EXPECT_EQ(index.Find(0x1090), 0U) << "that code is no longer there";
}

TEST(CodeIndex, WhatIsSeenAgainStaysAndTheRestGivesItsPlace) {
  CodeIndex index;
  for (uintptr_t i = 0; i < 10'000; ++i) {
    index.Add(0x1000, 0x100, 7);
    index.Add(0x10000 + 16 * i, 16, i + 1);
    ASSERT_EQ(index.Find(0x10000 + 16 * i + 15), i + 1);
    ASSERT_EQ(index.Find(0x10ff), 7U);
  }
  EXPECT_EQ(index.Find(0x10000), 0U);
}

}  // namespace
}  // namespace stillframe::walk
