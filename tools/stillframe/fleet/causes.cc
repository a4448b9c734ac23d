// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/fleet/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/stillframe/fleet/rows.h"

namespace stillframe::fleet {
namespace {

uint64_t SumOf(const std::map<std::string, uint64_t>& counts) {
  uint64_t sum = 0;
  for (const auto& [version, count] : counts) sum += count;
  return sum;
}

}  // namespace

std::string VersionText(const std::string& name, int64_t code) {
  if (!name.empty() && name != "0") return name;
  return name.empty() && code != 0 ? std::to_string(code) : kUnknown;
}

std::string PartId(Signature signature) {
  return fmt::format("{:016x}", static_cast<uint64_t>(signature));
}

bool Causes::Read(Engine* engine) {
  constexpr Selection kSelectNames(
      Picked{&SignatureRow::signature, "signature"}, Picked{&SignatureRow::kind, "kind"},
      Picked{&SignatureRow::method, "method"}, Picked{&SignatureRow::caller, "caller"},
      Picked{&SignatureRow::leaf, "leaf"}, Picked{&SignatureRow::message, "message"});
  constexpr Selection kSelectDecisions(Picked{&DecisionRow::cause, "cause"},
                                       Picked{&DecisionRow::target, "target"});
  constexpr Selection kSelectCounts(
      Picked{&HangRow::signature, "signature"}, Picked{&HangRow::version_name, "version_name"},
      Picked{&HangRow::version_code, "version_code"}, Picked{&HangRow::count, "sum(count)"});
  Occurrences occurrences;
  const bool is_read =
      kSelectNames.ForEach(engine, "FROM " + engine->From(kSignatures),
                           [this](SignatureRow& row) {
                             names_[row.signature] = {.kind = std::move(row.kind),
                                                      .method = std::move(row.method),
                                                      .caller = std::move(row.caller),
                                                      .leaf = std::move(row.leaf),
                                                      .message = std::move(row.message)};
                           }) &&
      kSelectDecisions.ForEach(
          engine, "FROM " + engine->From(kDecisions),
          [this](DecisionRow& row) { decisions_[row.cause] = std::move(row.target); }) &&
      kSelectCounts.ForEach(
          engine,
          fmt::format("FROM {} WHERE debugged = 0 AND source = 0 AND install NOT IN (SELECT "
                      "install FROM {}) GROUP BY signature, version_name, version_code",
                      engine->From(kHangs), engine->From(kForgotten)),
          [&occurrences](const HangRow& row) {
            occurrences[row.signature][VersionText(row.version_name, row.version_code)] +=
                row.count;
          });
  if (is_read) Join(occurrences);
  return is_read;
}

// How many hangs the versions of the caller's cause would have if the callee's had gone on in
// them as often as elsewhere. None if both occur in the same versions, or too few are expected to
// tell.
std::optional<double> Causes::ExpectedInlined(const Counts& callee, const Counts& caller,
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
void Causes::JoinKinds(const std::map<Signature, std::string>& own,
                       const std::map<std::string, Counts>& counts,
                       std::map<std::string, std::string>* joined) const {
  std::map<std::string, std::set<std::pair<uint64_t, std::string>>> by_method;  // hangs and id
  for (const auto& [signature, names] : names_) {
    const auto found = counts.find(own.at(signature));
    if (names.method.empty() || found == counts.end()) continue;
    CauseNames without_kind = names;
    without_kind.kind.clear();
    by_method[CauseKey(without_kind, names.method)].emplace(SumOf(found->second), found->first);
  }
  for (const auto& [key, causes] : by_method) {
    const auto& [most, largest] = *causes.rbegin();
    for (const auto& [hangs, id] : causes)
      if (hangs * 10 < most) (*joined)[id] = largest;
  }
}

// Now and then a hang spends more than usual in a method below the cause. A cause is a part of
// its caller's if it has less than a thirtieth of the caller's hangs, and few in each version: many
// in one version are a change. All parts of a cause have less than a tenth of its hangs.
void Causes::JoinRareCallees(const std::map<Signature, std::string>& own,
                             const Occurrences& occurrences,
                             const std::map<std::string, Counts>& counts,
                             std::map<std::string, std::string>* joined) const {
  // Hangs by cause and the caller's cause.
  std::map<std::string, std::map<std::string, uint64_t>> by_caller;
  for (const auto& [signature, names] : names_) {
    const auto found = occurrences.find(signature);
    if (found == occurrences.end() || names.method.empty() || names.caller.empty()) continue;
    by_caller[own.at(signature)][ShortHash(CauseKey(names, names.caller))] += SumOf(found->second);
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
  std::map<std::string, std::vector<std::string>> parts;  // by the caller's cause
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

void Causes::Join(const Occurrences& occurrences) {
  std::map<std::string, Counts> counts;  // by own cause
  Counts all;
  std::map<Signature, std::string> own;
  std::map<std::string, std::vector<Signature>> by_caller;
  for (const auto& [signature, names] : names_) {
    own[signature] = Own(signature);
    if (const auto found = occurrences.find(signature); found != occurrences.end()) {
      for (const auto& [version, count] : found->second) {
        counts[own[signature]][version] += count;
        all[version] += count;
      }
    }
    if (!names.caller.empty() && !names.method.empty())
      by_caller[CauseKey(names, names.caller)].push_back(signature);
  }
  std::map<std::string, std::string> joined;
  std::map<std::string, std::pair<double, std::string>> inlined;
  JoinKinds(own, counts, &joined);
  for (const auto& [signature, names] : names_) {
    if (joined.contains(own[signature])) continue;
    const auto callees = by_caller.find(CauseKey(names, names.method));
    if (names.method.empty() || callees == by_caller.end()) continue;
    // The choice among several: the one that would have as many hangs there.
    auto& [distance, best] = inlined[own[signature]];
    for (const Signature callee : callees->second) {
      const std::string& id = own[callee];
      if (id == own[signature] || !IsInlinedInto(names_.at(callee), names)) continue;
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
      causes_[signature] = part->second == part->first ? part->first : Decided(part->second);
      continue;
    }
    std::string cause = id;
    constexpr int kMostSteps = 16;
    for (int i = 0; i < kMostSteps && joined.contains(cause) && !decisions_.contains(cause); ++i)
      cause = joined.at(cause);
    causes_[signature] = Decided(cause);
  }
}

}  // namespace stillframe::fleet
