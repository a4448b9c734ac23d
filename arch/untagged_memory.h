// SPDX-License-Identifier: Apache-2.0
// For CPUs without memory tags and without spare bits in pointers.
// Context: any thread
#pragma once

#include <cstdint>

namespace stillframe::arch {

inline uintptr_t Untagged(uintptr_t address) { return address; }

class TagChecks {
 public:
  static void Prepare() {}
  static void SwitchOff() {}
  static void SwitchOn() {}
};

}  // namespace stillframe::arch
