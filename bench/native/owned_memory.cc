// SPDX-License-Identifier: Apache-2.0
// Preloaded: measures the profiler's memory. The heap counts live allocations of its code and
// threads. Also counted: its own mappings (touched or not), touched pages of its threads' stacks,
// and its library's writable segments.
// Context: any thread, but not a signal handler
#include "bench/native/owned_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" {

// glibc's own entries, exported in addition to the names replaced here.
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void* memory);

}  // extern "C"

namespace {

constexpr char kLibrary[] = "/libstillframe.so";
constexpr size_t kMaxSegments = 8;
constexpr size_t kMaxRanges = 64;
constexpr size_t kSlots = size_t{1} << 18;  // a power of two, far above the live allocations

struct Range {
  uintptr_t begin = 0;  // 0: free
  uintptr_t end = 0;
  bool contains(uintptr_t at) const { return at >= begin && at < end; }
};

// Written by the constructor, before other threads exist.
Range g_code[kMaxSegments];
Range g_writable[kMaxSegments];

// Everything below is guarded by g_lock.
std::atomic_flag g_lock = ATOMIC_FLAG_INIT;
void* g_live[kSlots];
size_t g_live_bytes = 0;
Range g_mappings[kMaxRanges];
Range g_stacks[kMaxRanges];

thread_local bool g_is_our_thread = false;

class Locked {
 public:
  Locked() {
    while (g_lock.test_and_set(std::memory_order_acquire)) sched_yield();
  }
  ~Locked() { g_lock.clear(std::memory_order_release); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
};

bool IsOurCode(void* address) {
  for (const Range& range : g_code)
    if (range.contains(reinterpret_cast<uintptr_t>(address))) return true;
  return false;
}

bool IsOurs(void* caller) { return g_is_our_thread || IsOurCode(caller); }

size_t FirstSlot(void* memory) {
  return (reinterpret_cast<uintptr_t>(memory) >> 4) * 0x9e3779b97f4a7c15U % kSlots;
}

void* Remember(void* memory, bool is_ours) {
  if (!is_ours || memory == nullptr) return memory;
  const Locked locked;
  size_t slot = FirstSlot(memory);
  while (g_live[slot] != nullptr) slot = (slot + 1) % kSlots;
  g_live[slot] = memory;
  g_live_bytes += malloc_usable_size(memory);
  return memory;
}

// Closes the gap, so that a search may stop at the first free slot.
void Free(size_t gap) {
  g_live[gap] = nullptr;
  for (size_t slot = (gap + 1) % kSlots; g_live[slot] != nullptr; slot = (slot + 1) % kSlots) {
    const size_t wanted = FirstSlot(g_live[slot]);
    if ((slot + kSlots - wanted) % kSlots < (slot + kSlots - gap) % kSlots) continue;
    g_live[gap] = g_live[slot];
    g_live[slot] = nullptr;
    gap = slot;
  }
}

// True if it was known.
bool Forget(void* memory) {
  if (memory == nullptr) return false;
  const Locked locked;
  for (size_t slot = FirstSlot(memory); g_live[slot] != nullptr; slot = (slot + 1) % kSlots) {
    if (g_live[slot] == memory) {
      g_live_bytes -= malloc_usable_size(memory);
      Free(slot);
      return true;
    }
  }
  return false;
}

void Add(Range (&ranges)[kMaxRanges], void* begin, size_t bytes) {
  const Locked locked;
  for (Range& range : ranges) {
    if (range.begin != 0) continue;
    range.begin = reinterpret_cast<uintptr_t>(begin);
    range.end = range.begin + bytes;
    return;
  }
  abort();  // more than the profiler is allowed to have
}

void Remove(Range (&ranges)[kMaxRanges], void* begin) {
  const Locked locked;
  for (Range& range : ranges)
    if (range.begin == reinterpret_cast<uintptr_t>(begin)) range = {};
}

int FindLibrary(dl_phdr_info* info, size_t, void*) {
  const size_t length = strlen(info->dlpi_name);
  if (length < sizeof kLibrary - 1 ||
      strcmp(info->dlpi_name + length - (sizeof kLibrary - 1), kLibrary) != 0)
    return 0;
  size_t code = 0;
  size_t writable = 0;
  for (size_t i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    const Range range = {begin, begin + header.p_memsz};
    if ((header.p_flags & PF_X) != 0 && code < kMaxSegments) g_code[code++] = range;
    if ((header.p_flags & PF_W) != 0 && writable < kMaxSegments) g_writable[writable++] = range;
  }
  return 1;
}

[[gnu::constructor]] void FindOurs() { dl_iterate_phdr(FindLibrary, nullptr); }

template <typename Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

struct Start {
  void* (*routine)(void*);
  void* argument;
};

void* RunOurThread(void* memory) {
  const Start start = *static_cast<Start*>(memory);
  __libc_free(memory);
  pthread_attr_t attributes;
  void* stack = nullptr;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &stack, &bytes);
    pthread_attr_destroy(&attributes);
  }
  Add(g_stacks, stack, bytes);
  g_is_our_thread = true;
  void* const result = start.routine(start.argument);
  g_is_our_thread = false;
  Remove(g_stacks, stack);
  return result;
}

