// SPDX-License-Identifier: Apache-2.0
// A thread's run-queue wait, as the kernel counts it.
// Context: any thread but the watched one; blocks on system calls
#pragma once

#include <cstdint>
#include <string_view>

#include "src/os/own_descriptor.h"

namespace stillframe::os {

// The second number of /proc/PID/task/TID/schedstat: nanoseconds on the run queue (kernel,
// Documentation/scheduler/sched-stats.rst). -1: unknown format.
int64_t ParseSchedstat(std::string_view text);

class RunQueueClock {
 public:
  // For a thread of this process.
  void Open(int32_t tid);
  // Nanoseconds since the thread began; -1: unknown. If other code closed the file, it is reopened,
  // a few times in all.
  int64_t Read();

 private:
  OwnDescriptor file_;
  int32_t tid_ = 0;
  uint32_t times_opened_ = 0;
};

}  // namespace stillframe::os
