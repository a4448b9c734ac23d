// SPDX-License-Identifier: Apache-2.0
// Reads a std::vector of pointers out of the runtime's memory, which may be none.
#pragma once

#include <cstdint>
#include <vector>

#include "src/walk/method_code.h"

namespace stillframe::names {

// `at`: where it may lie, of both C++ libraries: {begin, end, end of the room}. False where it is
// empty or has more than `most` elements, or is no vector as far as that shows.
inline bool ReadPointerVector(uintptr_t at, uintptr_t most, std::vector<uintptr_t>* elements) {
  constexpr uintptr_t kWord = sizeof(uintptr_t);
  uintptr_t begin = 0;
  uintptr_t end = 0;
  uintptr_t room = 0;
  if (!walk::LoadPointer(at, &begin) || !walk::LoadPointer(at + kWord, &end) ||
      !walk::LoadPointer(at + 2 * kWord, &room) || begin >= end || end > room ||
      (end - begin) % kWord != 0 || (end - begin) / kWord > most)
    return false;
  elements->clear();
  for (uintptr_t element = 0; begin != end; begin += kWord) {
    if (!walk::LoadPointer(begin, &element)) return false;
    elements->push_back(element);
  }
  return true;
}

}  // namespace stillframe::names
