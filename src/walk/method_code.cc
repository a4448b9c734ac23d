// SPDX-License-Identifier: Apache-2.0
#include "src/walk/method_code.h"

#include "src/walk/code_item.h"

namespace stillframe::walk {
namespace {

using arch::GuardedLoad16;
using arch::GuardedLoad32;

constexpr uint32_t kCompactDexMagic = 0x78656463;  // "cdex"

// A compact code item (ART 9 to 15 libdexfile/dex/compact_dex_file.h, CodeItem): numbers of four
// bits. Values that do not fit come before it, in the order of the flags.
constexpr uint32_t kFields = 0;                // u16: registers without ins, ins, outs, tries
constexpr uint32_t kInstructionsAndFlags = 2;  // u16
constexpr uint32_t kFlagBits = 5;
constexpr uint32_t kHasMoreRegisters = 1U << 0;
constexpr uint32_t kHasMoreIns = 1U << 1;
constexpr uint32_t kHasMoreOuts = 1U << 2;
constexpr uint32_t kHasMoreInstructions = 1U << 4;  // u32, the lower half next to the item
constexpr uint32_t kCompactInstructions = 4;

}  // namespace

bool LoadCompactCodeItem(uintptr_t code_item, CompactCodeItem* item) {
  uint16_t fields = 0;
  uint16_t flags = 0;
  if (!GuardedLoad16(code_item + kFields, &fields) ||
      !GuardedLoad16(code_item + kInstructionsAndFlags, &flags))
    return false;
  uintptr_t before = code_item;
  const auto more = [&](uint32_t flag) -> uint32_t {
    uint16_t value = 0;
    if ((flags & flag) == 0) return 0;
    before -= sizeof value;
    return arch::GuardedLoad16(before, &value) ? value : 0;
  };
  item->instruction_count = uint32_t{flags} >> kFlagBits;
  item->instruction_count += more(kHasMoreInstructions);
  item->instruction_count += more(kHasMoreInstructions) << 16;
  item->registers = (fields >> 12 & 15U) + more(kHasMoreRegisters);
  item->registers += (fields >> 8 & 15U) + more(kHasMoreIns);
  item->outs = (fields >> 4 & 15U) + more(kHasMoreOuts);
  item->instructions = code_item + kCompactInstructions;
  return true;
}

bool LoadAnyCodeItem(const Layout& layout, uintptr_t method, uintptr_t* code_item,
                     bool* is_compact) {
  if (layout.code_item_place == CodeItemPlace::kPointer) {
    if (!LoadPointer(method + layout.method_code_item, code_item)) return false;
    *is_compact = (*code_item & 1) != 0;
    *code_item &= ~uintptr_t{1};
    return *code_item != 0;
  }
  uint32_t offset = 0;
  uint32_t magic = 0;
  uintptr_t dex_file = 0;
  uintptr_t begin = 0;
  uintptr_t data = 0;
  if (!GuardedLoad32(method + layout.method_code_item, &offset) || offset == 0 ||
      !LoadDexFilePointer(layout, method, &dex_file) ||
      !LoadPointer(dex_file + layout.dex_file_begin, &begin) ||
      !LoadPointer(dex_file + layout.dex_file_data_begin, &data) || !GuardedLoad32(begin, &magic))
    return false;
  *is_compact = magic == kCompactDexMagic;
  *code_item = data + offset;
  return true;
}

bool LoadDexRegisters(const Layout& layout, uintptr_t method, uint32_t* registers) {
  uintptr_t code_item = 0;
  bool is_compact = false;
  if (!LoadAnyCodeItem(layout, method, &code_item, &is_compact)) return false;
  CompactCodeItem compact;
  if (is_compact && LoadCompactCodeItem(code_item, &compact)) {
    *registers = compact.registers;
    return true;
  }
  uint16_t count = 0;
  if (!GuardedLoad16(code_item + kCodeItemRegisters, &count)) return false;
  *registers = count;
  return true;
}

}  // namespace stillframe::walk
