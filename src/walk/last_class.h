// SPDX-License-Identifier: Apache-2.0
// The class of the method that a walk saw last: consecutive frames mostly share it, and with it all
// that is read on the way from a class to its dex file.
//
// Rule: it lives no longer than one walk, within which the interrupted thread unloads nothing.
#pragma once

#include <cstdint>

namespace stillframe::walk {

struct LastClass {
  uint32_t address = 0;           // its class is java.lang.Class; 0: none was seen
  uint32_t class_of_classes = 0;  // java.lang.Class; 0: none was seen
  uintptr_t dex_data = 0;         // of its dex file; 0: not read yet
};

}  // namespace stillframe::walk
