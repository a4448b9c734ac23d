// SPDX-License-Identifier: Apache-2.0
// The destination of a verb's result.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::verbs {

// Writes to `path` ("-": standard output) and returns an exit code. Complains on failure. A file is
// written under a temporary name beside it and renamed, so that it is complete or absent. Pipes and
// devices are written directly.
int WriteOutput(const std::string& path, std::string_view content);

// For results that are unreadable on a screen. An empty `path` means standard output, and is a
// usage error if that is a terminal.
int WriteDocument(const std::string& path, std::string_view content);

// Progress line on the terminal, for work longer than a second.
// Properties of standard output.
struct Terminal {
  size_t columns = 0;       // 0: not a terminal, nothing is shortened
  bool has_colour = false;  // shows colours, and NO_COLOR (no-color.org) is unset
};

Terminal StandardOutput();

// Prints "stillframe: reading dumps: 1,200 of 10,000" on standard error, if that is a terminal:
// from the first second on, a few times a second. Removes the line at the end. With 0 steps, it
// prints only the count so far.
class Progress {
 public:
  Progress(std::string what, uint64_t steps);
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Step(uint64_t steps = 1);
  // Removes the line, so that other text can be printed.
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
