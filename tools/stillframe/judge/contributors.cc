// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/contributors.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/units.h"

namespace stillframe::judge {
namespace {

using index::DumpIndex;
using index::Window;
using index::WindowShare;
using model::Message;

constexpr size_t kMaxContributors = 40;
constexpr size_t kMostTokens = 20;
constexpr size_t kMaxMethods = 5;

bool IsProcessWide(Cause cause) {
  return cause == Cause::kNoCpu || cause == Cause::kFrozen || cause == Cause::kRuntime ||
         cause == Cause::kOutside || cause == Cause::kBarrier || cause == Cause::kUnseen;
}

// Time not yet attributed. Callers take spans in order of their start; each moment is given once.
class FreeTime {
 public:
  explicit FreeTime(std::vector<TimeSpan> free) : free_(std::move(free)) {}

  uint64_t Take(const TimeSpan& span) {
    uint64_t taken_ns = 0;
    while (next_ < free_.size() && free_[next_].begin_ns < span.end_ns) {
      TimeSpan& free = free_[next_];
      if (free.begin_ns < span.begin_ns) {
        left_.push_back({free.begin_ns, std::min(free.end_ns, span.begin_ns)});
        free.begin_ns = left_.back().end_ns;
      }
      const uint64_t until_ns = std::min(free.end_ns, span.end_ns);
      if (until_ns > free.begin_ns) {
        taken_ns += until_ns - free.begin_ns;
        free.begin_ns = until_ns;
      }
      if (free.begin_ns < free.end_ns) break;
      ++next_;
    }
    return taken_ns;
  }

  // Time that no span took.
  std::vector<TimeSpan> Rest() && {
    for (; next_ < free_.size(); ++next_) left_.push_back(free_[next_]);
    return std::move(left_);
  }

