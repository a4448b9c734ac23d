// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/lead.h"

#include <algorithm>

namespace stillframe::judge {
namespace {

bool IsLock(const Contribution& row) { return row.contributor.cause == Cause::kLock; }

// The largest row. The owners of one message's locks count together, represented by the largest.
const Contribution& LargestOf(const Ranking& ranking) {
  const Contribution& first = ranking.list.front();
  const auto lock = std::ranges::find_if(ranking.list, IsLock);
  if (lock == ranking.list.end()) return first;
  uint64_t locks_ns = 0;
  for (const Contribution& row : ranking.list)
    if (IsLock(row) && row.contributor.tokens == lock->contributor.tokens)
      locks_ns += row.contributor.ns;
  return locks_ns > first.contributor.ns ? *lock : first;
}

// A cause that affects all messages competes with the sum of all messages that had ended.
const Contribution& LargestOfAll(const Ranking& ranking, bool is_late) {
  const Contribution& first = LargestOf(ranking);
  const Cause cause = first.contributor.cause;
  const bool is_of_all =
      cause == Cause::kNoCpu || cause == Cause::kFrozen || cause == Cause::kRuntime;
  const auto ended = std::ranges::find_if(ranking.list, HasEnded);
  if (!is_late || !is_of_all || ended == ranking.list.end()) return first;
  uint64_t ended_ns = 0;
  uint64_t running_ns = 0;
  for (const Contribution& row : ranking.list) {
    ended_ns += HasEnded(row) ? row.contributor.ns : 0;
    if (row.contributor.is_running) running_ns = std::max(running_ns, row.contributor.ns);
  }
  return ended_ns > std::max(first.contributor.ns, running_ns) ? *ended : first;
}

// The row itself, or one whose method has more time than the row's method.
const Contribution& WithLargestMethod(const Contribution& row, const Ranking& ranking) {
  const Contribution* largest = &row;
  if (!row.HasMessage() || !row.contributor.place || IsLock(row)) return row;
  for (const Contribution& other : ranking.list)
    if (other.HasMessage() && other.contributor.place &&
        TimeOfPlace(other.contributor) > TimeOfPlace(largest->contributor))
      largest = &other;
  return *largest;
}

}  // namespace

uint64_t TimeOfPlace(const judge::Contributor& row) {
  const bool is_all =
      !row.place || row.place->held_us * 100 >= (row.stacks_us + row.unsampled_us) * 95;
  return is_all ? row.ns : std::min(row.ns, row.place->held_us * 1000);
}

const Contribution& LeadOf(const Ranking& ranking, bool is_late) {
  const Contribution& first = WithLargestMethod(LargestOfAll(ranking, is_late), ranking);
  const bool has_other = first.contributor.cause == Cause::kUnseen && ranking.list.size() > 1 &&
                         ranking.list[1].contributor.ns * 10 >= ranking.length_ns;
  return has_other ? ranking.list[1] : first;
}

std::vector<const Contribution*> NamedWith(const Contribution& lead, const Ranking& ranking) {
  std::vector<const Contribution*> named;
  for (const Contribution& row : ranking.list)
    if (&row == &lead ||
        (IsLock(row) && IsLock(lead) && row.contributor.tokens == lead.contributor.tokens))
      named.push_back(&row);
  return named;
}

}  // namespace stillframe::judge
