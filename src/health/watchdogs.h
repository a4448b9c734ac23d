// SPDX-License-Identifier: Apache-2.0
// Five watchdogs over the profiler's costs while it samples: handler time, lag of the collector,
// samples lost to a full ring, memory, duration of a dump.
//
// Problem: on some device a cost may be far from all measurements.
// Rule: existing counters are read after each second of sampled time. A watchdog trips if its
// figure is above the limit in two such seconds in succession, or in one dump. Each trip doubles
// the interval, up to kMostDoublings times; the next one ends sampling. The rate stays lowered
// until other limits are set, since raising it would repeat the harm.
// Remaining risk: harm within less than two sampled seconds is not noticed. Reads no clock.
// Context: collector
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/model/process.h"
#include "src/os/duration.h"

namespace stillframe::health {

// The daily limit of our CPU time, over all processes of an application.
//
// Problem: a cost that is small per message may add up over a day.
// Rule: each process enters its use, in small steps, into an account that all share and that
// outlives them. Above the budget sampling is off until the next day (UTC).
// Remaining risk: a killed process loses its use since its last entry, and others learn of it only
// at entries; at most kMostPendingMs each. Reads no clock and no file.
// Context: collector
class CpuBudget {
 public:
  static constexpr uint64_t kMostPendingMs = 250;

  // Seconds; 0: no limit.
  void SetLimit(uint64_t limit_s) { limit_s_ = limit_s; }

  // This process has used `used_ns` since it began; `day` is since the epoch. A clock set back
  // frees nothing.
  void Note(uint64_t used_ns, int64_t day);

  // Whether an entry is due: at first, and after each step of use.
  bool IsDue() const { return limit_s_ != 0 && PendingMs() >= due_ms_; }
  // PendingMs: not yet entered. OwnMs: this process today, pending included.
  uint64_t PendingMs() const { return (used_ns_ - entered_ns_) / os::kNsPerMs; }
  uint64_t OwnMs() const { return own_ms_ + PendingMs(); }
  // The entry was made; all processes together have used `total_ms` today.
  void Entered(uint64_t total_ms);
  // The entry failed; retry after another step of use.
  void NotEntered() { due_ms_ = PendingMs() + StepMs(); }

  // All processes today.
  uint64_t UsedMs() const { return total_ms_ + PendingMs(); }
  bool is_over() const { return limit_s_ != 0 && UsedMs() >= limit_s_ * 1'000; }
  // "the day's 300 s of CPU are used up; again from 2026-11-24 00:00:00 UTC". Valid while
  // is_over().
  std::string Why() const;

 private:
  uint64_t StepMs() const;

  uint64_t limit_s_ = 0;
  uint64_t used_ns_ = 0;
  uint64_t entered_ns_ = 0;  // part of used_ns_
  uint64_t own_ms_ = 0;      // entered today
  uint64_t total_ms_ = 0;    // today, all processes, as last read
  uint64_t due_ms_ = 0;      // pending time at which an entry is due
  int64_t day_ = INT64_MIN;
};

enum class Watchdog : uint8_t {
  kHandlerTime,
  kCollectorLag,
  kRingOverflow,
  kMemory,
  kDumpTime,
  kCount
};
constexpr size_t kWatchdogs = static_cast<size_t>(Watchdog::kCount);

// 0: not watched.
struct CostLimits {
  uint64_t handler_percent = 0;  // of the sampled time
  uint64_t lag_ms = 0;           // mean delay of the collector's polls
  uint64_t lost_percent = 0;     // of the samples, lost to a full ring
  uint64_t memory_kib = 0;
  uint64_t dump_ms = 0;

  bool operator==(const CostLimits&) const = default;
};

// Totals since the start.
struct Figures {
  uint64_t handler_ns = 0;
  uint64_t samples = 0;
  uint64_t lost = 0;
  uint64_t memory_bytes = 0;
};

class Watchdogs {
 public:
  static constexpr uint32_t kMostDoublings = 4;
  static constexpr uint64_t kWindowNs = 1'000'000'000;  // sampled time

  // Holds from the next judgement. Other limits restore the full rate, unless sampling has ended.
  void SetLimits(const CostLimits& limits);

  // A message was sampled for `passed_ns`, and the collector's poll came `late_ns` late.
  void Sampled(uint64_t passed_ns, uint64_t late_ns);
  bool IsDue() const { return sampled_ns_ >= kWindowNs; }
  // Call when IsDue(). True if a watchdog tripped.
  bool Judge(const Figures& figures);
  // Reports the duration of a dump. True if the watchdog tripped.
  bool JudgeDump(uint64_t dump_ns);

  uint32_t doublings() const { return doublings_; }
  bool is_over() const { return is_over_; }
  // The last trip in words: "the handler took 31 % of the sampled time (limit 25 %)".
  const std::string& why() const { return why_; }

 private:
  struct Checked {
    uint64_t figure;
    uint64_t limit;
    bool IsOver() const { return limit != 0 && figure > limit; }
  };
  // False if sampling has already ended.
  bool Trip(Watchdog dog, const Checked& checked);

  CostLimits limits_;
  // The current window, and the figures at its start.
  uint64_t sampled_ns_ = 0;
  uint64_t late_ns_ = 0;
  uint64_t looks_ = 0;
  Figures begin_;

  std::array<uint32_t, kWatchdogs> over_ = {};  // consecutive windows above the limit
  uint32_t doublings_ = 0;
  bool is_over_ = false;
  std::string why_;
};

}  // namespace stillframe::health
