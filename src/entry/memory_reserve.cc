// SPDX-License-Identifier: Apache-2.0
// This library's operator new, with a reserve for when memory runs out.
//
// Problem: without exceptions a failed allocation ends the application.
// Rule: operator new is not visible outside this library. On failure it takes from a reserve that
// is mapped when the library is loaded, and untouched until then. Freed parts of it are not reused.
// When it is used up, a thread of ours blocks forever.
// Remaining risk: a thread of the application in the C API that finds both used up ends the
// process, as it would without us.
// Context: any thread but a signal handler
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

namespace {

constexpr size_t kReserveBytes = 4U << 20;
constexpr size_t kAlignment = alignof(std::max_align_t);

// Written by the constructor below, before any thread of ours runs.
uintptr_t g_reserve = 0;
// Written by any thread whose allocation failed (relaxed: each takes bytes of its own).
std::atomic<size_t> g_used{0};

[[gnu::constructor(101)]] void MapReserve() {
  void* reserve = mmap(nullptr, kReserveBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserve != MAP_FAILED) g_reserve = reinterpret_cast<uintptr_t>(reserve);
}

bool IsInReserve(const void* memory) {
  return reinterpret_cast<uintptr_t>(memory) - g_reserve < kReserveBytes && g_reserve != 0;
}

[[noreturn]] void BlockForever() {
  char name[16] = {};
  prctl(PR_GET_NAME, name);
  if (strncmp(name, "stillframe", strlen("stillframe")) != 0) abort();
  for (;;) pause();
}

void* FromReserve(size_t bytes) {
  const size_t rounded = (bytes + kAlignment - 1) & ~(kAlignment - 1);
  const size_t at = g_used.fetch_add(rounded, std::memory_order_relaxed);
  if (g_reserve == 0 || rounded < bytes || at > kReserveBytes || rounded > kReserveBytes - at)
    BlockForever();
  return reinterpret_cast<void*>(g_reserve + at);
}

}  // namespace

void* operator new(size_t bytes) {
  void* memory = malloc(bytes != 0 ? bytes : 1);
  return memory != nullptr ? memory : FromReserve(bytes);
}

void* operator new[](size_t bytes) { return operator new(bytes); }

void operator delete(void* memory) noexcept {
  if (!IsInReserve(memory)) free(memory);
}

void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, size_t) noexcept { operator delete(memory); }
