// SPDX-License-Identifier: Apache-2.0
// A queue of small values from one thread to one other.
//
// Put and Take never wait; a full queue refuses the new value and counts it. `head` is stored by
// the putting thread (release), `tail` by the taking one (release); each loads the other's
// (acquire).
#pragma once

#include <atomic>
#include <cstdint>

namespace stillframe::tap {

template <typename Value, uint32_t kSlots>
class SpscQueue {
 public:
  bool Put(const Value& value) {
    const uint32_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_acquire) == kSlots) {
      lost_.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    values_[head % kSlots] = value;
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

  bool Take(Value* value) {
    const uint32_t tail = tail_.load(std::memory_order_relaxed);
    if (head_.load(std::memory_order_acquire) == tail) return false;
    *value = values_[tail % kSlots];
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  Value values_[kSlots];
  std::atomic<uint32_t> head_{0};
  std::atomic<uint32_t> tail_{0};
  std::atomic<uint64_t> lost_{0};
};

}  // namespace stillframe::tap
