// SPDX-License-Identifier: Apache-2.0
#include "src/os/run_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <charconv>

namespace stillframe::os {

int64_t ParseSchedstat(std::string_view text) {
  const size_t space = text.find(' ');
  if (space == std::string_view::npos) return -1;
  int64_t wait_ns = -1;
  const char* begin = text.data() + space + 1;
  const auto parsed = std::from_chars(begin, text.data() + text.size(), wait_ns);
  if (parsed.ec != std::errc() || parsed.ptr == text.data() + text.size() || *parsed.ptr != ' ' ||
      wait_ns < 0)
    return -1;
  return wait_ns;
}

void RunQueueClock::Open(int32_t tid) {
  constexpr uint32_t kMostTimes = 4;
  if (tid != tid_) times_opened_ = 0;
  tid_ = tid;
  if (times_opened_ == kMostTimes) return;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", tid);
  const bool is_open = file_.Take(open(path, O_RDONLY | O_CLOEXEC));
  // A lack of descriptors or memory is temporary: it does not count.
  if (is_open || (errno != EMFILE && errno != ENFILE && errno != ENOMEM)) ++times_opened_;
}

int64_t RunQueueClock::Read() {
  if (!file_.IsOurs()) {
    if (tid_ != 0) Open(tid_);
    if (!file_.IsOurs()) return -1;
  }
  char text[96];
  const ssize_t bytes = pread(file_.fd(), text, sizeof text, 0);
  return bytes <= 0 ? -1 : ParseSchedstat({text, static_cast<size_t>(bytes)});
}

}  // namespace stillframe::os
