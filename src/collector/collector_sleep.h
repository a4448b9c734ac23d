// SPDX-License-Identifier: Apache-2.0
// The collector's sleep: what ends it, and whether the process was frozen meanwhile.
// Context: collector; Open: start-up only; Wake: any thread
#pragma once

#include <cstdint>

#include "src/history/freeze_watch.h"
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

  // Sleeps for `sleep_ns` (UINT64_MAX: without end), until woken, or until somebody connects to
  // `listener` (-1: nobody can). True, with the freeze, when the process was frozen meanwhile.
  bool For(uint64_t sleep_ns, int listener, history::FreezeWatch::Freeze* freeze);

 private:
  history::FreezeWatch::Reading ReadClocks() const;

  int wake_fd_ = -1;
  history::FreezeWatch freeze_watch_{0};
  os::RunQueueClock own_run_queue_;
};

}  // namespace stillframe::collector
