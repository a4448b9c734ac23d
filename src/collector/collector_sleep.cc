// SPDX-License-Identifier: Apache-2.0
// One poll, between two readings of the clocks.
#include "src/collector/collector_sleep.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <iterator>

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

bool CollectorSleep::For(const Until& until, history::FreezeWatch::Freeze* freeze) {
  freeze_watch_.BeforeSleep(ReadClocks(), until.sleep_ns);
  if (until.is_rest) alarm_.Arm(kStirNs);
  pollfd wake[] = {{wake_fd_, POLLIN, 0},
                   {until.listener, POLLIN, 0},
                   {until.settings, POLLIN, 0},
                   {until.is_rest ? alarm_.fd() : -1, POLLIN, 0}};
  const timespec time = os::TimespecOf(until.sleep_ns);
  if (ppoll(wake, std::size(wake), until.sleep_ns == UINT64_MAX ? nullptr : &time, nullptr) > 0) {
    uint64_t count = 0;
    [[maybe_unused]] const ssize_t bytes = read(wake_fd_, &count, sizeof count);
  }
  if (until.is_rest) alarm_.Disarm();
  return freeze_watch_.AfterSleep(ReadClocks(), freeze);
}

history::FreezeWatch::Reading CollectorSleep::ReadClocks() const {
  return {core::MonotonicNs(), core::CpuClockNs(CLOCK_BOOTTIME), core::CpuClockNs(main_cpu_clock_),
          own_run_queue_.Read()};
}

}  // namespace stillframe::collector
