// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/rules/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/index/window.h"
#include "tools/stillframe/rules/message_verdict.h"
#include "tools/stillframe/rules/rules.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::rules {
namespace {

using calltree::CallTree;
using index::DumpIndex;
using index::Window;
using model::Message;
using verdict::Cause;
using verdict::Confidence;
using verdict::Kind;
using verdict::Verdict;

// Samples that lack names or callers.

bool HasOverflows(const model::Document& document) {
  return std::ranges::any_of(
      document.counters,
      [](const model::NamedCount& counter) {
        return counter.name == "frame_table_overflows" && counter.value != 0;
      });
}

// A full table leaves out class or method, or stands in for the whole frame.
bool IsNameless(const CallTree& tree, const calltree::Method& method) {
  const trace::FrameTable& frames = tree.frames();
  const bool lacks_text =
      frames.String(method.class_name).empty() || frames.String(method.method_name).empty();
  return method.is_truncation
             ? frames.String(method.method_name) == frames.MethodName(trace::kOverflowFrame)
             : lacks_text;
}

uint64_t NamelessUs(const CallTree& tree) {
  uint64_t sum_us = 0;
  std::vector<bool> is_inside(tree.nodes().size());
  for (size_t i = 1; i < tree.nodes().size(); ++i) {
    const calltree::CallNode& node = tree.nodes()[i];
    const bool is_caller_nameless = is_inside[node.parent];
    is_inside[i] = is_caller_nameless || IsNameless(tree, tree.methods()[node.method]);
    if (is_inside[i] && !is_caller_nameless) sum_us += node.total_us;
  }
  return sum_us;
}

// What is below frames that stand for callers who are not known; `why` is the largest's text.
uint64_t CutUs(const CallTree& tree, std::string* why) {
  uint64_t sum_us = 0;
  uint64_t largest_us = 0;
  for (uint32_t child = tree.root().first_child; child != calltree::kNone;
       child = tree.nodes()[child].next_sibling) {
    const calltree::CallNode& node = tree.nodes()[child];
    const calltree::Method& method = tree.methods()[node.method];
    if (!method.is_truncation || IsNameless(tree, method)) continue;
    sum_us += node.total_us;
    if (node.total_us <= largest_us) continue;
    largest_us = node.total_us;
    *why = tree.NameOf(node.method, 100);
  }
  return sum_us;
}

// Says where the outermost frames of the message that is judged are missing: the application's own
// may be among them.
void TellCutStacks(const index::DumpIndex& index, verdict::Verdict* verdict) {
  const CallTree* tree = verdict->token ? index.TreeOf(*verdict->token) : nullptr;
  if (tree == nullptr) return;
  std::string why;
  const uint64_t cut_us = CutUs(*tree, &why);
  const uint64_t whole_us = tree->root().total_us;
  if (cut_us * 10 < whole_us || cut_us == 0) return;
  verdict->evidence.push_back(
      fmt::format("Who called it is not known for {} of {} ({}): {}.", calltree::DurationUs(cut_us),
                  calltree::DurationUs(whole_us), calltree::Share(cut_us, whole_us), why));
}

// Says how much of the time that `verdict` is about went through methods without names; where that
// is half of it or more, nothing that rests on methods is more than a guess.
void TellMissingNames(const index::DumpIndex& index, verdict::Verdict* verdict) {
  if (!HasOverflows(index.document())) return;
  uint64_t nameless_us = 0;
  uint64_t whole_us = 0;
  for (const uint64_t token : verdict->tokens) {
    const CallTree* tree = index.TreeOf(token);
    if (tree == nullptr) continue;
    nameless_us += NamelessUs(*tree);
    whole_us += tree->root().total_us;
  }
  if (nameless_us == 0) return;
  verdict->evidence.push_back(
      fmt::format("The process's table of names was full: {} of {} ({}) went through methods that "
                  "have no name here.",
                  calltree::DurationUs(nameless_us), calltree::DurationUs(whole_us),
                  calltree::Share(nameless_us, whole_us)));
  const bool rests_on_methods = verdict->culprit.has_value() || verdict->kind == Kind::kSpread;
  if (rests_on_methods && nameless_us * 2 >= whole_us) verdict->confidence = Confidence::kLow;
}

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

// The largest contributor, where the owners of one message's locks count together: of them the
// largest then.
const Contribution& LargestOf(const Ranking& ranking) {
  const auto is_lock = [](const Contribution& entry) { return entry.told.cause == Cause::kLock; };
  const Contribution& first = ranking.list.front();
  const auto lock = std::ranges::find_if(ranking.list, is_lock);
  if (lock == ranking.list.end()) return first;
  uint64_t locks_ns = 0;
  for (const Contribution& entry : ranking.list)
    if (is_lock(entry) && entry.told.tokens == lock->told.tokens) locks_ns += entry.told.ns;
  return locks_ns > first.told.ns ? *lock : first;
}

bool IsOfAllMessages(Cause cause) {
  return cause == Cause::kNoCpu || cause == Cause::kFrozen || cause == Cause::kRuntime;
}

// What was done to all messages together is compared with what all those that had ended did.
const Contribution& LargestOfAll(const Ranking& ranking, bool is_late) {
  const Contribution& first = LargestOf(ranking);
  const auto has_ended = [](const Contribution& entry) {
    return entry.IsOfMessages() && !entry.told.is_running;
  };
  const auto ended = std::ranges::find_if(ranking.list, has_ended);
  if (!is_late || !IsOfAllMessages(first.told.cause) || ended == ranking.list.end()) return first;
  uint64_t ended_ns = 0;
  uint64_t running_ns = 0;
  for (const Contribution& entry : ranking.list) {
    ended_ns += has_ended(entry) ? entry.told.ns : 0;
    if (entry.told.is_running) running_ns = std::max(running_ns, entry.told.ns);
  }
  return ended_ns > std::max(first.told.ns, running_ns) ? *ended : first;
}

// What was not seen goes behind what was, as long as that is a tenth.
const Contribution& LeadOf(const Ranking& ranking, bool is_late) {
  const Contribution& first = LargestOfAll(ranking, is_late);
  const bool has_other = first.told.cause == Cause::kUnseen && ranking.list.size() > 1 &&
                         ranking.list[1].told.ns * 10 >= ranking.length_ns;
  return has_other ? ranking.list[1] : first;
}

// The running message, if it ran for long and nobody is known to wait; else the longest.
const Message* SubjectOf(const DumpIndex& index, const Message* longest) {
  const std::optional<Message>& running = index.document().running;
  return running && running->wall_ns >= kLongNs ? &*running : longest;
}

const Message* LongestOrphan(const DumpIndex& index) {
  const Message* longest = nullptr;
  for (const auto& [token, orphan] : index.orphans())
    if (longest == nullptr || orphan.wall_ns > longest->wall_ns) longest = &orphan;
  return longest;
}

Verdict JudgeLeadMessage(const Case& the) {
  const Contribution& lead = the.lead;
  if (the.window.latest != nullptr && !lead.told.is_running) return JudgeEarlier(the);
  Verdict verdict = JudgeMessage(the.index, *lead.message, lead.told.cause, lead.whose);
  if (the.window.latest != nullptr)
    verdict.evidence.push_back(fmt::format("Message {}.", LateText(the.window)));
  return verdict;
}

// Nothing that is recorded tells whose the time was.
Verdict JudgeUnseen(const Case& the) {
  const Message* orphan = LongestOrphan(the.index);
  if (the.lead.told.cause == Cause::kUnseen && IsFlooded(the.index)) return JudgeQuick(the);
  if (orphan == nullptr || orphan->wall_ns < index::kNotableNs) return JudgeUnexplained(the);
  Verdict verdict = JudgeMessage(the.index, *orphan);
  verdict.confidence = Confidence::kLow;
  return verdict;
}

Verdict JudgeLead(const Case& the) {
  const Cause cause = the.lead.told.cause;
  if (cause == Cause::kFrozen) return JudgeFrozen(the);
  if (cause == Cause::kBarrier) return JudgeBarrier(the);
  if (MaybeVerdict memory = JudgeMemory(the)) return *std::move(memory);
  switch (cause) {
    case Cause::kNoCpu: return JudgeStarved(the);
    case Cause::kRuntime: return JudgeRuntime(the);
    case Cause::kQuick: return JudgeQuick(the);
    case Cause::kOutside:
    case Cause::kUnseen: return JudgeUnseen(the);
    default: return JudgeLeadMessage(the);
  }
}

Verdict JudgeWithoutMessages(const Case& the) {
  MaybeVerdict waiting = JudgeWaitOutside(the.index);
  return waiting ? *std::move(waiting) : JudgeUnexplained(the);
}

Verdict JudgeByRules(const DumpIndex& index) {
  if (MaybeVerdict unwatched = JudgeWatching(index)) return *std::move(unwatched);
  const Message* longest = PickMessage(index);
  const Window window = index::WindowOf(index, SubjectOf(index, longest));
  Ranking ranking = RankContributors(index, window);
  const bool is_notable = longest != nullptr && longest->wall_ns >= index::kNotableNs;
  const bool is_asked_for = !index.document().trigger_confirmed.empty();
  if (window.latest == nullptr && !is_notable && !is_asked_for) return NothingSlow(index, longest);
  if (ranking.list.empty()) ranking.list.emplace_back();  // the time of the dump is not known
  const Case the = {index, window, ranking, LeadOf(ranking, window.latest != nullptr)};
  Verdict verdict = window.latest == nullptr && !is_notable         ? JudgeWithoutMessages(the)
                    : window.length_ns() == 0 && longest != nullptr ? JudgeMessage(index, *longest)
                                                                    : JudgeLead(the);
  TellMemory(the, &verdict);
  TellContributors(the, &verdict);
  TellAnr(index, window, &verdict);
  return verdict;
}

}  // namespace

Verdict Judge(const DumpIndex& index) {
  Verdict verdict = JudgeByRules(index);
  TellMissingNames(index, &verdict);
  TellCutStacks(index, &verdict);
  return verdict;
}

}  // namespace stillframe::rules
