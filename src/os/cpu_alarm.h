// SPDX-License-Identifier: Apache-2.0
// Wakes its thread when another thread has used CPU time; nothing runs until then.
//
// The timer sends the signal that the waiting thread already waits for (core::Waker), so that a
// single sleep covers all wake-ups. Remaining risk: during the wait the kernel checks again at each
// signal of the process.
// Context: the thread that waits
#pragma once

#include <time.h>

#include <cstdint>

namespace stillframe::os {

class CpuAlarm {
 public:
  // Watches `tid`, a thread of this process, for the calling thread, which must have
  // core::kWakeSignal blocked. Returns 0 or errno; after an error the alarm never comes.
  int Open(int32_t tid);
  // Sends the signal once the thread has used `cpu_ns` more.
  void Arm(uint64_t cpu_ns);
  // No more signals; one may already be pending.
  void Disarm();

 private:
  bool is_open_ = false;
  timer_t timer_ = {};
};

}  // namespace stillframe::os
