// SPDX-License-Identifier: Apache-2.0
// Loads that report a fault instead of raising it. Each is one plain instruction and a row in the
// section sf_guarded_loads {load - row, recovery - row}. On a fault core/guarded_memory.cc looks up
// the row. Hazard: without the recovery installed a bad address still kills the
// process. Context: signal
#pragma once

#include <cstdint>

namespace stillframe::arch {

// volatile: the load must run even if its value is unused: the fault is the result.
// "?" puts the row into the function's own group: a discarded inline copy drops its row too.
#define SF_GUARDED_LOAD(name, type, instruction)                                       \
  [[nodiscard, gnu::always_inline]] inline bool name(uintptr_t address, type* value) { \
    type loaded;                                                                       \
    asm volatile goto("1: " instruction                                                \
                      ", [%1]\n"                                                       \
                      ".pushsection sf_guarded_loads, \"a?\", %%progbits\n"            \
                      ".balign 4\n"                                                    \
                      ".long 1b - .\n"                                                 \
                      ".long %l[fault] - .\n"                                          \
                      ".popsection\n"                                                  \
                      : "=r"(loaded)                                                   \
                      : "r"(address)                                                   \
                      : "memory"                                                       \
                      : fault);                                                        \
    *value = loaded;                                                                   \
    return true;                                                                       \
  fault:                                                                               \
    return false;                                                                      \
  }

SF_GUARDED_LOAD(GuardedLoad32, uint32_t, "ldr %0")
SF_GUARDED_LOAD(GuardedLoad16, uint16_t, "ldrh %0")
SF_GUARDED_LOAD(GuardedLoad8, uint8_t, "ldrb %0")

#undef SF_GUARDED_LOAD

// Two loads: the halves may come from different moments.
[[nodiscard, gnu::always_inline]] inline bool GuardedLoad64(uintptr_t address, uint64_t* value) {
  uint32_t low = 0;
  uint32_t high = 0;
  if (!GuardedLoad32(address, &low) || !GuardedLoad32(address + 4, &high)) return false;
  *value = uint64_t{high} << 32 | low;
  return true;
}

}  // namespace stillframe::arch
