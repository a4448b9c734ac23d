// SPDX-License-Identifier: Apache-2.0
#include "src/os/thread_timer.h"

#include <errno.h>
#include <signal.h>

#include "src/os/duration.h"

// glibc names the field for SIGEV_THREAD_ID only inside the union.
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace stillframe::os {

int ThreadTimer::Create(clockid_t clock, int32_t tid, void* cookie) {
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event.sigev_value.sival_ptr = cookie;
  event.sigev_notify_thread_id = tid;
  return timer_create(clock, &event, &timer_) == 0 ? 0 : errno;
}

int ThreadTimer::Arm(uint64_t first_ns, uint64_t interval_ns) {
  const itimerspec when = {TimespecOf(interval_ns), TimespecOf(first_ns)};
  if (timer_settime(timer_, 0, &when, nullptr) != 0) return errno;
  is_armed_ = true;
  return 0;
}

int ThreadTimer::Disarm() {
  const itimerspec never = {};
  if (timer_settime(timer_, 0, &never, nullptr) != 0) return errno;
  is_armed_ = false;
  return 0;
}

void ThreadTimer::Delete() {
  timer_delete(timer_);
  is_armed_ = false;
}

int AlternatingTimer::Create(clockid_t clock, int32_t tid, void* cookie, void* other_cookie) {
  cookies_[0] = cookie;
  cookies_[1] = other_cookie;
  const int error = timers_[0].Create(clock, tid, cookie);
  return error != 0 ? error : timers_[1].Create(clock, tid, other_cookie);
}

int AlternatingTimer::Arm(uint64_t first_ns, uint64_t interval_ns) {
  if (is_armed()) Disarm();
  armed_ = 1 - armed_;
  return timers_[armed_].Arm(first_ns, interval_ns);
}

}  // namespace stillframe::os
