// SPDX-License-Identifier: Apache-2.0
// Every sample that is not taken is counted here by reason.
// Context: Count: signal and any thread. Read: any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace stillframe::core {

enum class Drop : uint8_t {
  kRingFull = 0,
  kReentered,
  kForeignSignal,  // a SIGPROF that is not ours: handed to the handler before us
  kStopped,
  kHandlerTooLong,  // the sample before took much of the interval: the thread's turn
  kNoSlowMessage,   // the message ended, or the timer was armed anew, before the handler ran
  kCount,
};

const char* DropName(Drop drop);

class DropCounters {
 public:
  void Count(Drop drop) {
    counts_[static_cast<size_t>(drop)].fetch_add(1, std::memory_order_relaxed);
  }
  uint64_t Read(Drop drop) const {
    return counts_[static_cast<size_t>(drop)].load(std::memory_order_relaxed);
  }

 private:
  std::atomic<uint64_t> counts_[static_cast<size_t>(Drop::kCount)] = {};
};

}  // namespace stillframe::core