 private:
  std::vector<TimeSpan> free_;
  std::vector<TimeSpan> left_;
  size_t next_ = 0;
};

TimeSpan Clipped(const TimeSpan& span, const Window& window) {
  const uint64_t begin_ns = std::clamp(span.begin_ns, window.begin_ns, window.end_ns);
  return {begin_ns, std::clamp(span.end_ns, begin_ns, window.end_ns)};
}

TimeSpan SpanOf(const model::HistoryRecord& record) {
  return {record.start_ns,
          record.start_ns + std::min(record.span_ns, UINT64_MAX - record.start_ns)};
}

// Attributes each stack's time to its innermost method of the application, else to its innermost
// method. Largest first.
std::vector<std::pair<uint64_t, index::MethodId>> OwnTimes(const index::CallTree& tree,
                                                           const index::OwnCode& own) {
  std::vector<index::MethodId> of_node(tree.nodes().size(), index::kNone);
  std::vector<std::pair<uint64_t, index::MethodId>> times(tree.methods().size());
  std::vector<bool> is_own;
  for (index::MethodId id = 0; id < times.size(); ++id) {
    const index::Method& method = tree.methods()[id];
    times[id].second = id;
    is_own.push_back(!method.is_truncation && own.Has(tree.ClassName(id)) &&
                     !index::IsGlue(tree.ClassName(id), tree.frames().String(method.method_name)));
  }
  for (uint32_t i = 1; i < tree.nodes().size(); ++i) {
    const index::CallNode& node = tree.nodes()[i];
    of_node[i] = is_own[node.method] ? node.method : of_node[node.parent];
    times[of_node[i] == index::kNone ? node.method : of_node[i]].first += node.self_us;
  }
  std::erase_if(
      times, [&tree](const auto& time) { return tree.methods()[time.second].is_truncation; });
  std::stable_sort(times.begin(), times.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  return times;
}

class WindowDivider {
 public:
  WindowDivider(const DumpIndex& index, const Window& window)
      : index_(index), window_(window), frozen_(FrozenSpans(index.document())) {}

  Ranking Divide() {
    free_ = {{window_.begin_ns, window_.end_ns}};
    TakeSlowMessages();
    TakeRecords(model::SpanKind::kFrozen, Cause::kFrozen);
    TakeQuickMessages();
    TakeRecords(model::SpanKind::kOutside, Cause::kOutside);
    TakeRecords(model::SpanKind::kBlind, Cause::kUnseen);
    TakeRecords(model::SpanKind::kIdle, Cause::kOutside);
    for (const TimeSpan& span : free_)
      AddOutside(IsSinceLastMessage(span) ? Cause::kOutside : Cause::kUnseen, span);
    return Ranked();
  }

 private:
  // Cause, and what distinguishes contributions of one cause.
  using Key = std::tuple<Cause, PartKey, std::string, std::string, int64_t>;

  Contribution& At(const Key& key) {
    Contribution& entry = entries_[key];
    entry.contributor.cause = std::get<0>(key);
    return entry;
  }
  // For causes whose contributions are all one row.
  void Add(Cause cause, uint64_t ns) {
    if (ns > 0) At({cause, {}, "", "", 0}).contributor.ns += ns;
  }

  Key KeyOf(const Attribution::Part& part, const Message& message) const {
    const Cause cause = part.cause;
    if (IsProcessWide(cause)) return {cause, {}, "", "", 0};
    if (cause == Cause::kLock && part.part_key.owner.is_known())
      return {cause, part.part_key, "", "", 0};
    const std::string& who = model::CallbackOrMethod(message);
    const bool is_known = !message.target.empty() || !who.empty();
    if (index_.IsRunning(message) || !is_known)
      return {cause, part.part_key, "token", std::to_string(NumberOf(message.token)), 0};
    return {cause, part.part_key, message.target, part.part_key.handler.empty() ? who : "",
            message.what};
  }

  void TakeSlowMessages() {
    std::vector<const WindowShare*> in_order;
    for (const WindowShare& share : window_.slow) in_order.push_back(&share);
    std::stable_sort(in_order.begin(), in_order.end(),
                     [](const WindowShare* a, const WindowShare* b) {
                       return a->message->start_ns < b->message->start_ns;
                     });
    FreeTime free(std::move(free_));
    std::vector<std::pair<const Message*, uint64_t>> taken;
    taken.reserve(in_order.size());
    for (const WindowShare* share : in_order)
      taken.emplace_back(share->message,
                         free.Take(Clipped(judge::SpanOf(*share->message), window_)));
    free_ = std::move(free).Rest();
    std::stable_sort(taken.begin(), taken.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [message, ns] : taken) AddMessage(*message, ns);
  }

  void AddMessage(const Message& message, uint64_t taken_ns) {
    const TimeSpan inside = Clipped(judge::SpanOf(message), window_);
    uint64_t left_ns = taken_ns;
    const Attribution& parts =
        ranking_.attributions.emplace_back(Attribute(index_, message, inside, frozen_));
    for (uint32_t i = 0; i < parts.parts.size(); ++i) {
      const Attribution::Part& part = parts.parts[i];
      const uint64_t ns = i + 1 == parts.parts.size()
                              ? left_ns
                              : index::Scaled(part.ns, taken_ns, inside.length_ns());
      left_ns -= ns;
      if (ns == 0) continue;
      Contribution& to = At(KeyOf(part, message));
      ++to.contributor.messages;
      to.contributor.ns += ns;
      to.part_key = part.part_key;
      to.contributor.owner = part.part_key.owner;
      to.sources.push_back({&parts, i});
      if (to.contributor.tokens.size() < kMostTokens)
        to.contributor.tokens.push_back(message.token);
      if (ns <= to.message_ns) continue;
      to.message = &message;
      to.message_ns = ns;
    }
  }

  void TakeRecords(model::SpanKind kind, Cause cause) {
    const auto is_wanted = [kind](const auto& record) { return record.kind == kind; };
    for (const auto& [record, span] : TakenBy(is_wanted)) AddOutside(cause, span);
  }

  // Free time that the main Looper's records take, each as a span of that length.
  template <typename IsWanted>
  std::vector<std::pair<const model::HistoryRecord*, TimeSpan>> TakenBy(const IsWanted& is_wanted) {
    std::vector<const model::HistoryRecord*> in_order;
    for (const model::HistoryRecord& record : index_.document().records)
      if (record.looper == 0 && is_wanted(record)) in_order.push_back(&record);
    std::stable_sort(in_order.begin(), in_order.end(),
                     [](const auto* a, const auto* b) { return a->start_ns < b->start_ns; });
    FreeTime free(std::move(free_));
    std::vector<std::pair<const model::HistoryRecord*, TimeSpan>> taken;
    for (const model::HistoryRecord* record : in_order) {
      const TimeSpan span = Clipped(SpanOf(*record), window_);
      if (const uint64_t ns = free.Take(span); ns > 0)
        taken.push_back({record, {span.end_ns - ns, span.end_ns}});
    }
    free_ = std::move(free).Rest();
    return taken;
  }

  void TakeQuickMessages() {
    for (const auto& [record, span] : TakenBy([](const model::HistoryRecord& candidate) {
           return candidate.kind != model::SpanKind::kFrozen &&
                  candidate.kind != model::SpanKind::kIdle &&
                  candidate.kind != model::SpanKind::kLost && candidate.messages > 0;
         })) {
      const uint64_t ns = span.length_ns();
      const uint64_t work_ns = std::min(ns, index::Scaled(record->wall_ns, ns, record->span_ns));
      Contribution& entry = At({Cause::kQuick, {}, record->target, record->callback, record->what});
      entry.contributor.ns += work_ns;
      entry.contributor.messages += record->messages;
      if (!record->target.empty() || !record->callback.empty())
        entry.contributor.message = index::DispatchOf(*record);
      if (work_ns < ns) AddOutside(Cause::kOutside, {span.end_ns - (ns - work_ns), span.end_ns});
    }
  }

  // For a process that records messages: nothing ran between this span and the dump.
  bool IsSinceLastMessage(const TimeSpan& span) const {
    const model::Document& document = index_.document();
    return !document.running && document.damage.empty() && !document.records.empty() &&
           span.end_ns == document.taken_monotonic_ns;
  }

  // Adds time without a message. The part behind a sync barrier goes to the barrier.
  void AddOutside(Cause cause, const TimeSpan& span) {
    uint64_t held_ns = 0;
    if (cause != Cause::kFrozen && window_.barrier_since_ns != 0) {
      const uint64_t begin_ns = std::max(span.begin_ns, window_.barrier_since_ns);
      held_ns = span.end_ns - std::min(begin_ns, span.end_ns);
    }
    Add(Cause::kBarrier, held_ns);
    Add(cause, span.length_ns() - held_ns);
  }

  Ranking Ranked() {
    ranking_.length_ns = window_.length_ns();
    for (auto& [key, entry] : entries_) {
      if (entry.contributor.ns == 0) continue;
      entry.tree = TreeOf(index_, entry.sources);
      if (entry.tree) ranking_.helpers.Add(*entry.tree, index_.own());
      ranking_.list.push_back(std::move(entry));
    }
    for (Contribution& entry : ranking_.list) Describe(&entry);
    std::stable_sort(ranking_.list.begin(), ranking_.list.end(),
                     [](const Contribution& a, const Contribution& b) {
                       return a.contributor.ns > b.contributor.ns;
                     });
    FoldSmallest(&ranking_);
    return std::move(ranking_);
  }

  void Describe(Contribution* entry) const {
    judge::Contributor& contributor = entry->contributor;
    if (entry->message != nullptr) {
      const Message& message = *entry->message;
      index::Dispatch& dispatch = contributor.message.emplace(index_.DispatchFor(message));
      contributor.is_running = index_.IsRunning(message);
      contributor.has_ended = !contributor.is_running;
      if (!entry->part_key.handler.empty()) {
        dispatch.segment = {model::SegmentKind::kIdleHandler, entry->part_key.handler};
        contributor.has_ended =
            contributor.has_ended ||
            entry->part_key.handler !=
                index::NewestIdleHandler(index_.document().frames, index_.TraceOf(message.token));
      }
      if (entry->part_key.is_before_loop &&
          dispatch.segment.kind != model::SegmentKind::kBeforeLoop) {
        dispatch.segment = {model::SegmentKind::kBeforeLoop};
        contributor.has_ended = true;
      }
      contributor.lost_stacks = message.samples > 0 && index_.TraceOf(message.token) == nullptr;
    }
    if (!entry->tree) return;
    const index::CallTree* tree = &*entry->tree;
    contributor.stacks_us = tree->sampled_us();
    contributor.unsampled_us = tree->root().total_us - contributor.stacks_us;
    contributor.state = index::DominantState(tree->root().state_us);
    if (IsCovered(contributor))
      contributor.place = FindCulprit(*tree, index_.own(), ranking_.helpers,
                                      (entry->message->flags & model::kMessageNested) != 0,
                                      IsOutside(contributor.cause));
    for (const auto& [us, id] : OwnTimes(*tree, index_.own())) {
      if (us == 0 || contributor.methods.size() == kMaxMethods) break;
      contributor.methods.push_back({tree->NameOf(id, 200), tree->PlaceOf(id), us});
    }
  }

  // Too few stacks say nothing about the remaining time. Work needs less, because the list shows
  // the covered part.
  static bool IsCovered(const judge::Contributor& contributor) {
    const uint64_t percent = contributor.cause == Cause::kWork ? 20 : 50;
    return contributor.stacks_us > 0 && contributor.stacks_us * 100'000 >= contributor.ns * percent;
  }

  static void FoldSmallest(Ranking* ranking) {
    if (ranking->list.size() <= kMaxContributors) return;
    Contribution rest;
    rest.contributor.cause = Cause::kWork;
    rest.contributor.folded = ranking->list.size() - (kMaxContributors - 1);
    for (size_t i = kMaxContributors - 1; i < ranking->list.size(); ++i)
      rest.contributor.ns += ranking->list[i].contributor.ns;
    ranking->list.resize(kMaxContributors - 1);
    const auto place = std::find_if(
        ranking->list.begin(), ranking->list.end(),
        [&](const Contribution& entry) { return entry.contributor.ns < rest.contributor.ns; });
    // Never first, since it is not a single contributor.
    ranking->list.insert(place == ranking->list.begin() ? place + 1 : place, std::move(rest));
  }

  const DumpIndex& index_;
  const Window& window_;
  std::vector<TimeSpan> frozen_;
  std::vector<TimeSpan> free_;
  std::map<Key, Contribution> entries_;
  Ranking ranking_;
};

}  // namespace

bool Contribution::HasMessage() const {
  return message != nullptr && !IsProcessWide(contributor.cause);
}

uint64_t Ranking::NsOf(Cause cause) const {
  uint64_t ns = 0;
  for (const Contribution& entry : list)
    ns += entry.contributor.cause == cause ? entry.contributor.ns : 0;
  return ns;
}

Ranking RankContributors(const DumpIndex& index, const Window& window) {
  return WindowDivider(index, window).Divide();
}

}  // namespace stillframe::judge
