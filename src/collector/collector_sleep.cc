// SPDX-License-Identifier: Apache-2.0
#include "src/collector/collector_sleep.h"

#include <unistd.h>

#include <algorithm>

#include "src/os/duration.h"

namespace stillframe::collector {

void CollectorSleep::WatchForFreezes(uint64_t frozen_ns) {
  freeze_watch_ = history::FreezeWatch(frozen_ns);
  own_run_queue_.Open(gettid());
}

bool CollectorSleep::For(const Until& until, history::FreezeWatch::Freeze* freeze) {
  const history::FreezeWatch::Clocks before = ReadClocks();
  if (freeze_watch_.NeedsUsage(before)) freeze_watch_.Note(before, ReadUsage());
  freeze_watch_.BeforeSleep(before, until.sleep_ns);
  if (until.main_cpu_ns != 0) alarm_.Arm(until.main_cpu_ns);
  constexpr uint64_t kMostNs = 86'400 * os::kNsPerSecond;  // a limit for 32-bit seconds
  const timespec time = os::TimespecOf(std::min(until.sleep_ns, kMostNs));
  core::Waker::Await(until.sleep_ns == UINT64_MAX ? nullptr : &time);
  if (until.main_cpu_ns != 0) {
    alarm_.Disarm();
    // The alarm may have come after the wake-up: consume its signal. The caller serves all events
    // anyway.
    const timespec now = {};
    core::Waker::Await(&now);
  }
  const history::FreezeWatch::Clocks after = ReadClocks();
  return freeze_watch_.IsLate(after) && freeze_watch_.WasFrozen(after, ReadUsage(), freeze);
}

history::FreezeWatch::Clocks CollectorSleep::ReadClocks() {
  return {core::MonotonicNs(), core::CpuClockNs(CLOCK_BOOTTIME)};
}

history::FreezeWatch::Usage CollectorSleep::ReadUsage() {
  return {core::CpuClockNs(main_cpu_clock_), own_run_queue_.Read()};
}

}  // namespace stillframe::collector
