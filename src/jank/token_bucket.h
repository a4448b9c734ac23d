// SPDX-License-Identifier: Apache-2.0
// So many tokens an hour, of which as many may be saved.
#pragma once

#include <algorithm>
#include <cstdint>

#include "src/os/duration.h"

namespace stillframe::jank {

class TokenBucket {
 public:
  // Full at first. A smaller number takes what is too much away.
  void SetPerHour(uint32_t per_hour) {
    if (per_hour_ == 0) saved_ns_ = kHourNs;
    per_hour_ = std::max(per_hour, 1U);
  }

  // Returns 0 and takes a token, or how long until there is one, in nanoseconds. `now_ns` never
  // goes back.
  uint64_t Take(uint64_t now_ns) {
    saved_ns_ = std::min(kHourNs, saved_ns_ + (now_ns - std::min(now_ns, looked_ns_)));
    looked_ns_ = std::max(looked_ns_, now_ns);
    const uint64_t cost_ns = kHourNs / std::max(per_hour_, 1U);
    if (saved_ns_ < cost_ns) return cost_ns - saved_ns_;
    saved_ns_ -= cost_ns;
    return 0;
  }

  // The last one was not used.
  void GiveBack() { saved_ns_ = std::min(kHourNs, saved_ns_ + kHourNs / std::max(per_hour_, 1U)); }

 private:
  static constexpr uint64_t kHourNs = 3'600 * os::kNsPerSecond;

  uint32_t per_hour_ = 0;
  uint64_t saved_ns_ = 0;  // tokens as the time that they take to come
  uint64_t looked_ns_ = 0;
};

}  // namespace stillframe::jank
