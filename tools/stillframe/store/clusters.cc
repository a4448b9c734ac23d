// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/store/clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace stillframe::store {

using compare::Subject;

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

// Whether the callee is missing where the caller is, and was often enough elsewhere to be expected.
bool Clusters::Excludes(const Counts& callee, const Counts& caller, const Counts& all) {
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
  return all_with_callee > 0 && common <= kMostCommon * std::min(of_caller, of_callee) &&
         of_callee * all_with_caller / all_with_callee >= kLeastExpected;
}

// A method that mostly waits for a lock computes for longer at times, and the reverse. A kind with
// less than a tenth of the method's hangs is a part of the largest.
void Clusters::JoinKinds(const std::map<int64_t, std::string>& own,
                         const std::map<std::string, Counts>& counts,
                         std::map<std::string, std::string>* joined) const {
  std::map<std::string, std::set<std::pair<uint64_t, std::string>>> by_method;  // hangs and id
  for (const auto& [signature, subject] : subjects_) {
    const auto found = counts.find(own.at(signature));
    if (subject.method.empty() || found == counts.end()) continue;
    uint64_t hangs = 0;
    for (const auto& [version, count] : found->second) hangs += count;
    Subject without_kind = subject;
    without_kind.kind.clear();
    by_method[ClusterKey(without_kind, subject.method)].emplace(hangs, found->first);
  }
  for (const auto& [key, clusters] : by_method) {
    const auto& [most, largest] = *clusters.rbegin();
    for (const auto& [hangs, id] : clusters)
      if (hangs * 10 < most) (*joined)[id] = largest;
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
  std::map<std::string, std::string> inlined;
  JoinKinds(own, counts, &joined);
  for (const auto& [signature, subject] : subjects_) {
    if (joined.contains(own[signature])) continue;
    const auto callees = by_caller.find(ClusterKey(subject, subject.method));
    if (subject.method.empty() || callees == by_caller.end()) continue;
    std::string& best = inlined[own[signature]];
    for (const int64_t callee : callees->second) {
      const std::string& id = own[callee];
      if (id == own[signature] || !IsInlinedInto(subjects_.at(callee), subject)) continue;
      if (!Excludes(counts[id], counts[own[signature]], all)) continue;
      // If several fit, the choice does not depend on their order.
      if (best.empty() || id < best) best = id;
    }
  }
  std::erase_if(inlined, [](const auto& each) { return each.second.empty(); });
  joined.merge(inlined);
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
