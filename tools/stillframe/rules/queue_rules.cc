// SPDX-License-Identifier: Apache-2.0
// The rules about the queue: what the main thread did while messages waited.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/rules/culprit.h"
#include "tools/stillframe/rules/message_verdict.h"
#include "tools/stillframe/rules/rules.h"

namespace stillframe::rules {

using index::DumpIndex;
using index::Window;
using index::WindowShare;
using verdict::Confidence;
using verdict::Kind;
using verdict::Verdict;

namespace {

using calltree::Counted;
using calltree::Duration;
using calltree::Share;
using index::PendingDispatch;
using model::PendingMessage;

constexpr uint64_t kLeakedNs = 1'000'000'000;
constexpr size_t kFlood = 50;
constexpr size_t kMaxNamed = 5;

std::string Nanoseconds(uint64_t ns) { return Duration(static_cast<int64_t>(ns)); }

// What makes two messages of the same kind.
using Sort = std::tuple<std::string_view, std::string_view, int32_t>;

Sort SortOf(const PendingMessage& message) {
  return {message.target, message.callback, message.what};
}
Sort SortOf(const model::Message& message) {
  return {message.target, message.callback, message.what};
}

std::string LateText(const Window& window) {
  return fmt::format("{} has been due for {}", PendingDispatch(*window.latest),
                     Nanoseconds(index::LateNs(*window.latest)));
}

void AddLate(const Window& window, Verdict* verdict) {
  if (window.latest != nullptr)
    verdict->evidence.push_back(fmt::format("Message {}.", LateText(window)));
}

}  // namespace

MaybeVerdict JudgeWatching(const DumpIndex& index) {
  const model::Document& document = index.document();
  const bool knows_messages = (document.running && document.running->wall_ns >= index.slow_ns()) ||
                              !document.history.empty() || !document.trees.empty() ||
                              !document.records.empty();
  if (document.identity.tap != "none" || knows_messages) return std::nullopt;
  Verdict verdict;
  verdict.kind = Kind::kNotEnoughData;
  verdict.sentence = "Nothing is known about the main thread's messages: no Looper was watched.";
  if (!index.IsSamplerOn())
    verdict.evidence.push_back(fmt::format("At the dump {}.", SamplerOff(document)));
  return verdict;
}

MaybeVerdict JudgeBarrier(const DumpIndex& index, const Window& window) {
  const model::Document& document = index.document();
  if (document.pending.empty() || !document.pending[0].is_barrier) return std::nullopt;
  const PendingMessage& barrier = document.pending[0];
  const uint64_t age_ns =
      barrier.age_ms >= 0 ? index::NsOf(barrier.age_ms) : index::LateNs(barrier);
  Window since;
  since.end_ns = document.taken_monotonic_ns;
  since.begin_ns = since.end_ns - std::min(age_ns, since.end_ns);
  uint64_t busy_ns = 0;
  for (const WindowShare& share : window.slow) {
    busy_ns += since.Inside(share.message->start_ns,
                            static_cast<uint64_t>(std::max<int64_t>(share.message->wall_ns, 0)));
  }
  const auto held =
      std::count_if(document.pending.begin(), document.pending.end(), [](const PendingMessage& m) {
        return !m.is_barrier && !m.is_asynchronous && m.delay_ms < 0;
      });
  if (age_ns < kLeakedNs || busy_ns * 2 >= age_ns || held == 0) return std::nullopt;
  Verdict verdict;
  verdict.kind = Kind::kLeakedBarrier;
  verdict.sentence = fmt::format(
      "A synchronization barrier has stood at the front of the queue for {}, and nobody removes "
      "it: "
      "{} behind it {} not dispatched.",
      Nanoseconds(age_ns), Counted(static_cast<uint64_t>(held), "message"),
      held == 1 ? "is" : "are");
  verdict.evidence.push_back(
      fmt::format("Meanwhile slow messages took only {}: the main thread had nothing to do.",
                  Nanoseconds(busy_ns)));
  AddLate(window, &verdict);
  return verdict;
}

MaybeVerdict JudgeRunning(const DumpIndex& index, const Window& window) {
  const model::Document& document = index.document();
  if (!document.running) return std::nullopt;
  const bool holds = window.latest != nullptr ? window.running_ns() * 2 >= window.length_ns()
                                              : document.running->wall_ns >= kLongNs;
  if (!holds) return std::nullopt;
  Verdict verdict = JudgeMessage(index, *document.running);
  AddLate(window, &verdict);
  return verdict;
}

MaybeVerdict JudgeFlood(const DumpIndex& index, const Window& window) {
  std::map<Sort, std::pair<size_t, const PendingMessage*>> counts;
  size_t late = 0;
  for (const PendingMessage& message : index.document().pending) {
    if (!message.is_barrier && message.delay_ms < 0) {
      auto& [count, example] = counts[SortOf(message)];
      ++count;
      ++late;
      example = &message;
    }
  }
  const auto top = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
    return a.second.first < b.second.first;
  });
  if (window.latest == nullptr || top == counts.end() || top->second.first < kFlood ||
      top->second.first * 10 < late * 6)
    return std::nullopt;
  Verdict verdict;
  uint64_t others_ns = 0;
  uint64_t same_ns = 0;
  for (const WindowShare& share : window.slow) {
    const bool is_same = SortOf(*share.message) == top->first;
    (is_same ? same_ns : others_ns) += share.inside_ns;
    if (is_same && verdict.tokens.size() < kMaxNamed)
      verdict.tokens.push_back(share.message->token);
  }
  if (others_ns * 2 >= window.length_ns()) return std::nullopt;
  const uint64_t total = index.document().pending_total;
  verdict.kind = Kind::kFlood;
  verdict.confidence = top->second.first >= 2 * kFlood ? Confidence::kHigh : Confidence::kMedium;
  verdict.sentence = fmt::format(
      "The queue was flooded: {} of {} late messages{} are {}.",
      calltree::Grouped(top->second.first), calltree::Grouped(late),
      total > late ? fmt::format(" (of {}{} in the queue)",
                                 index.document().pending_is_truncated ? "at least " : "",
                                 calltree::Grouped(total))
                   : "",
      PendingDispatch(*top->second.second));
  verdict.evidence.push_back(fmt::format("Slow messages of the same kind took {} of {}, others {}.",
                                         Nanoseconds(same_ns), Nanoseconds(window.length_ns()),
                                         Nanoseconds(others_ns)));
  AddLate(window, &verdict);
  if (!verdict.tokens.empty()) verdict.token = verdict.tokens[0];
  return verdict;
}

