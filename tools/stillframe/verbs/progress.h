// SPDX-License-Identifier: Apache-2.0
// A line on the terminal for work that takes longer than a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace stillframe::verbs {

// Prints "stillframe: reading dumps: 1,200 of 10,000" on standard error if that is a terminal, from
// the first second on and then a few times a second; the line goes away at the end. Without a
// number of steps, 0, it says how many there were.
class Progress {
 public:
  Progress(std::string what, uint64_t steps);
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Step(uint64_t steps = 1);
  // Takes the line away, so that something else can be said.
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  uint64_t steps_;
  uint64_t done_ = 0;
  bool is_terminal_;
  bool is_shown_ = false;
  Clock::time_point next_;
};

}  // namespace stillframe::verbs
