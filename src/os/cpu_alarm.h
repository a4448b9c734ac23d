// SPDX-License-Identifier: Apache-2.0
// Wakes its thread when another one has used CPU time; nothing runs until then.
//
// The timer's signal is the one that the waiting thread sleeps for (core::Waker), so that there is
// one sleep for all that ends it. Remaining risk: while it is waited for, the kernel looks again at
// each signal that the process gets.
// Context: the thread that waits
#pragma once

#include <time.h>

#include <cstdint>

namespace stillframe::os {

class CpuAlarm {
 public:
  // Watches `tid`, a thread of this process, for the calling thread, which has core::kWakeSignal
  // blocked. Returns 0 or errno; unless 0, no alarm ever comes.
  int Open(int32_t tid);
  // From now on the thread may use `cpu_ns` more, then the signal comes.
  void Arm(uint64_t cpu_ns);
  // The signal comes no more, but may be there already.
  void Disarm();

 private:
  bool is_open_ = false;
  timer_t timer_ = {};
};

}  // namespace stillframe::os
