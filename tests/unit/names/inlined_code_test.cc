// SPDX-License-Identifier: Apache-2.0
// The inlined method that an instruction of ART 14's compiled code belongs to. Reading damaged code
// and CodeInfo ends.
#include "src/names/inlined_code.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "arch/arch.h"
#include "tests/testbed/quick_code/code_info.h"

namespace stillframe::names {
namespace {

// InlinedLeaves.middle: a loop around inner, which is inlined and is a loop itself.
constexpr uint8_t kMiddle[] = {
    // clang-format off
    0x48, 0x85, 0x84, 0x24, 0x00, 0xe0, 0xff, 0xff, 0x48, 0x83, 0xec, 0x18, 0x48, 0x89, 0x3c, 0x24,
    0x8b, 0x07, 0x65, 0x83, 0x3c, 0x25, 0x00, 0x06, 0x00, 0x00, 0x00, 0x0f, 0x85, 0xa1, 0x00, 0x00,
    0x00, 0xc7, 0x80, 0xec, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x8b, 0x88, 0xf0, 0x00, 0x00,
    0x00, 0x03, 0xce, 0x48, 0x89, 0xce, 0x33, 0xc9, 0x83, 0xf9, 0x08, 0x0f, 0x8d, 0x79, 0x00, 0x00,
    0x00, 0x48, 0x89, 0xcf, 0x33, 0xfe, 0xc7, 0x80, 0xec, 0x00, 0x00, 0x00, 0x09, 0x00, 0x00, 0x00,
    0x8b, 0xb0, 0xf0, 0x00, 0x00, 0x00, 0x03, 0xf7, 0x48, 0x89, 0xf7, 0x33, 0xf6, 0x3b, 0xf2, 0x0f,
    0x8d, 0x2d, 0x00, 0x00, 0x00, 0x49, 0x89, 0xf8, 0x41, 0xc1, 0xe0, 0x05, 0x44, 0x2b, 0xc7, 0xc1,
    0xef, 0x07, 0x49, 0x89, 0xf1, 0x44, 0x33, 0xcf, 0x43, 0x8d, 0x3c, 0x01, 0x83, 0xc6, 0x01, 0x65,
    0xf7, 0x04, 0x25, 0x00, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00, 0x74, 0xd0, 0xe9, 0x3d, 0x00,
    0x00, 0x00, 0xc7, 0x80, 0xec, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x8b, 0xb0, 0xf0, 0x00,
    0x00, 0x00, 0x03, 0xf7, 0x83, 0xc1, 0x01, 0x65, 0xf7, 0x04, 0x25, 0x00, 0x00, 0x00, 0x00, 0x07,
    0x00, 0x00, 0x00, 0x74, 0x83, 0xe9, 0x1f, 0x00, 0x00, 0x00, 0x48, 0x89, 0xf0, 0x48, 0x83, 0xc4,
    0x18, 0xc3, 0x65, 0xff, 0x14, 0x25, 0x00, 0x06, 0x00, 0x00, 0xe9, 0x52, 0xff, 0xff, 0xff, 0x65,
    0xff, 0x14, 0x25, 0x00, 0x05, 0x00, 0x00, 0xeb, 0x84, 0x65, 0xff, 0x14, 0x25, 0x00, 0x05, 0x00,
    0x00, 0xe9, 0x52, 0xff, 0xff, 0xff,
    // clang-format on
};
constexpr uintptr_t kMethod = 0x1000;
constexpr uint64_t kInner = 0x7fff'1234'5678;
constexpr uint32_t kCallOfInner = 12;  // dex pc

testbed::quick_code::CodeDescription DescriptionOfMiddle() {
  testbed::quick_code::CodeDescription description;
  description.code_bytes = sizeof kMiddle;
  description.frame_bytes = 32;
  description.safepoints = {
      {8, 0, {}},
      {215, kCallOfInner, {{kInner, 0, false, 8}}},
      {225, 8, {}},
  };
  return description;
}

// CodeInfo, header and code in one piece of memory.
class Placed {
 public:
  Placed() {
    const std::vector<uint8_t> info =
        testbed::quick_code::EncodeCodeInfo(14, DescriptionOfMiddle());
    info_bytes_ = info.size();
    code_ = (info.size() + 8 + 15) & ~size_t{15};
    memory_.assign(code_ + sizeof kMiddle, 0);
    memcpy(memory_.data(), info.data(), info.size());
    const auto mark = static_cast<uint32_t>(code_) | 1U << 30;
    memcpy(&memory_[code_ - 4], &mark, sizeof mark);
    memcpy(&memory_[code_], kMiddle, sizeof kMiddle);
    const walk::LayoutTable table = walk::KnownLayouts();
    for (uint32_t i = 0; i < table.count; ++i)
      if (std::string_view(table.rows[i].release) == "14") layout_ = &table.rows[i];
  }
  bool Read(InlinedCode* inlined) const {
    walk::CompiledCode code = {};
    MachineCode copy;
    return walk::LoadCompiledCode(*layout_, reinterpret_cast<uintptr_t>(&memory_[code_]), &code) &&
           code.bytes <= sizeof kMiddle && copy.Copy(code) &&
           inlined->Read(*layout_, code, kMethod, std::move(copy));
  }
  // A bit of CodeInfo or of the code.
  void Damage(uint32_t number) {
    const size_t byte = number / 8 % (info_bytes_ + sizeof kMiddle);
    memory_[byte < info_bytes_ ? byte : code_ + byte - info_bytes_] ^=
        static_cast<uint8_t>(1 << number % 8);
  }

