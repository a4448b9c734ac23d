// SPDX-License-Identifier: Apache-2.0
// A small table by thread id.
#include "src/history/lock_holders.h"

#include <algorithm>

#include "src/os/proc.h"

namespace stillframe::history {

void LockHolders::Clear() {
  std::fill(holders_, holders_ + count_, LockHolder());
  count_ = 0;
}

void LockHolders::Note(int32_t tid, uint64_t ns) {
  if (tid == 0) return;
  uint32_t at = 0;
  while (at < count_ && holders_[at].tid != tid) ++at;
  if (at == kMaxHolders) return;
  if (at == count_) holders_[count_++] = {tid, os::ThreadName(tid), 0};
  holders_[at].held_ns += ns;
}

const LockHolder& LockHolders::Longest() const {
  static const LockHolder none;
  if (count_ == 0) return none;
  return *std::max_element(
      holders_, holders_ + count_,
      [](const LockHolder& a, const LockHolder& b) { return a.held_ns < b.held_ns; });
}

}  // namespace stillframe::history
