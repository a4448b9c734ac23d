// SPDX-License-Identifier: Apache-2.0
#include "src/history/freeze_watch.h"

namespace stillframe::history {
namespace {

// CPU time allowed to the main thread of a frozen process: one part in so many of the delay.
constexpr uint64_t kMaxCpuShare = 50;

}  // namespace

void FreezeWatch::BeforeSleep(const Reading& now, uint64_t sleep_ns) {
  before_ = now;
  expected_ns_ = sleep_ns == UINT64_MAX ? UINT64_MAX : now.monotonic_ns + sleep_ns;
}

bool FreezeWatch::AfterSleep(const Reading& now, Freeze* freeze) {
  if (before_.monotonic_ns == 0) return false;
  const uint64_t passed_ns = now.monotonic_ns - before_.monotonic_ns;
  const uint64_t boot_ns = now.boottime_ns - before_.boottime_ns;
  if (boot_ns > passed_ns && boot_ns - passed_ns >= least_ns_) {
    *freeze = {before_.monotonic_ns, before_.monotonic_ns + (boot_ns - passed_ns), 0};
    return true;
  }
  if (expected_ns_ == UINT64_MAX || now.monotonic_ns < expected_ns_) return false;
  const uint64_t late_ns = now.monotonic_ns - expected_ns_;
  if (late_ns < least_ns_) return false;
  const bool knows_wait = now.runqueue_wait_ns >= 0 && before_.runqueue_wait_ns >= 0;
  const uint64_t waited_ns =
      knows_wait ? static_cast<uint64_t>(now.runqueue_wait_ns - before_.runqueue_wait_ns) : 0;
  if (waited_ns > late_ns / 2) return false;
  // The main thread may run until the end of the sleep, and after the freeze until the collector
  // runs.
  const uint64_t awake_ns = expected_ns_ - before_.monotonic_ns + waited_ns;
  if (now.main_cpu_ns - before_.main_cpu_ns > awake_ns + late_ns / kMaxCpuShare) return false;
  *freeze = {expected_ns_, now.monotonic_ns, late_ns};
  return true;
}

}  // namespace stillframe::history
