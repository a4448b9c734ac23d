// SPDX-License-Identifier: Apache-2.0
// Who held the monitors that a message was blocked on, when, and for how long.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/model/message.h"

namespace stillframe::history {

struct LockHolder {
  int32_t tid = 0;   // 0: not known
  std::string name;  // of the thread, when it was first seen
  uint64_t held_us = 0;
};

// Stretches by holder and class of lock, at most kMaxStretches. Where there are more, the two of
// one holder and class become one that are nearest to each other: the sums of each stay true. What
// finds no such two is left out.
class LockHolders {
 public:
  static constexpr size_t kMaxStretches = 32;

  void Clear() { stretches_.clear(); }
  // The thread `tid` was seen as the holder from `from_us` to `until_us`, which are not before
  // those of the last call.
  void Note(int32_t tid, const std::string& lock_class, uint32_t from_us, uint32_t until_us);

  std::span<const model::LockWait> stretches() const { return stretches_; }
  // The one that held for the longest time, all its stretches together.
  LockHolder Longest() const;

 private:
  bool MakeRoom();

  std::vector<model::LockWait> stretches_;
};

}  // namespace stillframe::history
