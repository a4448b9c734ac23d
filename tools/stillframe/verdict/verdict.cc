#include "tools/stillframe/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/verdict/message_verdict.h"
#include "tools/stillframe/verdict/rules.h"
#include "tools/stillframe/verdict/window.h"

namespace stillframe::verdict {
namespace {

using model::Message;

// Below this, a message is slow but nothing that a person notices.
constexpr int64_t kNotableNs = 300'000'000;
constexpr uint64_t kRecentNs = 30'000'000'000;  // what can have led to an ANR

bool IsRecent(const Message& message, uint64_t now_ns) {
  const uint64_t end_ns =
      message.start_ns + static_cast<uint64_t>(std::max<int64_t>(message.wall_ns, 0));
  return end_ns + kRecentNs >= now_ns;
}

// The longest of the last 30 s, one with a tree before one without; else the longest at all in the
// same way.
const Message* PickMessage(const Case& evidence) {
  const model::Document& document = evidence.document();
  const Message* best = nullptr;
  const auto rank = [&](const Message& message) {
    return std::tuple(IsRecent(message, document.taken_monotonic_ns),
                      evidence.TreeOf(message.token) != nullptr, message.wall_ns);
  };
  const auto consider = [&](const Message& message) {
    const bool is_slow = message.wall_ns >= kSlowNs || evidence.TreeOf(message.token) != nullptr;
    if (is_slow && (best == nullptr || rank(message) >= rank(*best))) {
      best = &message;
    }
  };
  std::for_each(document.history.begin(), document.history.end(), consider);
  for (const auto& [token, orphan] : evidence.orphans()) {
    consider(orphan);
  }
  if (document.running) {
    consider(*document.running);
  }
  return best;
}

Verdict NothingSlow(const Case& evidence, const Message* longest) {
  const model::Document& document = evidence.document();
  Verdict verdict;
  verdict.sentence =
      longest == nullptr
          ? "No slow message was seen: nothing held the main thread for 50 ms or more."
          : fmt::format(
                "Nothing held the main thread for long: the longest message took {} (token {}).",
                calltree::Duration(longest->wall_ns), longest->token);
  if (document.running) {
    verdict.evidence.push_back(
        fmt::format("A message had been running for {} when the dump was taken.",
                    calltree::Duration(document.running->wall_ns)));
  }
  if (!IsSamplerOn(document)) {
    verdict.evidence.push_back(fmt::format("At the dump {}.", SamplerOff(document)));
  }
  return verdict;
}

}  // namespace

std::string_view KindName(Kind kind) {
  constexpr std::array<std::string_view, 15> kNames = {
      "nothing-slow", "not-enough-data", "no-samples",     "method",          "standstill",
      "blocked",      "binder-call",     "input-output",   "spread",          "earlier-messages",
      "queue-flood",  "leaked-barrier",  "starved-of-cpu", "short-of-memory", "process-frozen"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view ConfidenceName(Confidence confidence) {
  constexpr std::array<std::string_view, 3> kNames = {"low", "medium", "high"};
  return kNames[static_cast<size_t>(confidence)];
}

Verdict Judge(const Case& evidence) {
  if (MaybeVerdict unwatched = JudgeWatching(evidence)) {
    return *std::move(unwatched);
  }
  const Message* longest = PickMessage(evidence);
  const Window window = WindowOf(evidence, longest);
  constexpr std::array kRules = {JudgeFrozen,  JudgeBarrier, JudgeMemory, JudgeStarved,
                                 JudgeRunning, JudgeFlood,   JudgeEarlier};
  for (const auto rule : kRules) {
    if (MaybeVerdict verdict = rule(evidence, window)) {
      return *std::move(verdict);
    }
  }
  if (longest != nullptr && longest->wall_ns >= kNotableNs) {
    return JudgeMessage(evidence, *longest);
  }
  if (MaybeVerdict unexplained = JudgeUnexplained(evidence, window)) {
    return *std::move(unexplained);
  }
  return NothingSlow(evidence, longest);
}

}  // namespace stillframe::verdict
