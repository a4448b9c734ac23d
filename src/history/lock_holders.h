// SPDX-License-Identifier: Apache-2.0
// Holders of the monitors that a message was blocked on, with times.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/model/message.h"

namespace stillframe::history {

struct LockHolder {
  int32_t tid = 0;   // 0: unknown
  std::string name;  // of the thread, when first seen
  uint64_t held_us = 0;
};

// Intervals by holder and class of lock, at most kMaxStretches. Beyond that the two nearest
// intervals of one holder and class are merged, which keeps their sums. If there is no such pair,
// the new one is dropped.
class LockHolders {
 public:
  static constexpr size_t kMaxStretches = 32;

  void Clear() { stretches_.clear(); }
  // Thread `tid` was seen as the holder from `from_us` to `until_us`. Calls must be in order of
  // time.
  void Note(int32_t tid, const std::string& lock_class, uint32_t from_us, uint32_t until_us);

  std::span<const model::LockWait> stretches() const { return stretches_; }
  // The holder with the longest total time.
  LockHolder Longest() const;

 private:
  bool MakeSpace();

  std::vector<model::LockWait> stretches_;
};

}  // namespace stillframe::history
