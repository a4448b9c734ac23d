// SPDX-License-Identifier: Apache-2.0
// One poll, between two readings of the clocks.
#include "src/collector/collector_sleep.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "src/core/clock.h"
#include "src/os/duration.h"

namespace stillframe::collector {

void CollectorSleep::Open() { wake_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void CollectorSleep::Wake() const {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_fd_, &one, sizeof one);
}

void CollectorSleep::WatchForFreezes(uint64_t frozen_ns) {
  freeze_watch_ = history::FreezeWatch(frozen_ns);
  own_run_queue_.Open(gettid());
}

bool CollectorSleep::For(uint64_t sleep_ns, int listener, history::FreezeWatch::Freeze* freeze) {
  freeze_watch_.BeforeSleep(ReadClocks(), sleep_ns);
  pollfd wake[] = {{wake_fd_, POLLIN, 0}, {listener, POLLIN, 0}};
  const timespec time = os::TimespecOf(sleep_ns);
  if (ppoll(wake, 2, sleep_ns == UINT64_MAX ? nullptr : &time, nullptr) > 0) {
    uint64_t count = 0;
    [[maybe_unused]] const ssize_t bytes = read(wake_fd_, &count, sizeof count);
  }
  return freeze_watch_.AfterSleep(ReadClocks(), freeze);
}

history::FreezeWatch::Reading CollectorSleep::ReadClocks() const {
  return {core::MonotonicNs(), core::CpuClockNs(CLOCK_BOOTTIME),
          core::CpuClockNs(CLOCK_PROCESS_CPUTIME_ID), own_run_queue_.Read()};
}

}  // namespace stillframe::collector
