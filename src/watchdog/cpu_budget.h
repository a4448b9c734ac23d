// SPDX-License-Identifier: Apache-2.0
// How much CPU time of ours a day may cost, in all processes of an application together.
//
// Problem: what is cheap in each message may be dear over a day. Rule: what this process uses is
// entered, a little at a time, into an account that all processes share and that outlives them;
// over the budget nothing is sampled until the next day (UTC). Surviving risk: what a process used
// since its last entry is lost when it is killed, and others learn of it only then; that is
// kMostPendingMs each. Reads no clock and no file itself. Context: collector
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/model/process.h"

namespace stillframe::watchdog {

class CpuBudget {
 public:
  static constexpr uint64_t kMostPendingMs = 250;

  // Seconds; 0: there is no budget.
  void SetLimit(uint64_t limit_s) { limit_s_ = limit_s; }

  // This process has used `used_ns` since it began, and it is `day` (since the epoch). A clock that
  // is set back gives nothing back.
  void Note(uint64_t used_ns, int64_t day);

  // It is time for an entry: at first, and whenever enough was used since.
  bool IsDue() const { return limit_s_ != 0 && PendingMs() >= due_ms_; }
  // What the entry is of, and what this process has used of the day with it.
  uint64_t PendingMs() const { return (used_ns_ - entered_ns_) / kNsPerMs; }
  uint64_t OwnMs() const { return own_ms_ + PendingMs(); }
  // It was made: all together have used so much of the day.
  void Entered(uint64_t total_ms);
  // It could not be: when as much was used again.
  void NotEntered() { due_ms_ = PendingMs() + StepMs(); }

  bool is_over() const { return limit_s_ != 0 && UsedMs() >= limit_s_ * 1'000; }
  // "the day's 300 s of CPU are used up; again from 2026-11-24 00:00:00 UTC", while it is over.
  std::string Why() const;

  // For a dump.
  void Describe(std::vector<model::NamedCount>* counters) const;

 private:
  static constexpr uint64_t kNsPerMs = 1'000'000;

  uint64_t UsedMs() const { return total_ms_ + PendingMs(); }
  uint64_t StepMs() const;

  uint64_t limit_s_ = 0;
  uint64_t used_ns_ = 0;
  uint64_t entered_ns_ = 0;  // of these
  uint64_t own_ms_ = 0;      // entered for this day
  uint64_t total_ms_ = 0;    // of this day, by the account as it was seen last
  uint64_t due_ms_ = 0;      // pending, for an entry
  int64_t day_ = INT64_MIN;
};

}  // namespace stillframe::watchdog
