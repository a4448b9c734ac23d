#include "src/history/lock_owners.h"

#include <algorithm>

#include "src/os/proc.h"

namespace stillframe::history {

void LockOwners::Clear() {
  std::fill(owners_, owners_ + count_, LockOwner());
  count_ = 0;
}

void LockOwners::Note(int32_t tid, uint64_t ns) {
  if (tid == 0) return;
  uint32_t at = 0;
  while (at < count_ && owners_[at].tid != tid) ++at;
  if (at == kMaxOwners) return;
  if (at == count_) owners_[count_++] = {tid, os::ThreadName(tid), 0};
  owners_[at].held_ns += ns;
}

const LockOwner& LockOwners::Longest() const {
  static const LockOwner none;
  if (count_ == 0) return none;
  return *std::max_element(owners_, owners_ + count_, [](const LockOwner& a, const LockOwner& b) {
    return a.held_ns < b.held_ns;
  });
}

}  // namespace stillframe::history
