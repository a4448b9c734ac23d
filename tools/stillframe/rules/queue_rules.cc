// SPDX-License-Identifier: Apache-2.0
// The rules about the queue: what the main thread did while messages waited.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/rules/culprit.h"
#include "tools/stillframe/rules/lock_owner.h"
#include "tools/stillframe/rules/message_verdict.h"
#include "tools/stillframe/rules/rules.h"
#include "tools/stillframe/text/clean_text.h"

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

constexpr size_t kFlood = 50;
constexpr size_t kMaxNamed = 5;
constexpr size_t kMaxKinds = 3;

std::string Nanoseconds(uint64_t ns) { return Duration(static_cast<int64_t>(ns)); }

void AddLate(const Window& window, Verdict* verdict) {
  if (window.latest != nullptr)
    verdict->evidence.push_back(fmt::format("Message {}.", LateText(window)));
}

// Messages that are due, by kind, the most frequent first.
struct LateKind {
  const PendingMessage* example;
  size_t count;
};

std::vector<LateKind> LateKinds(const DumpIndex& index, size_t* late) {
  std::map<std::tuple<std::string_view, std::string_view, int32_t>, LateKind> kinds;
  *late = 0;
  for (const PendingMessage& message : index.document().pending) {
    if (message.is_barrier || message.delay_ms >= 0) continue;
    LateKind& kind = kinds[{message.target, message.callback, message.what}];
    kind.example = &message;
    ++kind.count;
    ++*late;
  }
  std::vector<LateKind> sorted;
  sorted.reserve(kinds.size());
  for (const auto& [names, kind] : kinds) sorted.push_back(kind);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const LateKind& a, const LateKind& b) { return a.count > b.count; });
  return sorted;
}

// "The queue was flooded: 120 of 121 late messages (of 900 in the queue) are Runnable app.Tick", or
// for several kinds "... late messages are of 3 kinds: 800 Runnable app.A, 790 Runnable app.B, ..."
std::string FloodText(const DumpIndex& index, const std::vector<LateKind>& kinds, size_t late) {
  const model::Document& document = index.document();
  const std::string total =
      document.pending_total > late
          ? fmt::format(" (of {}{} in the queue)", document.pending_is_truncated ? "at least " : "",
                        calltree::Grouped(document.pending_total))
          : "";
  if (kinds[0].count * 10 >= late * 6) {
    return fmt::format("The queue was flooded: {} of {} late messages{} are {}",
                       calltree::Grouped(kinds[0].count), calltree::Grouped(late), total,
                       PendingDispatch(*kinds[0].example));
  }
  std::string text = fmt::format("The queue was flooded: {} late messages{} are of {}",
                                 calltree::Grouped(late), total, Counted(kinds.size(), "kind"));
  for (size_t i = 0; i < std::min(kinds.size(), kMaxKinds); ++i) {
    text += fmt::format("{} {} {}", i == 0 ? ":" : ",", calltree::Grouped(kinds[i].count),
                        PendingDispatch(*kinds[i].example));
  }
  return text;
}

// Where no message runs and the Signal Catcher has seen the main thread outside of its poll; else
// "".
std::string MainFrameOutside(const DumpIndex& index) {
  const model::Document& document = index.document();
  return document.running || !document.signal_catcher ? ""
                                                      : MainFrame(document.signal_catcher->text);
}

// What no message explains is known to be idleness, for the most part.
bool IsIdleMostly(const Case& the) {
  if (!MainFrameOutside(the.index).empty()) return false;
  uint64_t idle_ns = 0;
  for (const model::HistoryRecord& record : the.index.document().records)
    if (record.looper == 0 && record.kind == model::SpanKind::kIdle)
      idle_ns += the.window.Inside(record.start_ns, record.span_ns);
  return idle_ns * 10 >= the.lead.told.ns * 8;
}

// What the main thread was in at the dump, by the Signal Catcher, where no message ran.
void AddMainStack(const DumpIndex& index, Verdict* verdict) {
  const std::string frame = MainFrameOutside(index);
  if (!frame.empty()) {
    verdict->evidence.push_back(
        fmt::format("At the dump no message ran, and the main thread was in {}.", frame));
  }
}

}  // namespace

