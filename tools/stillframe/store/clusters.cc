// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/store/clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace stillframe::store {

using compare::Subject;

namespace {

uint64_t SumOf(const std::map<std::string, uint64_t>& counts) {
  uint64_t sum = 0;
  for (const auto& [version, count] : counts) sum += count;
  return sum;
}

}  // namespace

std::string PartId(int64_t signature) {
  return fmt::format("{:016x}", static_cast<uint64_t>(signature));
}

bool Clusters::Read(Engine* engine) {
  const std::string sql = fmt::format(
      "SELECT signature, kind, method, caller, leaf, message FROM {} ORDER BY signature",
      engine->From(kSignatures));
  return engine->Select(sql,
                        [this](std::span<const Cell> cells) {
                          const auto text = [&cells](size_t i) {
                            return std::string(cells[i].text);
                          };
                          subjects_[cells[0].Integer()] = {.kind = text(1),
                                                           .method = text(2),
                                                           .caller = text(3),
                                                           .leaf = text(4),
                                                           .message = text(5)};
                          return true;
                        }) &&
         engine->Select(fmt::format("SELECT cluster, target FROM {}", engine->From(kDecisions)),
                        [this](std::span<const Cell> cells) {
                          decisions_[std::string(cells[0].text)] = cells[1].text;
                          return true;
                        });
}

// How many hangs the versions of the caller's cluster would have if the callee's had gone on in
// them as often as elsewhere. None if both occur in the same versions, or too few are expected to
// tell.
std::optional<double> Clusters::ExpectedInlined(const Counts& callee, const Counts& caller,
                                                const Counts& all) {
  double common = 0;
  double of_caller = 0;
  double of_callee = 0;
  double all_with_caller = 0;
  double all_with_callee = 0;
  for (const auto& each : all) {
    const auto in = [&each](const Counts& counts) {
      const auto found = counts.find(each.first);
      return found == counts.end() ? 0.0 : static_cast<double>(found->second);
    };
    common += std::min(in(caller), in(callee));
    of_caller += in(caller);
    of_callee += in(callee);
    (in(caller) > in(callee) ? all_with_caller : all_with_callee) +=
        static_cast<double>(each.second);
  }
  constexpr double kMostCommon = 0.15;
  constexpr double kLeastExpected = 3;
  if (all_with_callee <= 0 || common > kMostCommon * std::min(of_caller, of_callee))
    return std::nullopt;
  const double expected = of_callee * all_with_caller / all_with_callee;
  return expected >= kLeastExpected ? std::optional(expected) : std::nullopt;
}

// A method that mostly waits for a lock computes for longer at times, and the reverse. A kind with
// less than a tenth of the largest kind's hangs is a part of the largest.
void Clusters::JoinKinds(const std::map<int64_t, std::string>& own,
                         const std::map<std::string, Counts>& counts,
                         std::map<std::string, std::string>* joined) const {
  std::map<std::string, std::set<std::pair<uint64_t, std::string>>> by_method;  // hangs and id
  for (const auto& [signature, subject] : subjects_) {
    const auto found = counts.find(own.at(signature));
    if (subject.method.empty() || found == counts.end()) continue;
    Subject without_kind = subject;
    without_kind.kind.clear();
    by_method[ClusterKey(without_kind, subject.method)].emplace(SumOf(found->second), found->first);
  }
  for (const auto& [key, clusters] : by_method) {
    const auto& [most, largest] = *clusters.rbegin();
    for (const auto& [hangs, id] : clusters)
      if (hangs * 10 < most) (*joined)[id] = largest;
  }
}

