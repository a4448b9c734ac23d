// SPDX-License-Identifier: Apache-2.0
// The dex code item of a method: register counts and instructions.
// Source: the dex format (source.android.com, "Dalvik executable format", code_item).
#pragma once

#include <cstdint>

#include "src/walk/layout.h"
#include "src/walk/method_check.h"

namespace stillframe::walk {

// art::DexFile* of a method; false if unreadable.
[[nodiscard]] inline bool LoadDexFilePointer(const Layout& layout, uintptr_t method,
                                             uintptr_t* dex_file) {
  uint32_t declaring_class = 0;
  uint32_t dex_cache = 0;
  uint64_t pointer = 0;  // u64 at every pointer size
  if (!arch::GuardedLoad32(method + layout.method_declaring_class, &declaring_class) ||
      !arch::GuardedLoad32(declaring_class + layout.class_dex_cache, &dex_cache) ||
      !arch::GuardedLoad64(dex_cache + layout.dex_cache_dex_file, &pointer))
    return false;
  *dex_file = static_cast<uintptr_t>(pointer);
  return pointer != 0;
}

// Address of a standard code item. False for compact ones and, as far as known, for methods without
// code: the contents must still be checked. `last`: the method's class, or empty.
[[nodiscard]] inline bool LoadCodeItem(const Layout& layout, uintptr_t method, LastClass* last,
                                       uintptr_t* code_item) {
  if (layout.code_item_place == CodeItemPlace::kPointer) {
    return LoadPointer(method + layout.method_code_item, code_item) && *code_item != 0 &&
           *code_item % 4 == 0;
  }
  uint32_t offset = 0;
  uintptr_t dex_file = 0;
  if (!arch::GuardedLoad32(method + layout.method_code_item, &offset) || offset == 0) return false;
  if (last->dex_data == 0 && (!LoadDexFilePointer(layout, method, &dex_file) ||
                              !LoadPointer(dex_file + layout.dex_file_data_begin, &last->dex_data)))
    return false;
  *code_item = last->dex_data + offset;
  return offset % 4 == 0;
}

// The same, including compact code items (ART 9 to 15), which have other fields.
[[nodiscard]] bool LoadAnyCodeItem(const Layout& layout, uintptr_t method, uintptr_t* code_item,
                                   bool* is_compact);

// The fields of a compact code item.
struct CompactCodeItem {
  uint32_t registers;
  uint32_t outs;
  uint32_t instruction_count;
  uintptr_t instructions;
};
[[nodiscard]] bool LoadCompactCodeItem(uintptr_t code_item, CompactCodeItem* item);

// Number of the method's dex registers; false: it has no code.
[[nodiscard]] bool LoadDexRegisters(const Layout& layout, uintptr_t method, uint32_t* registers);

}  // namespace stillframe::walk
