// SPDX-License-Identifier: Apache-2.0
// Wakes its thread when another one has used CPU time; nothing runs until then.
//
// Problem: CPU clocks have timers, but no descriptors that can be waited for beside others. Rule:
// the timer's signal goes to the waiting thread alone, which blocks it for good and has a signalfd
// for it: no handler runs, and no action of the process's can end it. The signal is one that no
// kernel sends and that the process does not hear of, SIGSTKFLT. Surviving risk: while it is waited
// for, the kernel looks again at each signal that the process gets.
// Context: the thread that waits
#pragma once

#include <time.h>

#include <cstdint>

namespace stillframe::os {

class CpuAlarm {
 public:
  // Watches `tid`, a thread of this process. Returns 0 or errno; unless 0, no alarm ever comes.
  int Open(int32_t tid);
  // Readable once the armed time has been used; -1 when it is not open.
  int fd() const { return fd_; }

  // From now on the thread may use `cpu_ns` more.
  void Arm(uint64_t cpu_ns);
  // fd() is not readable any more.
  void Disarm();

 private:
  int fd_ = -1;
  timer_t timer_ = {};
};

}  // namespace stillframe::os
