// SPDX-License-Identifier: Apache-2.0
#include "src/history/freeze_watch.h"

#include <algorithm>

namespace stillframe::history {
namespace {

// CPU time allowed to the main thread of a frozen process: one part in so many of the delay.
constexpr uint64_t kMaxCpuShare = 50;

// Age of the usage when a sleep begins: one part in so many of the shortest freeze.
constexpr uint64_t kUsageShare = 20;

}  // namespace

bool FreezeWatch::NeedsUsage(const Clocks& now) const {
  return usage_ns_ == 0 || now.monotonic_ns - usage_ns_ > least_ns_ / kUsageShare;
}

void FreezeWatch::Note(const Clocks& now, const Usage& usage) {
  usage_ = usage;
  usage_ns_ = now.monotonic_ns;
}

void FreezeWatch::BeforeSleep(const Clocks& now, uint64_t sleep_ns) {
  before_ = now;
  expected_ns_ = sleep_ns == UINT64_MAX ? UINT64_MAX : now.monotonic_ns + sleep_ns;
}

uint64_t FreezeWatch::SuspendedNs(const Clocks& now) const {
  const uint64_t passed_ns = now.monotonic_ns - before_.monotonic_ns;
  const uint64_t boot_ns = now.boottime_ns - before_.boottime_ns;
  return boot_ns - std::min(passed_ns, boot_ns);
}

bool FreezeWatch::IsLate(const Clocks& now) const {
  if (before_.monotonic_ns == 0) return false;
  const bool is_late = expected_ns_ != UINT64_MAX && now.monotonic_ns >= expected_ns_ &&
                       now.monotonic_ns - expected_ns_ >= least_ns_;
  const uint64_t suspended_ns = SuspendedNs(now);
  return is_late || (suspended_ns != 0 && suspended_ns >= least_ns_);
}

bool FreezeWatch::WasFrozen(const Clocks& now, const Usage& usage, Freeze* freeze) {
  const Usage before = usage_;
  const uint64_t known_ns = usage_ns_;
  Note(now, usage);
  const uint64_t suspended_ns = SuspendedNs(now);
  if (suspended_ns != 0 && suspended_ns >= least_ns_) {
    *freeze = {before_.monotonic_ns, before_.monotonic_ns + suspended_ns, 0};
    return true;
  }
  const uint64_t late_ns = now.monotonic_ns - expected_ns_;
  const bool knows_wait = usage.runqueue_wait_ns >= 0 && before.runqueue_wait_ns >= 0;
  const uint64_t waited_ns =
      knows_wait ? static_cast<uint64_t>(usage.runqueue_wait_ns - before.runqueue_wait_ns) : 0;
  if (waited_ns > late_ns / 2) return false;
  // The main thread may run until the end of the sleep, and after the freeze until the collector
  // runs.
  const uint64_t awake_ns = expected_ns_ - known_ns + waited_ns;
  if (usage.main_cpu_ns - before.main_cpu_ns > awake_ns + late_ns / kMaxCpuShare) return false;
  *freeze = {expected_ns_, now.monotonic_ns, late_ns};
  return true;
}

}  // namespace stillframe::history
