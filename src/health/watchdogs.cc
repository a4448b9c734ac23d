// SPDX-License-Identifier: Apache-2.0
#include "src/health/watchdogs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "src/core/counters.h"
#include "src/os/time_text.h"

namespace stillframe::health {
namespace {

using os::kNsPerMs;

// Size of an entry, proportional to the budget.
constexpr uint64_t kSteps = 64;
constexpr uint64_t kLeastStepMs = 10;

constexpr uint32_t kPatience = 2;  // consecutive windows
// Fewer than these give no figure.
constexpr uint64_t kFewestLooks = 4;
constexpr uint64_t kFewestSamples = 16;

// The counters of the watchdogs are in the order of Watchdog.
constexpr auto kFirstCounter = static_cast<size_t>(Counter::kWatchdogHandlerTime);
static_assert(kFirstCounter + kWatchdogs == static_cast<size_t>(Counter::kIntervalDoublings));

struct Words {
  const char* before;
  const char* unit;
  const char* after;
};

constexpr Words kWords[] = {
    {"the handler took ", " %", " of the sampled time"},
    {"the collector was ", " ms", " late"},
    {"for ", " %", " of the samples the ring was full"},
    {"memory was ", " KiB", ""},
    {"a dump took ", " ms", ""},
};
static_assert(std::size(kWords) == kWatchdogs);

uint64_t Percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0
                    : static_cast<uint64_t>(100.0 * static_cast<double>(part) /
                                            static_cast<double>(whole));
}

}  // namespace

uint64_t CpuBudget::StepMs() const {
  return std::clamp(limit_s_ * 1'000 / kSteps, kLeastStepMs, kMostPendingMs);
}

// Pending use moves to the new day, at most one entry of it: after failed entries all of the past
// may be pending. A clock that was ahead for a moment makes the next day a new one too.
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
  // The entry that uses up the budget is made at once, so that other processes see it.
  due_ms_ = std::min(StepMs(), total_ms_ < limit_ms ? limit_ms - total_ms_ : UINT64_MAX);
}

std::string CpuBudget::Why() const {
  return "the day's " + std::to_string(limit_s_) + " s of CPU are used up; again from " +
         os::TimeText(static_cast<uint64_t>((day_ + 1) * os::kSecondsPerDay));
}

void Watchdogs::SetLimits(const CostLimits& limits) {
  if (limits == limits_) return;
  limits_ = limits;
  over_ = {};
  if (is_over_) return;
  doublings_ = 0;
  core::Counters::Set(Counter::kIntervalDoublings, 0);
}

void Watchdogs::Sampled(uint64_t passed_ns, uint64_t late_ns) {
  sampled_ns_ += passed_ns;
  late_ns_ += late_ns;
  ++looks_;
}

bool Watchdogs::Judge(const Figures& figures) {
  const uint64_t samples = figures.samples - begin_.samples;
  const uint64_t lost = figures.lost - begin_.lost;
  const bool is_enough = samples + lost >= kFewestSamples;
  const Checked all[] = {
      {Percent(figures.handler_ns - begin_.handler_ns, sampled_ns_), limits_.handler_percent},
      {looks_ < kFewestLooks ? 0 : late_ns_ / looks_ / kNsPerMs, limits_.lag_ms},
      {is_enough ? Percent(lost, samples + lost) : 0, limits_.lost_percent},
      {figures.memory_bytes / 1024, limits_.memory_kib},
  };
  begin_ = figures;
  sampled_ns_ = late_ns_ = looks_ = 0;
  size_t tripped = kWatchdogs;
  for (size_t dog = std::size(all); dog-- > 0;) {
    over_[dog] = all[dog].IsOver() ? over_[dog] + 1 : 0;
    if (over_[dog] >= kPatience) tripped = dog;
  }
  if (tripped == kWatchdogs) return false;
  over_ = {};  // later windows have another rate
  return Trip(static_cast<Watchdog>(tripped), all[tripped]);
}

bool Watchdogs::JudgeDump(uint64_t dump_ns) {
  const Checked time = {dump_ns / kNsPerMs, limits_.dump_ms};
  return time.IsOver() && Trip(Watchdog::kDumpTime, time);
}

bool Watchdogs::Trip(Watchdog dog, const Checked& checked) {
  if (is_over_) return false;
  core::Counters::Add(static_cast<Counter>(kFirstCounter + static_cast<size_t>(dog)));
  if (doublings_ < kMostDoublings)
    core::Counters::Set(Counter::kIntervalDoublings, ++doublings_);
  else
    is_over_ = true;
  const Words& words = kWords[static_cast<size_t>(dog)];
  why_ = words.before + std::to_string(checked.figure) + words.unit + words.after + " (limit " +
         std::to_string(checked.limit) + words.unit + ")";
  return true;
}

}  // namespace stillframe::health
