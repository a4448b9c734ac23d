// SPDX-License-Identifier: Apache-2.0
// When to ask the system whether it holds the process for not responding: it makes up its mind only
// after it has collected traces, up to some 20 s after the signal.
#pragma once

#include <cstdint>

namespace stillframe::anr {

class ErrorStatePoll {
 public:
  static constexpr uint64_t kEveryNs = 500'000'000;
  static constexpr uint64_t kMaxNs = 20'000'000'000;

  void Start(uint64_t now_ns) {
    begun_ns_ = now_ns;
    next_ns_ = now_ns + kEveryNs;
    is_on_ = true;
  }
  void Stop() { is_on_ = false; }

  // Once for each time to ask.
  bool IsDue(uint64_t now_ns) {
    if (!is_on_ || now_ns < next_ns_) return false;
    next_ns_ = now_ns + kEveryNs;
    return true;
  }
  bool IsOver(uint64_t now_ns) const { return is_on_ && now_ns >= begun_ns_ + kMaxNs; }

  // UINT64_MAX: nothing to ask.
  uint64_t SleepNs(uint64_t now_ns) const {
    if (!is_on_) return UINT64_MAX;
    return next_ns_ > now_ns ? next_ns_ - now_ns : 0;
  }

 private:
  uint64_t begun_ns_ = 0;
  uint64_t next_ns_ = 0;
  bool is_on_ = false;
};

}  // namespace stillframe::anr
