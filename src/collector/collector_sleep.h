// SPDX-License-Identifier: Apache-2.0
// The collector's sleep: what ends it, and whether the process was frozen meanwhile.
// Context: collector; Open: start-up only; Wake: any thread
#pragma once

#include <time.h>

#include <cstdint>

#include "src/core/clock.h"
#include "src/history/freeze_watch.h"
#include "src/os/cpu_alarm.h"
#include "src/os/run_queue.h"

namespace stillframe::collector {

class CollectorSleep {
 public:
  // Makes the eventfd to which each wake-up adds 1. Before there is a collector.
  void Open();
  int wake_fd() const { return wake_fd_; }
  void Wake() const;

  // From here on a freeze of `frozen_ns` or longer is noticed.
  void WatchForFreezes(uint64_t frozen_ns);

  // From here on a rest ends when the main thread uses CPU time.
  void WatchMainThread(int32_t tid) {
    main_cpu_clock_ = core::ThreadCpuClock(tid);
    alarm_.Open(tid);
  }

  struct Until {
    uint64_t sleep_ns;  // UINT64_MAX: without end
    int listener;       // or somebody connects to it; -1: nobody can
    int settings;       // or there is something to read; -1: never
    bool is_rest;       // or the main thread has used kStirNs of CPU time
  };
  static constexpr uint64_t kStirNs = 2'000'000;
  // Sleeps until then, or until woken. True, with the freeze, when the process was frozen
  // meanwhile.
  bool For(const Until& until, history::FreezeWatch::Freeze* freeze);

 private:
  history::FreezeWatch::Reading ReadClocks() const;

  int wake_fd_ = -1;
  history::FreezeWatch freeze_watch_{0};
  os::RunQueueClock own_run_queue_;
  os::CpuAlarm alarm_;
  clockid_t main_cpu_clock_ = CLOCK_PROCESS_CPUTIME_ID;
};

}  // namespace stillframe::collector
