// SPDX-License-Identifier: Apache-2.0
// A thread's run-queue wait, as the kernel counts it.
// Context: any thread but the watched one; blocks on system calls
#pragma once

#include <cstdint>
#include <string_view>

namespace stillframe::os {

// The second number of /proc/PID/task/TID/schedstat: nanoseconds on the run queue (kernel,
// Documentation/scheduler/sched-stats.rst). -1 when the text is of another form.
int64_t ParseSchedstat(std::string_view text);

class RunQueueClock {
 public:
  RunQueueClock() = default;
  ~RunQueueClock();
  RunQueueClock(const RunQueueClock&) = delete;
  RunQueueClock& operator=(const RunQueueClock&) = delete;

  // For a thread of this process.
  void Open(int32_t tid);
  // Nanoseconds since the thread began; -1 where the kernel does not tell.
  int64_t Read() const;

 private:
  int fd_ = -1;
};

}  // namespace stillframe::os
