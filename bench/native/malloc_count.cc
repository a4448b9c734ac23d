// SPDX-License-Identifier: Apache-2.0
// Preloaded: counts the allocations of each thread.
// Context: any thread
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

namespace {

thread_local uint64_t g_count = 0;

bool IsPowerOfTwo(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

}  // namespace

extern "C" {

// glibc's own entries, exported in addition to the names replaced here.
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

// The calling thread's allocations so far.
[[gnu::visibility("default")]] uint64_t bench_thread_mallocs() { return g_count; }

[[gnu::visibility("default")]] void* malloc(size_t bytes) {
  ++g_count;
  return __libc_malloc(bytes);
}

[[gnu::visibility("default")]] void* calloc(size_t count, size_t bytes) {
  ++g_count;
  return __libc_calloc(count, bytes);
}

[[gnu::visibility("default")]] void* realloc(void* memory, size_t bytes) {
  ++g_count;
  return __libc_realloc(memory, bytes);
}

[[gnu::visibility("default")]] void* memalign(size_t alignment, size_t bytes) {
  ++g_count;
  return __libc_memalign(alignment, bytes);
}

[[gnu::visibility("default")]] void* aligned_alloc(size_t alignment, size_t bytes) {
  return memalign(alignment, bytes);
}

[[gnu::visibility("default")]] int posix_memalign(void** memory, size_t alignment, size_t bytes) {
  if (!IsPowerOfTwo(alignment)) return EINVAL;
  *memory = memalign(alignment, bytes);
  return *memory != nullptr ? 0 : ENOMEM;
}

}  // extern "C"
