// SPDX-License-Identifier: Apache-2.0
// Overlaps of samples with the stretches that the dump records.
#include "tools/stillframe/rules/lock_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::rules {
namespace {

using model::LockWait;

// A sample of a blocked thread that is as near as this to a stretch is of it: the thread was on its
// way into the monitor, or out of it.
constexpr uint64_t kNearUs = 50'000;
constexpr size_t kMostEvidence = 4;
constexpr size_t kLongestName = 100;
constexpr size_t kLongestClass = 160;

// Of the stretch's blocked time, what is in [from_us, until_us).
uint64_t BlockedIn(const LockWait& wait, uint64_t from_us, uint64_t until_us) {
  const uint64_t begin_us = std::max<uint64_t>(wait.from_us, from_us);
  const uint64_t end_us = std::min<uint64_t>(wait.until_us, until_us);
  if (begin_us >= end_us) return 0;
  const uint64_t length_us = wait.until_us - wait.from_us;
  const uint64_t blocked_us = std::min<uint64_t>(wait.blocked_us, length_us);
  return std::max<uint64_t>(1, blocked_us * (end_us - begin_us) / length_us);
}

}  // namespace

std::string OwnerText(const std::string& name, uint32_t tid) {
  const std::string clean = text::Truncated(name, kLongestName);
  if (tid == 0) return clean.empty() ? "" : fmt::format("thread {}", clean);
  return clean.empty() ? fmt::format("thread {}", tid)
                       : fmt::format("thread {} (tid {})", clean, tid);
}

const LockWait* LockShares::Nearest(uint64_t from_us, uint64_t until_us) const {
  const LockWait* nearest = nullptr;
  uint64_t nearest_us = kNearUs;
  for (const LockWait& wait : message_.lock_waits) {
    const uint64_t apart_us = wait.from_us >= until_us   ? wait.from_us - until_us
                              : from_us >= wait.until_us ? from_us - wait.until_us
                                                         : 0;
    if (apart_us > nearest_us) continue;
    nearest_us = apart_us;
    nearest = &wait;
  }
  return nearest;
}

// Stretches of which the thread was blocked for the most come first: a stretch that is made of
// several has its time where they leave some.
std::vector<std::pair<double, const LockWait*>> LockShares::DensestIn(uint64_t from_us,
                                                                      uint64_t until_us) const {
  std::vector<std::pair<double, const LockWait*>> waits;
  for (const LockWait& wait : message_.lock_waits)
    if (wait.from_us < until_us && from_us < wait.until_us && wait.from_us < wait.until_us)
      waits.emplace_back(static_cast<double>(wait.blocked_us) / (wait.until_us - wait.from_us),
                         &wait);
  std::ranges::stable_sort(waits, std::greater<>(), &std::pair<double, const LockWait*>::first);
  return waits;
}

std::vector<std::pair<std::string, uint64_t>> LockShares::Of(uint64_t from_us, uint64_t until_us,
                                                             uint64_t us) const {
  if (message_.lock_waits.empty())
    return {{OwnerText(message_.lock_owner, message_.lock_owner_tid), us}};
  std::vector<std::pair<std::string, uint64_t>> shares;
  uint64_t sum_us = 0;
  uint64_t free_us = until_us - std::min(from_us, until_us);
  for (const auto& [part, wait_at] : DensestIn(from_us, until_us)) {
    const LockWait& wait = *wait_at;
    const uint64_t blocked_us = std::min(BlockedIn(wait, from_us, until_us), free_us);
    if (blocked_us == 0) continue;
    free_us -= blocked_us;
    sum_us += blocked_us;
    const std::string who = OwnerText(wait.owner, wait.owner_tid);
    const auto known = std::ranges::find(shares, who, &std::pair<std::string, uint64_t>::first);
    if (known == shares.end())
      shares.emplace_back(who, blocked_us);
    else
      known->second += blocked_us;
  }
  if (shares.empty()) {
    const LockWait* nearest = Nearest(from_us, until_us);
    return {{nearest == nullptr ? "" : OwnerText(nearest->owner, nearest->owner_tid), us}};
  }
  uint64_t left_us = us;
  for (auto& [who, part_us] : shares) {
    part_us = static_cast<uint64_t>(static_cast<__uint128_t>(us) * part_us / sum_us);
    left_us -= part_us;
  }
  shares.front().second += left_us;  // what rounding left
  return shares;
}

std::vector<std::string> LockEvidence(const model::Message& message) {
  std::map<std::pair<std::string, std::string>, uint64_t> held;
  for (const LockWait& wait : message.lock_waits) {
    std::string who = OwnerText(wait.owner, wait.owner_tid);
    if (wait.lock_class.empty() || who.empty()) continue;
    held[{std::move(who), text::Truncated(wait.lock_class, kLongestClass)}] += wait.blocked_us;
  }
  std::vector<std::pair<uint64_t, std::string>> sorted;
  for (const auto& [key, us] : held) {
    std::string sentence = fmt::format("{} held the monitor of {} for {}.", key.first, key.second,
                                       calltree::DurationUs(us));
    sentence[0] = 'T';
    sorted.emplace_back(us, std::move(sentence));
  }
  std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<uint64_t, std::string>::first);
  std::vector<std::string> evidence;
  for (size_t i = 0; i < std::min(sorted.size(), kMostEvidence); ++i)
    evidence.push_back(std::move(sorted[i].second));
  return evidence;
}

}  // namespace stillframe::rules
