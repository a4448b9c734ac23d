// SPDX-License-Identifier: Apache-2.0
// Calls found in bytecode, and bytecode that is none.
#include "src/names/dex_calls.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "src/core/guarded_memory.h"
#include "src/walk/code_item.h"

namespace stillframe::names {
namespace {

// A code item with these 16-bit units.
std::vector<uint8_t> CodeItem(const std::vector<uint16_t>& units) {
  std::vector<uint8_t> item(walk::kCodeItemInstructions + units.size() * 2);
  const auto count = static_cast<uint32_t>(units.size());
  memcpy(&item[walk::kCodeItemInstructionCount], &count, sizeof count);
  if (!units.empty())
    memcpy(item.data() + walk::kCodeItemInstructions, units.data(), units.size() * 2);
  return item;
}

uintptr_t AddressOf(const std::vector<uint8_t>& item) {
  return reinterpret_cast<uintptr_t>(item.data());
}

TEST(DexCallsTest, CallsAreFoundBetweenOtherInstructionsAndTables) {
  const auto item = CodeItem({
      0x0013, 5,                            // 0: const/16
      0x1071, 7, 0,                         // 2: invoke-static
      0x0018, 1, 2, 3, 4,                   // 5: const-wide
      0x0028,                               // 10: goto
      0x0000,                               // 11: nop
      0x0100, 2, 0, 0, 1,      0,    2, 0,  // 12: a packed switch's table
      0x0300, 1, 3, 0, 0x6e6e, 0x6e,        // 20: an array's, of three bytes
      0x0174, 9, 0,                         // 26: invoke-virtual/range
      0x10e9, 3, 0,                         // 29: invoke-virtual-quick
      0x000e,                               // 32: return-void
  });
  std::vector<DexCall> calls;
  ASSERT_TRUE(ReadDexCalls(AddressOf(item), &calls));
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_EQ(calls[0].dex_pc, 2U);
  EXPECT_EQ(calls[0].method_index, 7U);
  EXPECT_EQ(calls[1].dex_pc, 26U);
  EXPECT_EQ(calls[1].method_index, 9U);
  EXPECT_EQ(calls[2].dex_pc, 29U);
  EXPECT_EQ(calls[2].method_index, UINT32_MAX);
  EXPECT_EQ(DexOpcodeAt(AddressOf(item), 10), 0x28);
  EXPECT_EQ(DexOpcodeAt(AddressOf(item), 33), 0) << "behind the last";
}

TEST(DexCallsTest, AnInstructionThatTheEndCutsIsNone) {
  std::vector<DexCall> calls;
  EXPECT_FALSE(ReadDexCalls(AddressOf(CodeItem({0x000e, 0x1071, 7})), &calls));
  EXPECT_FALSE(ReadDexCalls(AddressOf(CodeItem({0x0100, 0xffff, 0, 0})), &calls));
  EXPECT_FALSE(ReadDexCalls(AddressOf(CodeItem({})), &calls));
}

TEST(DexCallsTest, GarbageEnds) {
  std::mt19937 random(5);
  std::vector<DexCall> calls;
  for (int round = 0; round < 20'000; ++round) {
    std::vector<uint16_t> units(1 + random() % 40);
    for (uint16_t& unit : units) unit = static_cast<uint16_t>(random() % 4 == 0 ? 0x300 : random());
    const auto item = CodeItem(units);
    ReadDexCalls(AddressOf(item), &calls);
    for (const DexCall& call : calls) ASSERT_LT(call.dex_pc, units.size());
  }
}

}  // namespace
}  // namespace stillframe::names
