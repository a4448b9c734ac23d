// SPDX-License-Identifier: Apache-2.0
// A POSIX timer on the other thread's CPU clock, and a signalfd.
#include "src/os/cpu_alarm.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "src/core/clock.h"
#include "src/os/duration.h"

// glibc names the field for SIGEV_THREAD_ID only inside the union.
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace stillframe::os {

int CpuAlarm::Open(int32_t tid) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGSTKFLT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const int fd = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
  if (fd < 0) return errno;
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGSTKFLT;
  event.sigev_notify_thread_id = gettid();
  if (timer_create(core::ThreadCpuClock(tid), &event, &timer_) != 0) {
    const int error = errno;
    close(fd);
    return error;
  }
  fd_ = fd;
  return 0;
}

void CpuAlarm::Arm(uint64_t cpu_ns) {
  if (fd_ < 0) return;
  const itimerspec when = {{}, TimespecOf(cpu_ns)};
  timer_settime(timer_, 0, &when, nullptr);
}

void CpuAlarm::Disarm() {
  if (fd_ < 0) return;
  const itimerspec never = {};
  timer_settime(timer_, 0, &never, nullptr);
  // Since Linux 6.13 there is nothing to read of a timer that was set again, yet the attempt is
  // what makes the descriptor unreadable.
  signalfd_siginfo info;
  [[maybe_unused]] const ssize_t bytes = read(fd_, &info, sizeof info);
}

}  // namespace stillframe::os
