// SPDX-License-Identifier: Apache-2.0
// A process out of address space, and the reserve kept for it.
#include "src/sigquit/trace_reserve.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace stillframe::sigquit {
namespace {

constexpr size_t kTraceBytes = 1U << 20;

bool CanMap(size_t bytes) {
  void* const map = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return map != MAP_FAILED && munmap(map, bytes) == 0;
}

// Address space in use, bytes; 0: not known.
rlim_t UsedBytes() {
  FILE* const file = fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  const bool is_read = file != nullptr && fscanf(file, "%lu", &pages) == 1;
  if (file != nullptr) fclose(file);
  return is_read ? pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) : 0;
}

TEST(TraceReserve, IsThereWhenNothingElseIs) {
  TraceReserve::Keep();
  TraceReserve::Keep();  // once is enough
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit none = {UsedBytes() + kTraceBytes / 2, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &none), 0);
  const bool could_before = CanMap(kTraceBytes);
  errno = EDOM;
  TraceReserve::Release();
  const int error = errno;
  const bool can_after = CanMap(kTraceBytes);
  TraceReserve::Release();
  setrlimit(RLIMIT_AS, &before);
  if (could_before) GTEST_SKIP() << "nothing limits address space here";
  EXPECT_TRUE(can_after);
  EXPECT_EQ(error, EDOM);
}

}  // namespace
}  // namespace stillframe::sigquit