 private:
  std::vector<uint8_t> memory_;
  size_t code_ = 0;
  size_t info_bytes_ = 0;
  const walk::Layout* layout_ = nullptr;
};

uint8_t NoOpcode(void*, const InlinedInstance&, uint32_t) { return 0; }

TEST(InlinedCodeTest, InstructionsBelongToTheMethodWhoseMarksAreAround) {
  InlinedCode inlined;
  ASSERT_TRUE(Placed().Read(&inlined));
  ASSERT_TRUE(inlined.has_inlined());
  ASSERT_TRUE(inlined.FindMarks(NoOpcode, nullptr));
  // inner's loop, with its check and the slow path of that.
  for (const uint32_t offset : {93U, 101U, 120U, 124U, 127U, 139U, 141U, 207U, 215U}) {
    const InlinedPlace place = inlined.At(offset);
    EXPECT_EQ(inlined.instance(place.instance).method, kInner) << offset;
    EXPECT_FALSE(place.may_be_deeper) << offset;
    EXPECT_EQ(place.dex_pc, 8U) << offset;
  }
  // The frame, the check of middle's own loop and its slow path.
  for (const uint32_t offset : {0U, 8U, 179U, 181U, 189U, 193U, 217U, 225U}) {
    EXPECT_EQ(inlined.At(offset).instance, 0U) << offset;
    EXPECT_FALSE(inlined.At(offset).may_be_deeper) << offset;
  }
  // Between marks of one and the other.
  for (const uint32_t offset : {33U, 70U, 80U, 146U, 164U, 186U}) {
    EXPECT_EQ(inlined.At(offset).instance, 0U) << offset;
    EXPECT_TRUE(inlined.At(offset).may_be_deeper) << offset;
  }
}

TEST(InlinedCodeTest, AnInstanceHasItsCallers) {
  InlinedCode inlined;
  ASSERT_TRUE(Placed().Read(&inlined));
  walk::CompiledFrame frames[walk::kMaxInlined + 1];
  ASSERT_EQ(inlined.Methods(1, 8, frames), 2U);
  EXPECT_EQ(frames[0].method, kInner);
  EXPECT_EQ(frames[0].dex_pc, 8U);
  EXPECT_EQ(frames[1].method, kMethod);
  EXPECT_EQ(frames[1].dex_pc, kCallOfInner);
}

TEST(InlinedCodeTest, ACallWithoutATraceIsHidden) {
  InlinedCode inlined;
  ASSERT_TRUE(Placed().Read(&inlined));
  ASSERT_TRUE(inlined.FindMarks(NoOpcode, nullptr));
  EXPECT_FALSE(inlined.IsHiddenCall(0, kCallOfInner)) << "inlined, with marks";
  EXPECT_TRUE(inlined.IsHiddenCall(0, 20)) << "nothing was compiled for it";
  EXPECT_TRUE(inlined.IsHiddenCall(0, 8)) << "a check at the same place is no call";
}

TEST(InlinedCodeTest, DamageEnds) {
  std::mt19937 random(12);
  uint32_t read = 0;
  for (int round = 0; round < 5'000; ++round) {
    Placed placed;
    for (uint32_t i = 0; i <= random() % 6; ++i) placed.Damage(static_cast<uint32_t>(random()));
    InlinedCode inlined;
    if (!placed.Read(&inlined) || !inlined.FindMarks(NoOpcode, nullptr)) continue;
    ++read;
    walk::CompiledFrame frames[walk::kMaxInlined + 1];
    for (uint32_t offset = 0; offset <= sizeof kMiddle; offset += 5) {
      const InlinedPlace place = inlined.At(offset);
      ASSERT_LE(inlined.Methods(place.instance, place.dex_pc, frames), walk::kMaxInlined + 1);
    }
  }
  EXPECT_GT(read, 1'000U) << "damage that leaves nothing to read tests nothing";
}

}  // namespace
}  // namespace stillframe::names
