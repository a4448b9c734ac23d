// SPDX-License-Identifier: Apache-2.0
// The counts since construction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "src/core/counters.h"

namespace stillframe {

class Counted {
 public:
  Counted() {
    for (size_t i = 0; i < before_.size(); ++i)
      before_[i] = core::Counters::Added(static_cast<Counter>(i));
  }
  uint64_t Of(Counter counter) const {
    return core::Counters::Added(counter) - before_[static_cast<size_t>(counter)];
  }

 private:
  std::array<uint64_t, static_cast<size_t>(Counter::kCount)> before_;
};

}  // namespace stillframe
