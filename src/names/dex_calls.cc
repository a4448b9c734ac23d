// SPDX-License-Identifier: Apache-2.0
#include "src/names/dex_calls.h"

#include <string_view>

#include "arch/arch.h"
#include "src/walk/code_item.h"

namespace stillframe::names {
namespace {

using arch::GuardedLoad16;

constexpr uint32_t kMaxUnits = 1U << 16;

// Size of an instruction by opcode, in 16-bit units.
constexpr std::string_view kUnits =
    "1123123123111111"
    "1112322352232112"
    "2122333112333222"
    "2222222222222211"
    "1111222222222222"
    "2222222222222222"
    "2222222222222233"
    "3331333331111111"
    "1111111111111111"
    "2222222222222222"
    "2222222222222222"
    "1111111111111111"
    "1111111111111111"
    "2222222222222222"
    "2222222223322222"
    "2221111111443322";
static_assert(kUnits.size() == 256);

bool IsCall(uint32_t opcode) {
  return (opcode >= 0x6e && opcode <= 0x72) || (opcode >= 0x74 && opcode <= 0x78) ||
         opcode == 0xe9 || opcode == 0xea || (opcode >= 0xfa && opcode <= 0xfd);
}

// Size of the table at an address, whose first unit is `ident`.
bool TableUnits(uintptr_t at, uint16_t ident, uint32_t* units) {
  uint16_t count = 0;
  uint32_t elements = 0;
  if (!GuardedLoad16(at + 2, &count)) return false;
  switch (ident) {
    case 0x100: *units = 4 + count * 2U; return true;
    case 0x200: *units = 2 + count * 4U; return true;
    case 0x300:
      if (!arch::GuardedLoad32(at + 4, &elements) || elements > kMaxUnits * 2) return false;
      *units = 4 + (elements * uint32_t{count} + 1) / 2;
      return true;
    default: *units = 1; return true;
  }
}

}  // namespace

bool ReadDexCalls(uintptr_t code_item, std::vector<DexCall>* calls) {
  uint32_t units = 0;
  calls->clear();
  if (!arch::GuardedLoad32(code_item + walk::kCodeItemInstructionCount, &units) || units == 0 ||
      units > kMaxUnits)
    return false;
  const uintptr_t begin = code_item + walk::kCodeItemInstructions;
  for (uint32_t pc = 0; pc < units;) {
    uint16_t unit = 0;
    uint16_t index = 0;
    if (!GuardedLoad16(begin + pc * 2, &unit)) return false;
    const uint32_t opcode = unit & 0xff;
    auto length = static_cast<uint32_t>(kUnits[opcode] - '0');
    if (opcode == 0 && !TableUnits(begin + pc * 2, unit, &length)) return false;
    if (IsCall(opcode)) {
      if (!GuardedLoad16(begin + pc * 2 + 2, &index)) return false;
      const bool is_quickened = opcode == 0xe9 || opcode == 0xea;
      calls->push_back({pc, is_quickened ? UINT32_MAX : index});
    }
    if (length > units - pc) return false;
    pc += length;
  }
  return true;
}

uint8_t DexOpcodeAt(uintptr_t code_item, uint32_t dex_pc) {
  uint32_t units = 0;
  uint8_t opcode = 0;
  const bool is_read =
      arch::GuardedLoad32(code_item + walk::kCodeItemInstructionCount, &units) && dex_pc < units &&
      units <= kMaxUnits &&
      arch::GuardedLoad8(code_item + walk::kCodeItemInstructions + dex_pc * 2, &opcode);
  return is_read ? opcode : uint8_t{0};
}

}  // namespace stillframe::names