std::string LateText(const Window& window) {
  return fmt::format("{} has been due for {}", PendingDispatch(*window.latest),
                     Nanoseconds(index::LateNs(*window.latest)));
}

std::string OfWindow(const Case& the, uint64_t ns) {
  return fmt::format("{} ({})", Nanoseconds(ns), Share(ns, the.window.length_ns()));
}

std::string WaitedText(const Case& the) {
  const uint64_t length_ns = the.window.length_ns();
  const bool is_cut = the.window.latest != nullptr && index::LateNs(*the.window.latest) > length_ns;
  return (is_cut ? "last " : "") + Nanoseconds(length_ns);
}

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

Verdict JudgeBarrier(const Case& the) {
  const model::Document& document = the.index.document();
  const uint64_t age_ns = document.taken_monotonic_ns - the.window.barrier_since_ns;
  const auto held =
      std::count_if(document.pending.begin(), document.pending.end(), [](const PendingMessage& m) {
        return !m.is_barrier && !m.is_asynchronous && m.delay_ms < 0;
      });
  Verdict verdict;
  verdict.kind = Kind::kLeakedBarrier;
  verdict.sentence = fmt::format(
      "A synchronization barrier has stood at the front of the queue for {}, and nobody removes "
      "it: {} behind it {} not dispatched.",
      Nanoseconds(age_ns), Counted(static_cast<uint64_t>(held), "message"),
      held == 1 ? "is" : "are");
  verdict.evidence.push_back(
      fmt::format("Meanwhile slow messages took {}; for {} the main thread had nothing to do.",
                  OfWindow(the, the.window.slow_ns), OfWindow(the, the.lead.told.ns)));
  AddLate(the.window, &verdict);
  return verdict;
}

namespace {

// Of runs of quick messages nobody knows more: they may have waited, or been without a CPU.
void TellQuickCpu(const Case& the, Verdict* verdict) {
  uint64_t wall_ns = 0;
  uint64_t cpu_ns = 0;
  for (const model::HistoryRecord& record : the.index.document().records) {
    const bool is_quick = record.kind == model::SpanKind::kQuick && record.looper == 0;
    if (!is_quick || record.cpu_ns < 0 || the.window.Inside(record.start_ns, record.span_ns) == 0)
      continue;
    wall_ns += record.wall_ns;
    cpu_ns += static_cast<uint64_t>(record.cpu_ns);
  }
  if (wall_ns == 0 || cpu_ns * 4 >= wall_ns * 3) return;
  verdict->evidence.push_back(
      fmt::format("They used {} of CPU time in {} ({}): they waited or got no CPU for the rest.",
                  Nanoseconds(cpu_ns), Nanoseconds(wall_ns), Share(cpu_ns, wall_ns)));
  verdict->confidence = std::min(verdict->confidence, Confidence::kMedium);
}

}  // namespace

bool IsFlooded(const DumpIndex& index) {
  size_t late = 0;
  LateKinds(index, &late);
  return late >= kFlood;
}

Verdict JudgeQuick(const Case& the) {
  Verdict verdict;
  verdict.kind = Kind::kFlood;
  size_t late = 0;
  const std::vector<LateKind> kinds = LateKinds(the.index, &late);
  const uint64_t quick_ns = the.ranking.NsOf(verdict::Cause::kQuick);
  if (late >= kFlood) {
    verdict.confidence = late >= 2 * kFlood ? Confidence::kHigh : Confidence::kMedium;
    verdict.sentence = FloodText(the.index, kinds, late) + ".";
  } else {
    verdict.sentence =
        fmt::format("Many short messages ate the time: {} took {} of the {}{}.", the.lead.told.text,
                    Nanoseconds(the.lead.told.ns), WaitedText(the),
                    the.window.latest == nullptr
                        ? ""
                        : fmt::format(" for which {} waits", PendingDispatch(*the.window.latest)));
  }
  verdict.evidence.push_back(fmt::format("Quick messages took {} of the {}, slow ones {}.",
                                         Nanoseconds(quick_ns), Nanoseconds(the.window.length_ns()),
                                         Nanoseconds(the.window.slow_ns)));
  TellQuickCpu(the, &verdict);
  for (const WindowShare& share : the.window.slow) {
    const bool is_same = late > 0 && share.message->target == kinds[0].example->target &&
                         share.message->callback == kinds[0].example->callback &&
                         share.message->what == kinds[0].example->what;
    if (is_same && verdict.tokens.size() < kMaxNamed)
      verdict.tokens.push_back(share.message->token);
  }
  AddLate(the.window, &verdict);
  if (!verdict.tokens.empty()) verdict.token = verdict.tokens[0];
  return verdict;
}

