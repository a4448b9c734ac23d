// SPDX-License-Identifier: Apache-2.0
// Whether a word is an ArtMethod*, and which of its dex file it is.
#pragma once

#include <cstdint>

#include "src/walk/layout.h"

namespace stillframe::walk {

// The class of the method that a walk saw last: consecutive frames mostly share it, and with it all
// that is read on the way from a class to its dex file.
//
// Rule: it lives no longer than one walk, within which the interrupted thread unloads nothing.
struct LastClass {
  uint32_t address = 0;           // its class is java.lang.Class; 0: none was seen
  uint32_t class_of_classes = 0;  // java.lang.Class; 0: none was seen
  uintptr_t dex_data = 0;         // of its dex file; 0: not read yet
};

// True when `address` is that of java.lang.Class, whose class is itself.
bool WalkIsClassOfClasses(const Layout& layout, uint32_t address);

// True when the class of the object at `address` is java.lang.Class.
bool WalkIsClass(const Layout& layout, uint32_t address);

// True when `method` is aligned and its declaring class is a class (the test of ART 11
// runtime/fault_handler.cc). For one frame of several: a class that was right a frame ago is not
// looked at again.
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

// 16 bits of what a method is in its dex file below the eight of its code's mark, never 0; 0 when
// it cannot be read. While a sample waits for its names, a class can be unloaded and another one's
// methods come to lie where its were. Surviving risk: methods of one index in two dex files have
// the same tag.
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
