// CodeInfo as each release writes it, and the entries and exits of compiled methods.
#include "src/art/compiled_code.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "arch/arch.h"
#include "src/art/code_index.h"
#include "tests/art/quick_code/code_info.h"

namespace stillframe::art {
namespace {

using testbed::quick_code::CodeDescription;
using testbed::quick_code::EncodeCodeInfo;

const Layout* LayoutOf(int release) {
  const LayoutTable table = KnownLayouts();
  for (uint32_t i = 0; i < table.count; ++i) {
    if (table.rows[i].release == std::to_string(release)) return &table.rows[i];
  }
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
  CompiledFrame frames_[kMostInlined + 1] = {};
};

TEST_P(CompiledCodeTest, SizesOfCodeAndFrame) {
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

TEST_P(CompiledCodeTest, DexPcsAndInlinedMethods) {
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

TEST_P(CompiledCodeTest, AMethodOfAnotherDexFileHasNoIndexInThisOne) {
  description_.safepoints[1].inlined[0].boot_dex_file = 1;
  CompiledCode code = {};
  ASSERT_TRUE(LoadCompiledCode(*LayoutOf(GetParam()), Place(), &code));
  ASSERT_EQ(At(code, 88), 3U);
  // Before 13 there is no word for it.
  EXPECT_EQ(frames_[1].method_index, GetParam() >= 14 ? kNoMethodIndex : 77U);
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

TEST_P(CompiledCodeTest, WithoutSafepoints) {
  description_.safepoints.clear();
  CompiledCode code = {};
  ASSERT_TRUE(LoadCompiledCode(*LayoutOf(GetParam()), Place(), &code));
  ASSERT_EQ(At(code, 40), 1U);
  EXPECT_EQ(frames_[0].dex_pc, core::kNoDexPc);
}

TEST_P(CompiledCodeTest, WhatIsNoCode) {
  CompiledCode code = {};
  EXPECT_FALSE(LoadCompiledCode(*LayoutOf(GetParam()), 0, &code));
  EXPECT_FALSE(LoadCompiledCode(*LayoutOf(GetParam()), 0x100, &code));
  const std::vector<uint8_t> zeros(64);
  EXPECT_FALSE(LoadCompiledCode(*LayoutOf(GetParam()),
                                reinterpret_cast<uintptr_t>(zeros.data()) + 32, &code));
}

INSTANTIATE_TEST_SUITE_P(Releases, CompiledCodeTest, testing::Values(10, 11, 14));

#if defined(__x86_64__)
TEST(CompiledFrame, BytesBelowTheReturnAddress) {
  // push %rbx; push %r15; sub $24,%rsp; movsd %xmm12,16(%rsp); mov %rdi,(%rsp); nop; movsd
  // 16(%rsp),%xmm12; add $24,%rsp; pop %r15; pop %rbx; ret
  const uint8_t code[] = {0x53, 0x41, 0x57, 0x48, 0x83, 0xec, 24,   0xf2, 0x44, 0x0f, 0x11,
                          0x64, 0x24, 16,   0x48, 0x89, 0x3c, 0x24, 0x90, 0xf2, 0x44, 0x0f,
                          0x10, 0x64, 0x24, 16,   0x48, 0x83, 0xc4, 24,   0x41, 0x5f, 0x5b,
                          0xc3, 0,    0,    0,    0,    0,    0,    0,    0};
  const auto begin = reinterpret_cast<uintptr_t>(code);
  uint32_t bytes = 0;
  const std::pair<uint32_t, uint32_t> entry[] = {{0, 0},  {1, 8},   {3, 16},
                                                 {7, 40}, {14, 40}, {18, 40}};
  for (const auto& [offset, expected] : entry) {
    EXPECT_TRUE(arch::EnteredFrameBytes(begin, begin + offset, &bytes)) << offset;
    EXPECT_EQ(bytes, expected) << offset;
  }
  EXPECT_FALSE(arch::EnteredFrameBytes(begin, begin + 19, &bytes)) << "behind the entry";
  EXPECT_FALSE(arch::EnteredFrameBytes(begin, begin + 2, &bytes)) << "inside an instruction";
  const std::pair<uint32_t, uint32_t> exit[] = {{19, 40}, {26, 40}, {30, 16}, {32, 8}, {33, 0}};
  for (const auto& [offset, expected] : exit) {
    EXPECT_TRUE(arch::LeftFrameBytes(begin + offset, &bytes)) << offset;
    EXPECT_EQ(bytes, expected) << offset;
  }
  EXPECT_FALSE(arch::LeftFrameBytes(begin + 18, &bytes)) << "not in the exit yet";
  for (const uint32_t offset : {7U, 18U, 26U}) {
    EXPECT_TRUE(arch::IsBehindEntry(begin, begin + offset, 48)) << offset;
  }
  EXPECT_FALSE(arch::IsBehindEntry(begin, begin + 3, 48)) << "the frame is not whole";
  EXPECT_FALSE(arch::IsBehindEntry(begin, begin + 18, 56)) << "another frame";
  const std::pair<uint32_t, uint32_t> given_up[] = {{30, 24}, {32, 32}, {33, 40}};
  for (const auto& [offset, expected] : given_up) {
    EXPECT_TRUE(arch::GivenUpBytes(begin + offset, &bytes)) << offset;
    EXPECT_EQ(bytes, expected) << offset;
  }
  EXPECT_FALSE(arch::GivenUpBytes(begin + 18, &bytes)) << "nothing was given up";
}

TEST(CompiledFrame, ReturnAddressesFollowCalls) {
  const auto follows = [](std::vector<uint8_t> bytes) {
    bytes.insert(bytes.begin(), 8, 0x90);
    return arch::FollowsCall(reinterpret_cast<uintptr_t>(bytes.data() + bytes.size()));
  };
  EXPECT_TRUE(follows({0xe8, 1, 2, 3, 4}));
  EXPECT_TRUE(follows({0xff, 0xd0}));                          // call *%rax
  EXPECT_TRUE(follows({0xff, 0x57, 0x18}));                    // call *24(%rdi)
  EXPECT_TRUE(follows({0x65, 0xff, 0x14, 0x25, 1, 2, 3, 4}));  // call *%gs:n
  EXPECT_FALSE(follows({0xff, 0xe1}));                         // jmp *%rcx
  EXPECT_FALSE(follows({0x90, 0x90}));
  EXPECT_FALSE(arch::FollowsCall(0x10));
}
#endif

TEST(CodeIndex, TheNewestAtAPlaceWins) {
  CodeIndex index;
  EXPECT_EQ(index.Find(0x1000), 0U);
  index.Add(0x1000, 0x100, 7);
  index.Add(0x1000, 0x100, 7);
  EXPECT_EQ(index.Find(0x10ff), 7U);
  EXPECT_EQ(index.Find(0x1100), 0U);
  index.Add(0x1080, 0x10, 9);
  EXPECT_EQ(index.Find(0x1088), 9U);
  EXPECT_EQ(index.Find(0x1090), 7U);
  for (uintptr_t i = 0; i < 2000; ++i) index.Add(0x10000 + i, 1, i + 1);
  EXPECT_EQ(index.Find(0x1000), 7U) << "a full index keeps what it has";
}

}  // namespace
}  // namespace stillframe::art
