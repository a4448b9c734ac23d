// SPDX-License-Identifier: Apache-2.0
// The collector's sleep: what ends it, and whether the process was frozen during it.
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
  // Call on the collector thread, with core::kWakeSignal blocked.
  void Open() { waker_.Start(); }
  void Wake() const { waker_.Wake(); }

  // Reports freezes of at least `frozen_ns` from now on.
  void WatchForFreezes(uint64_t frozen_ns);

  // From now on CPU time of the main thread ends idle sleeps.
  void WatchMainThread(int32_t tid) {
    main_cpu_clock_ = core::ThreadCpuClock(tid);
    alarm_.Open(tid);
  }

  struct Until {
    uint64_t sleep_ns;     // UINT64_MAX: no limit
    uint64_t main_cpu_ns;  // CPU time of the main thread that ends it too; 0: none does
  };
  // Sleeps until then, or until woken. True if the process was frozen meanwhile; sets `*freeze`.
  bool For(const Until& until, history::FreezeWatch::Freeze* freeze);

 private:
  static history::FreezeWatch::Clocks ReadClocks();
  history::FreezeWatch::Usage ReadUsage();

  core::Waker& waker_;
  history::FreezeWatch freeze_watch_{0};
  os::RunQueueClock own_run_queue_;
  os::CpuAlarm alarm_;
  clockid_t main_cpu_clock_ = CLOCK_PROCESS_CPUTIME_ID;
};

}  // namespace stillframe::collector
