// SPDX-License-Identifier: Apache-2.0
// Makes the profiler slow. Preloaded. SLOW_HANDLER_US: its handler of SIGPROF takes so much longer.
// SLOW_COLLECTOR_MS: its collector oversleeps by that. SLOW_DUMP_MS: each of its files takes so
// much longer. NEXT_DAY_AFTER_MS: so long after the start it is tomorrow for the process.
// Context: any thread, and signal
#include <dlfcn.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include "tests/process/faults/preloaded.h"

namespace {

// Written before main.
long g_handler_us = 0;
// Where the handler asks for the time first. Written by it.
const void* g_begin = nullptr;
long g_collector_ms = 0;
long g_dump_ms = 0;
long g_next_day_us = 0;  // on the monotonic clock; 0: it is today

long NowUs() {
  timespec now = {};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000 + now.tv_nsec / 1'000;
}

[[gnu::constructor]] void ReadAll() {
  g_handler_us = faults::NumberOf("SLOW_HANDLER_US", 0);
  g_collector_ms = faults::NumberOf("SLOW_COLLECTOR_MS", 0);
  g_dump_ms = faults::NumberOf("SLOW_DUMP_MS", 0);
  const long next_day_ms = faults::NumberOf("NEXT_DAY_AFTER_MS", 0);
  if (next_day_ms != 0) g_next_day_us = NowUs() + next_day_ms * 1'000;
}

}  // namespace

extern "C" {

// Called at the handler's begin, and at its end where it has taken a sample.
[[gnu::visibility("default")]] int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const void* caller = __builtin_return_address(0);
  if (g_handler_us != 0 && clock == CLOCK_MONOTONIC && faults::IsInHandler()) {
    if (g_begin == nullptr) g_begin = caller;
    const long until_us = NowUs() + (caller == g_begin ? 0 : g_handler_us);
    while (NowUs() < until_us) {
    }
  }
  // The collector reads CLOCK_MONOTONIC and CLOCK_BOOTTIME before each sleep and after it, and
  // other clocks next.
  static clockid_t last = CLOCK_REALTIME;
  static int readings = 0;
  static bool is_due = false;
  if (g_collector_ms != 0 && faults::IsNamed("stillframe")) {
    if (is_due) usleep(static_cast<useconds_t>(g_collector_ms) * 1'000);
    is_due = last == CLOCK_MONOTONIC && clock == CLOCK_BOOTTIME && ++readings % 2 == 0;
    last = clock;
  }
  const long result = syscall(SYS_clock_gettime, clock, now);
  if (g_next_day_us != 0 && clock == CLOCK_REALTIME && NowUs() >= g_next_day_us)
    now->tv_sec += 86'400;
  return static_cast<int>(result);
}

[[gnu::visibility("default")]] int rename(const char* from, const char* to) noexcept {
  if (g_dump_ms != 0 && faults::IsNamed("stillframe"))
    usleep(static_cast<useconds_t>(g_dump_ms) * 1'000);
  return static_cast<int>(syscall(SYS_rename, from, to));
}

}  // extern "C"
