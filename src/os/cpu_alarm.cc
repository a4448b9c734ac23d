// SPDX-License-Identifier: Apache-2.0
#include "src/os/cpu_alarm.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "src/core/clock.h"
#include "src/core/wake_signal.h"
#include "src/os/duration.h"

// glibc names the field for SIGEV_THREAD_ID only inside the union.
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace stillframe::os {

int CpuAlarm::Open(int32_t tid) {
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = core::kWakeSignal;
  event.sigev_notify_thread_id = gettid();
  if (timer_create(core::ThreadCpuClock(tid), &event, &timer_) != 0) return errno;
  is_open_ = true;
  return 0;
}

void CpuAlarm::Arm(uint64_t cpu_ns) {
  if (!is_open_) return;
  const itimerspec when = {{}, TimespecOf(cpu_ns)};
  timer_settime(timer_, 0, &when, nullptr);
}

void CpuAlarm::Disarm() {
  if (!is_open_) return;
  const itimerspec never = {};
  timer_settime(timer_, 0, &never, nullptr);
}

}  // namespace stillframe::os
