// SPDX-License-Identifier: Apache-2.0
#include "src/sampling/run_queue_wait.h"

#include <algorithm>
#include <iterator>

#include "src/model/document.h"

namespace stillframe::sampling {

void RunQueueWait::Note(uint64_t now_ns, int64_t wait_ns) {
  std::copy(std::begin(readings_) + 1, std::end(readings_), std::begin(readings_));
  *(std::end(readings_) - 1) = {now_ns, wait_ns};
}

void RunQueueWait::NoteTick(Token token, uint64_t now_ns, uint64_t cpu_ns) {
  if (cpu_ns != cpu_ns_ || token != token_) ran_ns_ = now_ns;
  token_ = token;
  cpu_ns_ = cpu_ns;
}

int64_t RunQueueWait::Since(uint64_t start_ns, int64_t wait_ns) const {
  const auto distance_ns = [start_ns](const Reading& reading) {
    return std::max(reading.at_ns, start_ns) - std::min(reading.at_ns, start_ns);
  };
  const Reading* nearest = std::begin(readings_);
  for (const Reading& reading : readings_)
    if (distance_ns(reading) < distance_ns(*nearest)) nearest = &reading;
  const bool is_known = nearest->wait_ns >= 0 && wait_ns >= nearest->wait_ns;
  return is_known ? wait_ns - nearest->wait_ns : model::kTimeUnknown;
}

int64_t RunQueueWait::WaitedNs(const core::RunningMessage& message, const Now& now) const {
  int64_t wait_ns = Since(message.start_ns, now.wait_ns);
  if (wait_ns < 0) return wait_ns;
  // The kernel counts a wait when it ends. The current wait began when the thread last ran.
  if (now.is_ready && token_ == message.token && cpu_ns_ == now.cpu_ns)
    wait_ns += static_cast<int64_t>(now.now_ns - std::min(ran_ns_, now.now_ns));
  return std::min(wait_ns, static_cast<int64_t>(message.AgeNs(now.now_ns)));
}

}  // namespace stillframe::sampling
