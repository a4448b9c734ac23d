// SPDX-License-Identifier: Apache-2.0
// A kernel timer that signals one thread.
// Context: collector; the signal arrives on the watched thread
#pragma once

#include <time.h>

#include <cstdint>

namespace stillframe::os {

class ThreadTimer {
 public:
  // A timer on `clock` that sends SIGPROF with `cookie` in si_value to `tid`, a thread of this
  // process. Returns 0 or errno.
  int Create(clockid_t clock, int32_t tid, void* cookie);

  // First signal after `first_ns` of the clock, then every `interval_ns`. Returns 0 or errno.
  int Arm(uint64_t first_ns, uint64_t interval_ns);
  int Disarm();
  bool is_armed() const { return is_armed_; }
  // Of a timer that Create has made; it may be made again then.
  void Delete();

 private:
  timer_t timer_ = {};
  bool is_armed_ = false;
};

// Two timers that take turns: a signal that an earlier arming left pending is told by its cookie
// from those of the present one. (Linux drops it from 6.13 on.)
class AlternatingTimer {
 public:
  // As two of ThreadTimer, with a cookie each.
  int Create(clockid_t clock, int32_t tid, void* cookie, void* other_cookie);

  // The cookie of the next arming.
  void* next_cookie() const { return cookies_[1 - armed_]; }
  // The other timer's signals end.
  int Arm(uint64_t first_ns, uint64_t interval_ns);
  int Disarm() { return timers_[armed_].Disarm(); }
  bool is_armed() const { return timers_[armed_].is_armed(); }

 private:
  ThreadTimer timers_[2];
  void* cookies_[2] = {};
  unsigned armed_ = 0;  // or was last
};

}  // namespace stillframe::os
