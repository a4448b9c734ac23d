// SPDX-License-Identifier: Apache-2.0
#include "src/history/lock_holders.h"

#include <algorithm>

#include "src/os/proc.h"

namespace stillframe::history {
namespace {

// Maximum gap between two sightings of the same hold: the thread ran briefly, or no sample was
// taken.
constexpr uint32_t kSameUs = 20'000;

bool IsSame(const model::LockWait& a, const model::LockWait& b) {
  return a.owner_tid == b.owner_tid && a.lock_class == b.lock_class;
}

}  // namespace

void LockHolders::Note(int32_t tid, const std::string& lock_class, uint32_t from_us,
                       uint32_t until_us) {
  if (tid == 0 || until_us <= from_us) return;
  const auto owner_tid = static_cast<uint32_t>(tid);
  if (!stretches_.empty()) {
    model::LockWait& last = stretches_.back();
    if (last.owner_tid == owner_tid && last.lock_class == lock_class &&
        from_us <= last.until_us + kSameUs) {
      last.until_us = until_us;
      last.blocked_us += until_us - from_us;
      return;
    }
  }
  if (stretches_.size() == kMaxStretches && !MakeSpace()) return;
  const auto known = std::ranges::find(stretches_, owner_tid, &model::LockWait::owner_tid);
  std::string name = known == stretches_.end() ? os::ThreadName(tid) : known->owner;
  stretches_.push_back(
      {from_us, until_us, until_us - from_us, owner_tid, std::move(name), lock_class});
}

// False if no two have the same holder and class.
bool LockHolders::MakeSpace() {
  size_t first = 0;
  size_t second = 0;
  for (size_t i = 0; i < stretches_.size(); ++i) {
    for (size_t j = i + 1; j < stretches_.size(); ++j) {
      if (!IsSame(stretches_[i], stretches_[j])) continue;
      // The next one of its kind; later ones are further away.
      const uint32_t apart_us = stretches_[j].from_us - stretches_[i].until_us;
      if (second == 0 || apart_us < stretches_[second].from_us - stretches_[first].until_us) {
        first = i;
        second = j;
      }
      break;
    }
  }
  if (second == 0) return false;
  stretches_[first].until_us = stretches_[second].until_us;
  stretches_[first].blocked_us += stretches_[second].blocked_us;
  stretches_.erase(stretches_.begin() + static_cast<std::ptrdiff_t>(second));
  return true;
}

LockHolder LockHolders::Longest() const {
  LockHolder longest;
  for (const model::LockWait& one : stretches_) {
    uint64_t held_us = 0;
    for (const model::LockWait& other : stretches_)
      held_us += other.owner_tid == one.owner_tid ? other.blocked_us : 0;
    if (held_us > longest.held_us)
      longest = {static_cast<int32_t>(one.owner_tid), one.owner, held_us};
  }
  return longest;
}

}  // namespace stillframe::history
