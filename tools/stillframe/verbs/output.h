// SPDX-License-Identifier: Apache-2.0
// Where a verb's result goes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::verbs {

// Writes to `path`, "-" being standard output. A file is written under a temporary name beside it
// and renamed, so that nothing half-written appears under its own name; pipes and devices are
// written directly. Returns an exit code, and complains when it is not kExitFine.
int WriteOutput(const std::string& path, std::string_view content);

// The same for results that nobody wants on a screen: a usage error if `path` is empty and standard
// output is a terminal; else an empty path means standard output.
int WriteDocument(const std::string& path, std::string_view content);

// A line on the terminal for work that takes longer than a second.
// What standard output is.
struct Terminal {
  size_t columns = 0;       // 0: it is no terminal, and nothing is shortened for it
  bool has_colour = false;  // it shows colours, and NO_COLOR (no-color.org) is not set
};

Terminal StandardOutput();

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
