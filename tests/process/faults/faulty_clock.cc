// SPDX-License-Identifier: Apache-2.0
// A clock that fails in every fourth call by a SIGPROF handler on the main thread. FAULTY_CLOCK is
// "fault", "error", "back", "zero" or "random". After FAULTY_CLOCK_LIES failures (if set), the
// application is asked to end. Preloaded.
// Context: any thread, and signal
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstring>

namespace {

// Written before main, read by handlers.
const char* g_mode = nullptr;
const char* g_told = nullptr;
unsigned g_lies = 0;   // failures until the application is asked to end; 0: never
unsigned g_calls = 0;  // the main thread's, in its handler

[[gnu::constructor]] void ReadMode() {
  g_mode = getenv("FAULTY_CLOCK");
  g_told = getenv("FAULTS_DONE");
  const char* lies = getenv("FAULTY_CLOCK_LIES");
  g_lies = lies == nullptr || g_told == nullptr ? 0 : static_cast<unsigned>(atoi(lies));
}

bool IsInHandler() {
  sigset_t blocked;
  return pthread_sigmask(SIG_SETMASK, nullptr, &blocked) == 0 &&
         sigismember(&blocked, SIGPROF) == 1;
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int clock_gettime(clockid_t clock,
                                                            timespec* now) noexcept {
  const long result = syscall(SYS_clock_gettime, clock, now);
  if (g_mode == nullptr || clock != CLOCK_MONOTONIC || gettid() != getpid() || !IsInHandler() ||
      ++g_calls % 4 != 0)
    return static_cast<int>(result);
  if (g_lies != 0 && g_calls == 4 * g_lies)
    syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, g_told, O_CREAT | O_WRONLY, 0600));
  if (strcmp(g_mode, "error") == 0) {
    memset(now, 0x55, sizeof *now);
    return -1;
  }
  if (strcmp(g_mode, "back") == 0) now->tv_sec -= g_calls % 1000;
  if (strcmp(g_mode, "zero") == 0) *now = {};
  if (strcmp(g_mode, "random") == 0)
    *now = {static_cast<time_t>(g_calls * 2'654'435'761U), 999'999'999};
  if (strcmp(g_mode, "fault") == 0) {
    volatile int* nowhere = nullptr;
    asm volatile("" : "+r"(nowhere));
    *nowhere = 1;
  }
  return 0;
}
