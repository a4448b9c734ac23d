// SPDX-License-Identifier: Apache-2.0
// A guarded load of one machine word, for every CPU.
// Context: signal
#pragma once

#include <cstdint>

namespace stillframe::arch {

[[nodiscard, gnu::always_inline]] inline bool GuardedLoadWord(uintptr_t address, uintptr_t* value) {
  if constexpr (sizeof(uintptr_t) == sizeof(uint64_t)) {
    uint64_t word = 0;
    const bool ok = GuardedLoad64(address, &word);
    *value = static_cast<uintptr_t>(word);
    return ok;
  } else {
    uint32_t word = 0;
    const bool ok = GuardedLoad32(address, &word);
    *value = word;
    return ok;
  }
}

}  // namespace stillframe::arch
