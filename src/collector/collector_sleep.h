// SPDX-License-Identifier: Apache-2.0
// The collector's sleep: what ends it, and whether the process was frozen meanwhile.
// Context: collector; waker: any thread
#pragma once

#include <time.h>

#include <cstdint>

#include "src/core/clock.h"
#include "src/core/waker.h"
#include "src/history/freeze_watch.h"
#include "src/os/cpu_alarm.h"
#include "src/os/run_queue.h"

namespace stillframe::collector {

class CollectorSleep {
 public:
  explicit CollectorSleep(core::Waker* waker) : waker_(*waker) {}
  // The calling thread is the collector, and has core::kWakeSignal blocked.
  void Open() { waker_.Start(); }
  void Wake() const { waker_.Wake(); }

  // From here on a freeze of `frozen_ns` or longer is noticed.
  void WatchForFreezes(uint64_t frozen_ns);

  // From here on a rest ends when the main thread uses CPU time.
  void WatchMainThread(int32_t tid) {
    main_cpu_clock_ = core::ThreadCpuClock(tid);
    alarm_.Open(tid);
  }

  struct Until {
    uint64_t sleep_ns;  // UINT64_MAX: without end
    bool is_rest;       // or the main thread has used kStirNs of CPU time
  };
  // Sleeps until then, or until woken. True, with the freeze, when the process was frozen
  // meanwhile.
  bool For(const Until& until, history::FreezeWatch::Freeze* freeze);

 private:
  history::FreezeWatch::Reading ReadClocks() const;

  core::Waker& waker_;
  history::FreezeWatch freeze_watch_{0};
  mutable os::RunQueueClock own_run_queue_;  // opens its file again
  os::CpuAlarm alarm_;
  clockid_t main_cpu_clock_ = CLOCK_PROCESS_CPUTIME_ID;
};

}  // namespace stillframe::collector
