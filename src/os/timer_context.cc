// SPDX-License-Identifier: Apache-2.0
#include "src/os/timer_context.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <vector>

#include "src/os/duration.h"
#include "src/os/thread_timer.h"

namespace stillframe::os {
namespace {

constexpr size_t kDescriptors = 512;  // as many as a process may have open; makes poll slow
constexpr uint64_t kFirstNs = 5'000;
constexpr uint64_t kMaxCpuNs = 50 * kNsPerMs;

uint64_t CpuNs() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * kNsPerSecond + static_cast<uint64_t>(now.tv_nsec);
}

bool IsPending() {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, SIGPROF) == 1;
}

void TakePending(const sigset_t& prof) {
  const timespec at_once = {};
  siginfo_t info;
  while (IsPending() && sigtimedwait(&prof, &info, &at_once) > 0) {
  }
}

TimerContext Find(ThreadTimer* timer, const sigset_t& prof, std::vector<pollfd>* fds) {
  const uint64_t end_ns = CpuNs() + kMaxCpuNs;
  bool is_armed = false;
  while (CpuNs() < end_ns) {
    // An expiry between two calls proves nothing.
    if (IsPending()) {
      TakePending(prof);
      is_armed = false;
    }
    if (!is_armed && timer->Arm(kFirstNs, 0) != 0) break;
    is_armed = true;
    if (poll(fds->data(), static_cast<nfds_t>(fds->size()), 0) < 0) break;
    if (fds->back().revents != 0) return TimerContext::kInterrupt;
    if (IsPending()) return TimerContext::kReturn;
  }
  return TimerContext::kUnknown;
}

}  // namespace

TimerContext FindTimerContext(clockid_t clock) {
  sigset_t prof;
  sigset_t before;
  sigemptyset(&prof);
  sigaddset(&prof, SIGPROF);
  pthread_sigmask(SIG_BLOCK, &prof, &before);
  auto context = TimerContext::kUnknown;
  const int never = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  const int signal = signalfd(-1, &prof, SFD_CLOEXEC | SFD_NONBLOCK);
  ThreadTimer timer;
  if (never >= 0 && signal >= 0 && timer.Create(clock, gettid(), &timer) == 0) {
    std::vector<pollfd> fds(kDescriptors, pollfd{never, POLLIN, 0});
    fds.back().fd = signal;
    context = Find(&timer, prof, &fds);
    timer.Disarm();
    TakePending(prof);
    timer.Delete();
  }
  if (never >= 0) close(never);
  if (signal >= 0) close(signal);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return context;
}

}  // namespace stillframe::os