size_t TouchedBytes(const Range (&ranges)[kMaxRanges]) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t bytes = 0;
  for (const Range& range : ranges) {
    for (uintptr_t at = range.begin & ~(page - 1); at < range.end; at += page) {
      unsigned char is_resident = 0;
      if (mincore(reinterpret_cast<void*>(at), page, &is_resident) == 0 && (is_resident & 1) != 0)
        bytes += page;
    }
  }
  return bytes;
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] bench_owned_memory bench_read_owned_memory() {
  const Locked locked;
  bench_owned_memory owned = {};
  owned.is_known = g_code[0].begin != 0;
  owned.heap_bytes = g_live_bytes;
  for (const Range& range : g_mappings) owned.mapped_bytes += range.end - range.begin;
  owned.stack_bytes = TouchedBytes(g_stacks);
  for (const Range& range : g_writable) owned.data_bytes += range.end - range.begin;
  return owned;
}

[[gnu::visibility("default")]] void* malloc(size_t bytes) {
  return Remember(__libc_malloc(bytes), IsOurs(__builtin_return_address(0)));
}

[[gnu::visibility("default")]] void* calloc(size_t count, size_t bytes) {
  return Remember(__libc_calloc(count, bytes), IsOurs(__builtin_return_address(0)));
}

[[gnu::visibility("default")]] void* realloc(void* memory, size_t bytes) {
  const bool was_ours = Forget(memory);
  void* const grown = __libc_realloc(memory, bytes);
  if (grown == nullptr && bytes != 0) {
    Remember(memory, was_ours);
    return nullptr;
  }
  return Remember(grown, was_ours || IsOurs(__builtin_return_address(0)));
}

[[gnu::visibility("default")]] void* memalign(size_t alignment, size_t bytes) {
  return Remember(__libc_memalign(alignment, bytes), IsOurs(__builtin_return_address(0)));
}

[[gnu::visibility("default")]] void* aligned_alloc(size_t alignment, size_t bytes) {
  return Remember(__libc_memalign(alignment, bytes), IsOurs(__builtin_return_address(0)));
}

[[gnu::visibility("default")]] int posix_memalign(void** memory, size_t alignment, size_t bytes) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  *memory = Remember(__libc_memalign(alignment, bytes), IsOurs(__builtin_return_address(0)));
  return *memory != nullptr ? 0 : ENOMEM;
}

[[gnu::visibility("default")]] void free(void* memory) {
  Forget(memory);
  __libc_free(memory);
}

[[gnu::visibility("default")]] void* mmap(void* address, size_t bytes, int protection, int flags,
                                          int fd, off_t offset) {
  static const auto next = Next<decltype(&mmap)>("mmap");
  void* const mapped = next(address, bytes, protection, flags, fd, offset);
  const bool is_private = (flags & MAP_ANONYMOUS) != 0 && protection != PROT_NONE;
  if (mapped != MAP_FAILED && is_private && IsOurCode(__builtin_return_address(0)))
    Add(g_mappings, mapped, bytes);
  return mapped;
}

[[gnu::visibility("default")]] int munmap(void* address, size_t bytes) {
  static const auto next = Next<decltype(&munmap)>("munmap");
  if (IsOurCode(__builtin_return_address(0))) Remove(g_mappings, address);
  return next(address, bytes);
}

[[gnu::visibility("default")]] int pthread_create(pthread_t* thread,
                                                  const pthread_attr_t* attributes,
                                                  void* (*routine)(void*), void* argument) {
  static const auto next = Next<decltype(&pthread_create)>("pthread_create");
  if (!IsOurCode(__builtin_return_address(0))) return next(thread, attributes, routine, argument);
  auto* const start = static_cast<Start*>(__libc_malloc(sizeof(Start)));
  if (start == nullptr) return EAGAIN;
  *start = {routine, argument};
  const int error = next(thread, attributes, RunOurThread, start);
  if (error != 0) __libc_free(start);
  return error;
}

}  // extern "C"
