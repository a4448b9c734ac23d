// SPDX-License-Identifier: Apache-2.0
#include "src/sampling/missing_time.h"

#include <algorithm>
#include <utility>

#include "src/core/counters.h"

namespace stillframe::sampling {
namespace {

// CPU-clock timers fire at a kernel tick, which is at most this long.
constexpr uint64_t kTickNs = 10'000'000;

}  // namespace

void MissingTime::Start(uint64_t now_ns, uint64_t cpu_ns) {
  state_ = State::kRunning;
  sample_cpu_ns_ = cpu_ns;
  owed_ns_ = 0;
  owed_until_ns_ = now_ns;
  owed_samples_ = 0;
  overdue_ = 0;
}

// A signal that was pending for longer than its interval finds the thread where it was all along:
// in the kernel, or on a CPU that did not run.
MissingTime::Settled MissingTime::TakeSignal(uint64_t overrun) {
  const uint64_t found = std::min(overdue_, overrun);
  overdue_ -= found;
  state_ = State::kRunning;
  return {found, TakeOverdue()};
}

bool MissingTime::IsStillBlocked(uint64_t cpu_ns) {
  if (state_ == State::kBlocked && cpu_ns == tick_cpu_ns_) return true;
  tick_cpu_ns_ = cpu_ns;
  return false;
}

void MissingTime::HasStopped(uint64_t cpu_ns) {
  state_ = State::kBlocked;
  sample_cpu_ns_ = cpu_ns;
}

MissingTime::State MissingTime::Account(const Tick& tick) {
  const auto interval_ns = static_cast<int64_t>(tick.interval_ns);
  const uint64_t settled = tick.samples + overdue_;
  owed_ns_ += static_cast<int64_t>(tick.now_ns - owed_until_ns_) -
              static_cast<int64_t>(settled - owed_samples_) * interval_ns;
  // Samples from both the timer and this tick must not accumulate as credit.
  owed_ns_ = std::clamp(owed_ns_, -interval_ns, 2 * interval_ns);
  owed_until_ns_ = tick.now_ns;
  owed_samples_ = settled;
  if (state_ == State::kBlocked) return state_;
  if (owed_ns_ < interval_ns + interval_ns / 2) return state_ = State::kRunning;
  const uint64_t ran_ns = tick.cpu_ns > sample_cpu_ns_ ? tick.cpu_ns - sample_cpu_ns_ : 0;
  if (ran_ns > (tick.is_silent ? tick.interval_ns : 2 * (tick.interval_ns + kTickNs))) {
    ++overdue_;
    return state_ = tick.is_silent ? State::kSignalsBlocked : State::kSignalOverdue;
  }
  if (settled == 0) return state_ = State::kUnsampled;
  core::Counters::Add(Counter::kSamplesWithoutCpu);
  return state_ = State::kReadyWithoutCpu;
}

uint64_t MissingTime::TakeOverdue() {
  core::Counters::Add(Counter::kSamplesMissed, overdue_);
  return std::exchange(overdue_, 0);
}

}  // namespace stillframe::sampling
