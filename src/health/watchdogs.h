// SPDX-License-Identifier: Apache-2.0
// Five watchdogs over what the profiler costs while it samples: time of the handler, lag of the
// collector, samples lost to a full ring, memory, time of a dump.
//
// Problem: on some device one of these may be far from what was ever measured. Rule: counters that
// exist are read after each second that was sampled; a dog whose figure is over its limit for two
// such seconds on end, or for one dump, bites: the interval is doubled, kMostDoublings times in
// all, and the next bite ends sampling. What was lowered stays so until somebody sets other limits:
// to raise it would be to try the harm again. Surviving risk: what harms within less than two
// sampled seconds is not noticed. Reads no clock itself. Context: collector
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/model/process.h"
#include "src/os/duration.h"

namespace stillframe::health {

// How much CPU time of ours a day may cost, in all processes of an application together.
//
// Problem: what is cheap in each message may be dear over a day. Rule: what this process uses is
// entered, a little at a time, into an account that all processes share and that outlives them;
// over the budget nothing is sampled until the next day (UTC). Surviving risk: what a process used
// since its last entry is lost when it is killed, and others learn of it only then; that is
// kMostPendingMs each. Reads no clock and no file itself. Context: collector
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
  uint64_t PendingMs() const { return (used_ns_ - entered_ns_) / os::kNsPerMs; }
  uint64_t OwnMs() const { return own_ms_ + PendingMs(); }
  // It was made: all together have used so much of the day.
  void Entered(uint64_t total_ms);
  // It could not be: when as much was used again.
  void NotEntered() { due_ms_ = PendingMs() + StepMs(); }

  // Of all processes today.
  uint64_t UsedMs() const { return total_ms_ + PendingMs(); }
  bool is_over() const { return limit_s_ != 0 && UsedMs() >= limit_s_ * 1'000; }
  // "the day's 300 s of CPU are used up; again from 2026-11-24 00:00:00 UTC", while it is over.
  std::string Why() const;

 private:
  uint64_t StepMs() const;

  uint64_t limit_s_ = 0;
  uint64_t used_ns_ = 0;
  uint64_t entered_ns_ = 0;  // of these
  uint64_t own_ms_ = 0;      // entered for this day
  uint64_t total_ms_ = 0;    // of this day, by the account as it was seen last
  uint64_t due_ms_ = 0;      // pending, for an entry
  int64_t day_ = INT64_MIN;
};

enum class Dog : uint8_t { kHandlerTime, kCollectorLag, kRingOverflow, kMemory, kDumpTime, kCount };
constexpr size_t kDogs = static_cast<size_t>(Dog::kCount);

// 0: is not watched.
struct CostLimits {
  uint64_t handler_percent = 0;  // of the sampled time, in the handler
  uint64_t lag_ms = 0;           // that looks come late on average
  uint64_t lost_percent = 0;     // of the samples, for want of room in the ring
  uint64_t memory_kib = 0;
  uint64_t dump_ms = 0;

  bool operator==(const CostLimits&) const = default;
};

// As they stand, since the start.
struct Figures {
  uint64_t handler_ns = 0;
  uint64_t samples = 0;
  uint64_t lost = 0;
  uint64_t memory_bytes = 0;
};

class Watchdogs {
 public:
  static constexpr uint32_t kMostDoublings = 4;
  static constexpr uint64_t kWindowNs = 1'000'000'000;  // of sampled time

  // From the next judgement on. Other ones begin at the whole rate, unless sampling has ended.
  void SetLimits(const CostLimits& limits);

  // A message was sampled for `passed_ns`, at the end of which the collector looked so late.
  void Sampled(uint64_t passed_ns, uint64_t late_ns);
  bool IsDue() const { return sampled_ns_ >= kWindowNs; }
  // When it is. True when a dog has bitten.
  bool Judge(const Figures& figures);
  // A dump took so long. True when the dog has bitten.
  bool JudgeDump(uint64_t dump_ns);

  uint32_t doublings() const { return doublings_; }
  bool is_over() const { return is_over_; }
  // Of the last bite, in words: "the handler took 31 % of the sampled time (limit 25 %)".
  const std::string& why() const { return why_; }

 private:
  struct Checked {
    uint64_t figure;
    uint64_t limit;
    bool IsOver() const { return limit != 0 && figure > limit; }
  };
  // False once sampling has ended.
  bool Bite(Dog dog, const Checked& checked);

  CostLimits limits_;
  // The window so far, and the figures at its begin.
  uint64_t sampled_ns_ = 0;
  uint64_t late_ns_ = 0;
  uint64_t looks_ = 0;
  Figures begin_;

  std::array<uint32_t, kDogs> over_ = {};  // windows on end
  uint32_t doublings_ = 0;
  bool is_over_ = false;
  std::string why_;
};

}  // namespace stillframe::health
