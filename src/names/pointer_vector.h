// SPDX-License-Identifier: Apache-2.0
// Reads a std::vector of pointers from the runtime's memory, after a plausibility check.
#pragma once

#include <cstdint>
#include <vector>

#include "src/walk/method_code.h"

namespace stillframe::names {

// `at`: its possible address, for both C++ libraries: {begin, end, end of the allocation}. False if
// it is empty, has more than `most` elements, or is implausible.
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