// Now and then a hang spends more than usual in a method below the cause. A cluster is a part of
// its caller's if it has less than a thirtieth of the caller's hangs, and few in each version: many
// in one version are a change. All parts of a cluster have less than a tenth of its hangs.
void Clusters::JoinRareCallees(const std::map<int64_t, std::string>& own,
                               const Occurrences& occurrences,
                               const std::map<std::string, Counts>& counts,
                               std::map<std::string, std::string>* joined) const {
  // Hangs by cluster and the caller's cluster.
  std::map<std::string, std::map<std::string, uint64_t>> by_caller;
  for (const auto& [signature, subject] : subjects_) {
    const auto found = occurrences.find(signature);
    if (found == occurrences.end() || subject.method.empty() || subject.caller.empty()) continue;
    by_caller[own.at(signature)][ShortHash(ClusterKey(subject, subject.caller))] +=
        SumOf(found->second);
  }
  const auto is_part = [&](const std::string& id, const std::string& caller, uint64_t common) {
    const auto callers = counts.find(caller);
    if (callers == counts.end() || joined->contains(id) || joined->contains(caller)) return false;
    const Counts& callees = counts.at(id);
    constexpr uint64_t kLeastRatio = 30;
    const bool is_rare =
        SumOf(callees) * kLeastRatio < SumOf(callers->second) && common * 2 > SumOf(callees);
    return is_rare && std::ranges::all_of(callees, [&](const auto& each) {
             constexpr uint64_t kByChance = 2;
             const auto in = callers->second.find(each.first);
             return each.second <= kByChance + (in == callers->second.end() ? 0 : in->second / 10);
           });
  };
  std::map<std::string, std::vector<std::string>> parts;  // by the caller's cluster
  std::map<std::string, uint64_t> sums;
  for (const auto& [id, callers] : by_caller) {
    for (const auto& [caller, common] : callers) {
      if (!is_part(id, caller, common)) continue;
      parts[caller].push_back(id);
      sums[caller] += SumOf(counts.at(id));
    }
  }
  for (const auto& [caller, ids] : parts) {
    if (sums[caller] * 10 >= SumOf(counts.at(caller))) continue;
    for (const std::string& id : ids) (*joined)[id] = caller;
  }
}

void Clusters::Join(const Occurrences& occurrences) {
  std::map<std::string, Counts> counts;  // by own cluster
  Counts all;
  std::map<int64_t, std::string> own;
  std::map<std::string, std::vector<int64_t>> by_caller;
  for (const auto& [signature, subject] : subjects_) {
    own[signature] = Own(signature);
    if (const auto found = occurrences.find(signature); found != occurrences.end()) {
      for (const auto& [version, count] : found->second) {
        counts[own[signature]][version] += count;
        all[version] += count;
      }
    }
    if (!subject.caller.empty() && !subject.method.empty())
      by_caller[ClusterKey(subject, subject.caller)].push_back(signature);
  }
  std::map<std::string, std::string> joined;
  std::map<std::string, std::pair<double, std::string>> inlined;
  JoinKinds(own, counts, &joined);
  for (const auto& [signature, subject] : subjects_) {
    if (joined.contains(own[signature])) continue;
    const auto callees = by_caller.find(ClusterKey(subject, subject.method));
    if (subject.method.empty() || callees == by_caller.end()) continue;
    // The choice among several: the one that would have as many hangs there.
    auto& [distance, best] = inlined[own[signature]];
    for (const int64_t callee : callees->second) {
      const std::string& id = own[callee];
      if (id == own[signature] || !IsInlinedInto(subjects_.at(callee), subject)) continue;
      const Counts& of_caller = counts[own[signature]];
      const std::optional<double> expected = ExpectedInlined(counts[id], of_caller, all);
      if (!expected) continue;
      const std::pair found(std::abs(std::log(*expected / static_cast<double>(SumOf(of_caller)))),
                            id);
      if (best.empty() || found < std::pair(distance, best)) std::tie(distance, best) = found;
    }
  }
  for (const auto& [id, callee] : inlined)
    if (!callee.second.empty()) joined[id] = callee.second;
  JoinRareCallees(own, occurrences, counts, &joined);
  for (const auto& [signature, id] : own) {
    if (const auto part = decisions_.find(PartId(signature)); part != decisions_.end()) {
      clusters_[signature] = part->second == part->first ? part->first : Decided(part->second);
      continue;
    }
    std::string cluster = id;
    constexpr int kMostSteps = 16;
    for (int i = 0; i < kMostSteps && joined.contains(cluster) && !decisions_.contains(cluster);
         ++i)
      cluster = joined.at(cluster);
    clusters_[signature] = Decided(cluster);
  }
}

}  // namespace stillframe::store
