// SPDX-License-Identifier: Apache-2.0
// The order of the rules, and the message that they judge when nothing else holds.
#include "tools/stillframe/rules/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/index/window.h"
#include "tools/stillframe/rules/message_verdict.h"
#include "tools/stillframe/rules/missing_names.h"
#include "tools/stillframe/rules/rules.h"

namespace stillframe::rules {

using index::DumpIndex;
using index::Window;
using verdict::Verdict;

namespace {

using model::Message;

constexpr uint64_t kRecentNs = 30'000'000'000;  // what can have led to an ANR

bool IsRecent(const Message& message, uint64_t now_ns) {
  const uint64_t end_ns =
      message.start_ns + static_cast<uint64_t>(std::max<int64_t>(message.wall_ns, 0));
  return end_ns + kRecentNs >= now_ns;
}

// The longest of the last 30 s, one with a tree before one without; else the longest at all in the
// same way.
const Message* PickMessage(const DumpIndex& index) {
  const model::Document& document = index.document();
  const Message* best = nullptr;
  const auto rank = [&](const Message& message) {
    return std::tuple(IsRecent(message, document.taken_monotonic_ns),
                      index.TreeOf(message.token) != nullptr, message.wall_ns);
  };
  const auto consider = [&](const Message& message) {
    const bool is_slow =
        message.wall_ns >= index.slow_ns() || index.TreeOf(message.token) != nullptr;
    if (is_slow && (best == nullptr || rank(message) >= rank(*best))) {
      best = &message;
    }
  };
  std::for_each(document.history.begin(), document.history.end(), consider);
  for (const auto& [token, orphan] : index.orphans()) consider(orphan);
  if (document.running) consider(*document.running);
  return best;
}

Verdict NothingSlow(const DumpIndex& index, const Message* longest) {
  const model::Document& document = index.document();
  Verdict verdict;
  verdict.sentence =
      longest == nullptr
          ? fmt::format("No slow message was seen: nothing held the main thread for {} or more.",
                        calltree::Duration(index.slow_ns()))
          : fmt::format(
                "Nothing held the main thread for long: the longest message took {} (token {}).",
                calltree::Duration(longest->wall_ns), longest->token);
  if (document.running) {
    verdict.evidence.push_back(
        fmt::format("A message had been running for {} when the dump was taken.",
                    calltree::Duration(document.running->wall_ns)));
  }
  if (!index.IsSamplerOn())
    verdict.evidence.push_back(fmt::format("At the dump {}.", SamplerOff(document)));
  return verdict;
}

Verdict JudgeByRules(const DumpIndex& index) {
  if (MaybeVerdict unwatched = JudgeWatching(index)) return *std::move(unwatched);
  const Message* longest = PickMessage(index);
  const Window window = index::WindowOf(index, longest);
  constexpr std::array kRules = {JudgeFrozen,  JudgeBarrier, JudgeMemory, JudgeStarved,
                                 JudgeRunning, JudgeFlood,   JudgeEarlier};
  for (const auto rule : kRules)
    if (MaybeVerdict verdict = rule(index, window)) return *std::move(verdict);
  if (longest != nullptr && longest->wall_ns >= index::kNotableNs)
    return JudgeMessage(index, *longest);
  if (MaybeVerdict unexplained = JudgeUnexplained(index, window)) return *std::move(unexplained);
  return NothingSlow(index, longest);
}

}  // namespace

Verdict Judge(const DumpIndex& index) {
  Verdict verdict = JudgeByRules(index);
  TellMissingNames(index, &verdict);
  return verdict;
}

}  // namespace stillframe::rules
