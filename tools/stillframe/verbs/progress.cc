// SPDX-License-Identifier: Apache-2.0
// Draws the line and takes it away again.
#include "tools/stillframe/verbs/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "tools/stillframe/calltree/figures.h"

namespace stillframe::verbs {

using std::chrono::milliseconds;

Progress::Progress(std::string what, uint64_t steps)
    : what_(std::move(what)),
      steps_(steps),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + milliseconds(1000)) {}

void Progress::Step(uint64_t steps) {
  done_ += steps;
  if (!is_terminal_ || Clock::now() < next_) return;
  next_ = Clock::now() + milliseconds(200);
  is_shown_ = true;
  const std::string of = steps_ == 0 ? "" : " of " + calltree::Grouped(steps_);
  const std::string line =
      fmt::format("\rstillframe: {}: {}{}", what_, calltree::Grouped(done_), of);
  std::fputs(line.c_str(), stderr);
}

void Progress::Clear() {
  if (is_shown_) {
    std::fputs("\r\x1b[K", stderr);
    is_shown_ = false;
  }
}

}  // namespace stillframe::verbs
