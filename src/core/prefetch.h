// SPDX-License-Identifier: Apache-2.0
// Asks for memory before it is used. A sample finds the caches filled by the application. Each line
// that it waits for costs as much as a hundred instructions, but a CPU fetches about ten at once.
// Never faults, whatever the address is. Context: any thread and signal
#pragma once

#include <cstdint>

// Marks a function that most samples run. The linker puts these side by side, so that the handler
// can ask for them at once. Not for what is long and mostly skipped.
#define SF_EACH_SAMPLE [[gnu::section("sf_each_sample")]]

namespace stillframe::core {

// A shorter line of some CPUs, a part of the pair that others fetch.
constexpr uintptr_t kCacheLineBytes = 64;

// Into the second level, which holds data and code.
[[gnu::always_inline]] inline void PrefetchLine(uintptr_t address) {
  __builtin_prefetch(reinterpret_cast<const void*>(address), 0, 2);
}

[[gnu::always_inline]] inline void Prefetch(const char* begin, const char* end) {
  for (; begin < end; begin += kCacheLineBytes) PrefetchLine(reinterpret_cast<uintptr_t>(begin));
}

}  // namespace stillframe::core
