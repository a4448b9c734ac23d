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
  // Deletes a timer of Create, which may be called again then. One of its signals may still be
  // pending.
  void Delete();

 private:
  timer_t timer_ = {};
  bool is_armed_ = false;
};

// Two timers used alternately: the cookie distinguishes the present arming's signals from a pending
// one of an earlier arming. (Linux discards those from 6.13 on.)
class AlternatingTimer {
 public:
  // Creates both timers, with a cookie each.
  int Create(clockid_t clock, int32_t tid, void* cookie, void* other_cookie);

  // The cookie of the next arming.
  void* next_cookie() const { return cookies_[1 - armed_]; }
  // Ends the other timer's signals.
  int Arm(uint64_t first_ns, uint64_t interval_ns);
  int Disarm() { return timers_[armed_].Disarm(); }
  bool is_armed() const { return timers_[armed_].is_armed(); }

 private:
  ThreadTimer timers_[2];
  void* cookies_[2] = {};
  unsigned armed_ = 0;  // index of the timer that is or was last armed
};

}  // namespace stillframe::os
