// SPDX-License-Identifier: Apache-2.0
// Checks whether a word is an ArtMethod*, and identifies the method in its dex file.
#pragma once

#include <cstdint>

#include "src/walk/layout.h"

namespace stillframe::walk {

// The declaring class of the last method. Consecutive frames mostly share it, and with it all loads
// from class to dex file.
//
// Rule: lives for one walk at most, during which the interrupted thread unloads nothing.
struct LastClass {
  uint32_t address = 0;           // a class, verified; 0: none
  uint32_t class_of_classes = 0;  // java.lang.Class; 0: unknown
  uintptr_t dex_data = 0;         // its dex file's data; 0: not read
};

// Whether `address` is java.lang.Class, which is its own class.
bool WalkIsClassOfClasses(const Layout& layout, uint32_t address);

// Whether the object at `address` is a class.
bool WalkIsClass(const Layout& layout, uint32_t address);

// Whether `method` is aligned and its declaring class is a class (the test of ART 11
// runtime/fault_handler.cc). For consecutive frames: the class in `last` is not tested again.
[[gnu::always_inline]] inline bool WalkIsMethod(const Layout& layout, uintptr_t method,
                                                LastClass* last) {
  uint32_t declaring_class = 0;
  uint32_t type = 0;
  if (method == 0 || (method & (layout.method_alignment - 1)) != 0 ||
      !arch::GuardedLoad32(method + layout.method_declaring_class, &declaring_class) ||
      declaring_class == 0)
    return false;
  if (declaring_class == last->address) return true;
  if (declaring_class % 8 != 0 ||
      !arch::GuardedLoad32(declaring_class + layout.object_class, &type) || type == 0 ||
      (type != last->class_of_classes && !WalkIsClassOfClasses(layout, type)))
    return false;
  *last = {declaring_class, type, 0};
  return true;
}

bool WalkIsMethod(const Layout& layout, uintptr_t method);

// Mark of a frame without compiled code; see CodeMark.
constexpr uint32_t kNoCodeMark = 1;

inline uint32_t MethodTag(uint32_t code_mark, uint32_t dex_index) {
  return code_mark << 16 | (dex_index & 0xffff);
}

// A tag: the code's mark in the upper 8 bits, the method's dex index in the lower 16; 0:
// unreadable. Before a sample's names are resolved, its class may be unloaded and another class's
// methods take the addresses; the tag detects that. Surviving risk: methods of equal index in two
// dex files have equal tags.
[[gnu::always_inline]] inline uint32_t WalkMethodTag(const Layout& layout, uintptr_t method,
                                                     uint32_t code_mark = kNoCodeMark) {
  uint32_t dex_index = 0;
  if (!arch::GuardedLoad32(method + layout.method_dex_index, &dex_index)) return 0;
  return MethodTag(code_mark, dex_index);
}

inline bool IsSameMethod(uint32_t tag, uint32_t other) {
  return (tag & 0xffff) == (other & 0xffff);
}
inline uint32_t CodeMarkOf(uint32_t tag) { return tag >> 16; }

}  // namespace stillframe::walk
