// SPDX-License-Identifier: Apache-2.0
// Times in which the process was frozen: not a part of what a message took. A suspended device is
// left out, since CLOCK_MONOTONIC stops meanwhile.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "src/history/entry_ring.h"
#include "src/history/freeze_watch.h"

namespace stillframe::history {

struct FrozenTimes {
  std::array<Stretch, 32> times = {};  // they do not overlap; the oldest makes room
  size_t added = 0;

  void Add(const FreezeWatch::Freeze& freeze) {
    if (freeze.lost_ns != 0)
      times[added++ % times.size()] = {freeze.end_ns - freeze.lost_ns, freeze.end_ns};
  }

  // How much of this time it was frozen.
  uint64_t Within(uint64_t start_ns, uint64_t end_ns) const {
    uint64_t frozen_ns = 0;
    for (const Stretch& time : times) {
      const uint64_t from_ns = std::max(time.start_ns, start_ns);
      const uint64_t until_ns = std::min(time.end_ns, end_ns);
      if (from_ns < until_ns) frozen_ns += until_ns - from_ns;
    }
    return frozen_ns;
  }
};

}  // namespace stillframe::history