Verdict JudgeEarlier(const Case& the) {
  const Window& window = the.window;
  const uint64_t running_ns = window.running_ns();
  const uint64_t earlier_ns = window.slow_ns - running_ns;
  Verdict verdict;
  verdict.kind = Kind::kEarlier;
  size_t count = 0;
  for (const WindowShare& share : window.slow) {
    count += share.is_running ? 0 : 1;
    if (share.is_running || verdict.tokens.size() == kMaxNamed) continue;
    verdict.tokens.push_back(share.message->token);
    verdict.evidence.push_back(
        fmt::format("{} took {} ({}, token {}).", MessageAndMethod(the.index, *share.message),
                    Nanoseconds(share.inside_ns), Share(share.inside_ns, window.length_ns()),
                    share.message->token));
  }
  verdict.token = verdict.tokens[0];
  if (const calltree::CallTree* tree = the.index.TreeOf(*verdict.token))
    verdict.culprit = FindCulprit(*tree, the.index.own(), false);
  verdict.sentence = fmt::format(
      "Earlier messages ate the time: {} that had ended took {} of the {} ({}) for which {}.",
      Counted(count, "slow message"), Nanoseconds(earlier_ns), WaitedText(the),
      Share(earlier_ns, window.length_ns()),
      fmt::format("{} waits", PendingDispatch(*window.latest)));
  if (the.index.document().running) {
    // Below a tenth it is hardly to blame.
    verdict.evidence.push_back(fmt::format(
        "The running message had taken {}: {}.", OfWindow(the, running_ns),
        running_ns * 10 < window.length_ns() ? "its stack is not the cause"
                                             : "its stack is a part of the cause only"));
  }
  return verdict;
}

Verdict JudgeUnexplained(const Case& the) {
  Verdict verdict;
  verdict.kind = Kind::kNotEnoughData;
  verdict.confidence = Confidence::kLow;
  const std::string& confirmed = the.index.document().trigger_confirmed;
  if (the.window.latest == nullptr) {
    verdict.sentence = fmt::format(
        "Not enough data: the dump was taken because of an ANR ({}), and no recorded message "
        "explains it.",
        text::Truncated(confirmed, 100));
  } else if (the.lead.told.cause == verdict::Cause::kOutside && IsIdleMostly(the)) {
    verdict.sentence = fmt::format(
        "Not enough data: message {}, and for {} of it the main thread had nothing to do: a "
        "synchronization barrier that was removed again may have held the queue back, or the "
        "message was posted for a time that had passed.",
        LateText(the.window), OfWindow(the, the.lead.told.ns));
  } else if (the.lead.told.cause == verdict::Cause::kOutside) {
    verdict.sentence = fmt::format(
        "Not enough data: message {}, and for {} of it the main thread was not in a message: it "
        "was in the loop's own code (its queue, a Printer), in idle handlers, input or native "
        "code, "
        "and nobody saw which.",
        LateText(the.window), OfWindow(the, the.lead.told.ns));
  } else {
    verdict.sentence =
        fmt::format("Not enough data: message {}, but the recorded messages explain only {} of it.",
                    LateText(the.window), Nanoseconds(the.window.busy_ns));
  }
  AddMainStack(the.index, &verdict);
  if (!the.index.IsSamplerOn())
    verdict.evidence.push_back(fmt::format("At the dump {}.", SamplerOff(the.index.document())));
  return verdict;
}

}  // namespace stillframe::rules
