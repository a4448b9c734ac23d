// SPDX-License-Identifier: Apache-2.0
// Sums of a day.
#include "src/watchdog/cpu_budget.h"

#include <algorithm>
#include <utility>

#include "src/os/time_text.h"

namespace stillframe::watchdog {
namespace {

constexpr uint64_t kSecondsOfADay = 86'400;
// Of a small budget entries are small as well.
constexpr uint64_t kSteps = 64;
constexpr uint64_t kLeastStepMs = 10;

}  // namespace

uint64_t CpuBudget::StepMs() const {
  return std::clamp(limit_s_ * 1'000 / kSteps, kLeastStepMs, kMostPendingMs);
}

// What was pending goes to the new day, but no more than one entry: where none can be made all of
// the past is pending. After a clock that was ahead for a moment the next day is a new one as well.
void CpuBudget::Note(uint64_t used_ns, int64_t day) {
  used_ns_ = std::max(used_ns_, used_ns);
  const int64_t before = std::exchange(day_, day);
  if (day <= before) return;
  if (before != INT64_MIN)
    entered_ns_ = std::max(entered_ns_, used_ns_ - std::min(used_ns_, StepMs() * kNsPerMs));
  own_ms_ = total_ms_ = due_ms_ = 0;
}

void CpuBudget::Entered(uint64_t total_ms) {
  const uint64_t entered_ms = PendingMs();
  entered_ns_ += entered_ms * kNsPerMs;
  own_ms_ += entered_ms;
  total_ms_ = std::max(total_ms, own_ms_);
  const uint64_t limit_ms = limit_s_ * 1'000;
  // What ends the day here is known to the others at once.
  due_ms_ = std::min(StepMs(), total_ms_ < limit_ms ? limit_ms - total_ms_ : UINT64_MAX);
}

std::string CpuBudget::Why() const {
  return "the day's " + std::to_string(limit_s_) + " s of CPU are used up; again from " +
         os::TimeText((static_cast<uint64_t>(day_) + 1) * kSecondsOfADay);
}

void CpuBudget::Describe(std::vector<model::NamedCount>* counters) const {
  if (limit_s_ == 0) return;
  counters->push_back({"cpu_of_the_day_ms", UsedMs()});
}

}  // namespace stillframe::watchdog
