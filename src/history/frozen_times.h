// SPDX-License-Identifier: Apache-2.0
// Times in which the process was frozen: not a part of what a message took. A suspended device is
// left out, since CLOCK_MONOTONIC stops meanwhile.
#pragma once

#include <algorithm>
#include <vector>

#include "src/history/entry_ring.h"
#include "src/history/freeze_watch.h"

namespace stillframe::history {

class FrozenTimes {
 public:
  // Forgets the oldest of many.
  void Add(const FreezeWatch::Freeze& freeze) {
    constexpr size_t kMost = 64;
    if (freeze.lost_ns == 0) return;
    if (times_.size() == kMost) times_.erase(times_.begin());
    times_.push_back({freeze.end_ns - freeze.lost_ns, freeze.end_ns});
  }

  // How much of this time it was frozen.
  uint64_t Within(uint64_t start_ns, uint64_t end_ns) const {
    uint64_t frozen_ns = 0;
    for (const Stretch& time : times_) {
      const uint64_t from_ns = std::max(time.start_ns, start_ns);
      const uint64_t until_ns = std::min(time.end_ns, end_ns);
      if (from_ns < until_ns) frozen_ns += until_ns - from_ns;
    }
    return frozen_ns;
  }

 private:
  std::vector<Stretch> times_;  // they do not overlap
};

}  // namespace stillframe::history
