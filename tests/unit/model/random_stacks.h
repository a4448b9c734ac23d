// SPDX-License-Identifier: Apache-2.0
// Random but repeatable sequences of stacks as a program makes them: mostly the same outer frames,
// changing inner ones.
#pragma once

#include <random>
#include <vector>

#include "src/model/trace_tree.h"

namespace stillframe::model {

using Stack = std::vector<FrameId>;

struct StackShape {
  uint32_t frames = 40;  // ids 1 to frames
  uint32_t min_depth = 0;
  uint32_t max_depth = 12;
  uint32_t most_popped = 4;  // frames replaced from one sample to the next
};

class RandomStacks {
 public:
  RandomStacks(uint32_t seed, const StackShape& shape) : random_(seed), shape_(shape) {}

  const Stack& Next() {
    const uint32_t depth = Below(shape_.max_depth - shape_.min_depth + 1) + shape_.min_depth;
    const uint32_t popped = Below(shape_.most_popped + 1);
    stack_.resize(stack_.size() - std::min<size_t>(popped, stack_.size()));
    if (Below(3) != 0 && stack_.size() >= shape_.min_depth)
      return stack_;  // shorter than before, or the same
    stack_.resize(std::min<size_t>(stack_.size(), depth));
    while (stack_.size() < depth) stack_.push_back(1 + Below(shape_.frames));
    return stack_;
  }

  // A sample 10 ms, more or less, after the one before.
  Sample NextSample() {
    const uint32_t weight_us = 9500 + Below(1000);
    wall_us_ += weight_us;
    const bool is_running = Below(10) != 0;
    cpu_us_ += is_running ? weight_us - Below(400) : Below(60);
    return {wall_us_, weight_us, cpu_us_,
            is_running ? ThreadState::kRunnable : ThreadState::kWaiting};
  }

  // The same numbers with any standard library.
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }

 private:
  std::mt19937 random_;
  StackShape shape_;
  Stack stack_;
  uint32_t wall_us_ = 40'000;
  uint32_t cpu_us_ = 30'000;
};

// All stacks of a tree, by its own sweep.
inline std::vector<Stack> AllStacks(const TraceTree& tree) {
  std::vector<Stack> all;
  tree.ForEachStack([&](uint32_t, std::span<const FrameId> stack, const Sample&) {
    all.emplace_back(stack.begin(), stack.end());
  });
  return all;
}

}  // namespace stillframe::model
