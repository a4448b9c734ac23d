// SPDX-License-Identifier: Apache-2.0
// Who held the monitors that a message was blocked on, and for how long.
#pragma once

#include <cstdint>
#include <string>

namespace stillframe::history {

struct LockHolder {
  int32_t tid = 0;   // 0: not known
  std::string name;  // of the thread, when it was first seen
  uint64_t held_ns = 0;
};

class LockHolders {
 public:
  void Clear();
  // The thread `tid` was seen as the holder, for `ns`. Holders beyond the first eight are left out.
  void Note(int32_t tid, uint64_t ns);
  // The one that held for the longest time.
  const LockHolder& Longest() const;

 private:
  static constexpr uint32_t kMaxHolders = 8;
  LockHolder holders_[kMaxHolders];
  uint32_t count_ = 0;
};

}  // namespace stillframe::history
