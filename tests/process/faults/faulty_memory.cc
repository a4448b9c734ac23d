// SPDX-License-Identifier: Apache-2.0
// Write-protects memory that the profiler's handler writes to. Preloaded.
//
// Targets a mapping of the profiler from FAULTY_MEMORY_LEAST to FAULTY_MEMORY_MOST bytes: its ring,
// or its slots for copied stacks. Some time after sampling began, it becomes read-only: all of it,
// or the page FAULTY_MEMORY_PAGE alone. So the handler faults in the middle of a sample.
// Context: any thread, and a thread of its own
#include <sys/mman.h>
#include <sys/syscall.h>

#include <atomic>

#include "tests/process/faults/preloaded.h"

namespace {

constexpr size_t kPage = 4096;

std::atomic<char*> g_memory{nullptr};
std::atomic<size_t> g_bytes{0};

void* Disturb(void*) {
  const bool is_on = faults::AwaitSampler();
  usleep(1'000'000);
  const long page = faults::NumberOf("FAULTY_MEMORY_PAGE", -1);
  char* begin = g_memory.load();
  size_t bytes = g_bytes.load();
  if (page >= 0) {
    begin += static_cast<size_t>(page) * kPage;
    bytes = kPage;
  }
  const bool is_done =
      is_on && g_memory.load() != nullptr && mprotect(begin, bytes, PROT_READ) == 0;
  char said[128];
  snprintf(said, sizeof said, is_done ? "%zu bytes cannot be written" : "no memory to disturb",
           bytes);
  faults::Say(said);
  faults::SleepUntilAsked(20'000);  // samples have to come to that page, three times
  faults::SayDone("that was all");
  return nullptr;
}

[[gnu::constructor]] void Begin() {
  if (getenv("FAULTY_MEMORY_LEAST") != nullptr) faults::StartThread(Disturb);
}

}  // namespace

extern "C" [[gnu::visibility("default")]] void* mmap(void* address, size_t bytes, int protection,
                                                     int flags, int fd, off_t offset) noexcept {
  const long memory = syscall(SYS_mmap, address, bytes, protection, flags, fd, offset);
  const char* least = getenv("FAULTY_MEMORY_LEAST");
  if (memory != -1 && least != nullptr && (flags & MAP_ANONYMOUS) != 0 &&
      bytes >= static_cast<size_t>(atol(least)) &&
      bytes <= static_cast<size_t>(faults::NumberOf("FAULTY_MEMORY_MOST", 0)) &&
      faults::IsNamed("stillframe") &&
      faults::FindProfiler().Holds(reinterpret_cast<uintptr_t>(__builtin_return_address(0)))) {
    g_bytes.store(bytes);
    g_memory.store(reinterpret_cast<char*>(memory));
  }
  return reinterpret_cast<void*>(memory);
}
