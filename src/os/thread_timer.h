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
  // There is no timer any more; one of its signals may still be on its way.
  void Delete();
  bool is_armed() const { return is_armed_; }

 private:
  timer_t timer_ = {};
  bool is_armed_ = false;
};

}  // namespace stillframe::os
