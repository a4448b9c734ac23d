// SPDX-License-Identifier: Apache-2.0
// Figures of a window against limits.
#include "src/watchdog/watchdogs.h"

#include <iterator>

namespace stillframe::watchdog {
namespace {

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr uint32_t kPatience = 2;  // windows on end
// Of fewer nothing is said.
constexpr uint64_t kFewestLooks = 4;
constexpr uint64_t kFewestSamples = 16;

struct Words {
  const char* counter;
  const char* before;
  const char* unit;
  const char* after;
};

constexpr Words kWords[] = {
    {"watchdog_handler_time", "the handler took ", " %", " of the sampled time"},
    {"watchdog_collector_lag", "the collector was ", " ms", " late"},
    {"watchdog_ring_overflow", "for ", " %", " of the samples the ring was full"},
    {"watchdog_memory", "memory was ", " KiB", ""},
    {"watchdog_dump_time", "a dump took ", " ms", ""},
};
static_assert(std::size(kWords) == kDogs);

uint64_t Percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0
                    : static_cast<uint64_t>(100.0 * static_cast<double>(part) /
                                            static_cast<double>(whole));
}

}  // namespace

void Watchdogs::SetLimits(const Limits& limits) {
  if (limits == limits_) return;
  limits_ = limits;
  over_ = {};
  if (!is_over_) doublings_ = 0;
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
  size_t biter = kDogs;
  for (size_t dog = std::size(all); dog-- > 0;) {
    over_[dog] = all[dog].IsOver() ? over_[dog] + 1 : 0;
    if (over_[dog] >= kPatience) biter = dog;
  }
  if (biter == kDogs) return false;
  over_ = {};  // what comes next is another rate's
  return Bite(static_cast<Dog>(biter), all[biter]);
}

bool Watchdogs::JudgeDump(uint64_t dump_ns) {
  const Checked time = {dump_ns / kNsPerMs, limits_.dump_ms};
  return time.IsOver() && Bite(Dog::kDumpTime, time);
}

bool Watchdogs::Bite(Dog dog, const Checked& checked) {
  if (is_over_) return false;
  ++bites_[static_cast<size_t>(dog)];
  if (doublings_ < kMostDoublings)
    ++doublings_;
  else
    is_over_ = true;
  const Words& words = kWords[static_cast<size_t>(dog)];
  why_ = words.before + std::to_string(checked.figure) + words.unit + words.after + " (limit " +
         std::to_string(checked.limit) + words.unit + ")";
  return true;
}

void Watchdogs::Describe(std::vector<model::NamedCount>* counters) const {
  for (size_t i = 0; i < kDogs; ++i) counters->push_back({kWords[i].counter, bites_[i]});
  counters->push_back({"interval_doublings", doublings_});
}

}  // namespace stillframe::watchdog