MaybeVerdict JudgeEarlier(const DumpIndex& index, const Window& window) {
  const uint64_t running_ns = window.running_ns();
  const uint64_t earlier_ns = window.slow_ns - running_ns;
  const bool holds = window.latest != nullptr && earlier_ns > 0 &&
                     earlier_ns * 3 >= window.length_ns() && earlier_ns >= running_ns;
  if (!holds) return std::nullopt;
  Verdict verdict;
  verdict.kind = Kind::kEarlier;
  verdict.confidence =
      earlier_ns * 2 >= window.length_ns() ? Confidence::kHigh : Confidence::kMedium;
  size_t count = 0;
  for (const WindowShare& share : window.slow) {
    count += share.is_running ? 0 : 1;
    if (share.is_running || verdict.tokens.size() == kMaxNamed) continue;
    verdict.tokens.push_back(share.message->token);
    verdict.evidence.push_back(
        fmt::format("{} took {} ({}, token {}).", MessageAndMethod(index, *share.message),
                    Nanoseconds(share.inside_ns), Share(share.inside_ns, window.length_ns()),
                    share.message->token));
  }
  verdict.token = verdict.tokens[0];
  if (const calltree::CallTree* tree = index.TreeOf(*verdict.token))
    verdict.culprit = FindCulprit(*tree, false);
  verdict.sentence = fmt::format(
      "Earlier messages ate the time: {} that had ended took {} of the {} ({}) for which {}.",
      Counted(count, "slow message"), Nanoseconds(earlier_ns), Nanoseconds(window.length_ns()),
      Share(earlier_ns, window.length_ns()),
      fmt::format("{} waits", PendingDispatch(*window.latest)));
  if (index.document().running) {
    verdict.evidence.push_back(
        fmt::format("The running message had taken {} ({}): its stack is not the cause.",
                    Nanoseconds(running_ns), Share(running_ns, window.length_ns())));
  }
  return verdict;
}

MaybeVerdict JudgeUnexplained(const DumpIndex& index, const Window& window) {
  if (window.latest == nullptr || window.busy_ns * 2 >= window.length_ns()) return std::nullopt;
  Verdict verdict;
  verdict.kind = Kind::kNotEnoughData;
  verdict.confidence = Confidence::kLow;
  verdict.sentence =
      fmt::format("Not enough data: message {}, but the recorded messages explain only {} of it.",
                  LateText(window), Nanoseconds(window.busy_ns));
  if (!index.IsSamplerOn())
    verdict.evidence.push_back(fmt::format("At the dump {}.", SamplerOff(index.document())));
  return verdict;
}

}  // namespace stillframe::rules
