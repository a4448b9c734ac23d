// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/judge.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/judge/anr_kind.h"
#include "tools/stillframe/judge/case.h"
#include "tools/stillframe/judge/lead.h"
#include "tools/stillframe/judge/lock_owner.h"
#include "tools/stillframe/judge/missing_frames.h"
#include "tools/stillframe/judge/other_threads.h"
#include "tools/stillframe/judge/wait_chain.h"

namespace stillframe::judge {

namespace {

using index::CallTree;
using index::DumpIndex;
using index::Window;
using index::WindowShare;
using model::Message;

constexpr uint64_t kRecentNs = 30'000'000'000;  // may have led to an ANR: the last 30 s
constexpr int64_t kLongNs = 1'000'000'000;      // running longer: blamed itself
constexpr size_t kFlood = 50;                   // late messages, at least
constexpr uint64_t kNamedPercent = 20;
constexpr size_t kMaxTokens = 8;
// Thresholds of the confidence score: the share of what the verdict names, plus half of the other
// known time, minus a quarter of the unrecorded time.
constexpr double kHigh = 0.4;
constexpr double kMedium = 0.2;

double PartOf(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// The longest message of the last 30 s, one with a tree before one without. If there is none in
// these 30 s, the longest of all by the same order.
const Message* PickMessage(const DumpIndex& index) {
  const model::Document& document = index.document();
  const Message* best = nullptr;
  const auto rank = [&](const Message& message) {
    const uint64_t end_ns =
        message.start_ns + static_cast<uint64_t>(std::max<int64_t>(message.wall_ns, 0));
    return std::tuple(end_ns + kRecentNs >= document.taken_monotonic_ns,
                      index.TreeOf(message.token) != nullptr, message.wall_ns);
  };
  const auto consider = [&](const Message& message) {
    const bool is_slow =
        message.wall_ns >= index.slow_ns() || index.TreeOf(message.token) != nullptr;
    if (is_slow && message.looper == 0 && (best == nullptr || rank(message) >= rank(*best)))
      best = &message;
  };
  std::ranges::for_each(document.history, consider);
  for (const auto& [token, orphan] : index.orphans()) consider(orphan);
  if (document.running) consider(*document.running);
  return best;
}

const Message* LongestOrphan(const DumpIndex& index) {
  const Message* longest = nullptr;
  for (const auto& [token, orphan] : index.orphans())
    if (longest == nullptr || orphan.wall_ns > longest->wall_ns) longest = &orphan;
  return longest;
}

// Late messages of the queue by kind, most frequent first.
std::vector<std::pair<size_t, const model::PendingMessage*>> LateKinds(const DumpIndex& index,
                                                                       size_t* late) {
  std::map<std::tuple<std::string_view, std::string_view, int32_t>,
           std::pair<size_t, const model::PendingMessage*>>
      kinds;
  *late = 0;
  for (const model::PendingMessage& message : index.document().pending) {
    if (message.is_barrier || message.delay_ms >= 0) continue;
    auto& [count, example] = kinds[{message.target, message.callback, message.what}];
    example = &message;
    ++count;
    ++*late;
  }
  std::vector<std::pair<size_t, const model::PendingMessage*>> sorted;
  sorted.reserve(kinds.size());
  for (const auto& [names, kind] : kinds) sorted.push_back(kind);
  std::ranges::stable_sort(sorted, std::greater<>(), [](const auto& kind) { return kind.first; });
  return sorted;
}

bool IsFlooded(const DumpIndex& index) {
  size_t late = 0;
  LateKinds(index, &late);
  return late >= kFlood;
}

void ExplainFlood(const Case& facts, Verdict* verdict) {
  verdict->kind = Kind::kFlood;
  verdict->named_ns = facts.ranking.NsOf(Cause::kQuick);
  for (const Contribution& row : facts.ranking.list)
    if (row.contributor.cause == Cause::kQuick) verdict->messages += row.contributor.messages;
  size_t late = 0;
  const auto kinds = LateKinds(facts.index, &late);
  verdict->late_messages = late;
  verdict->evidence.push_back(
      evidence::QuickAndSlow{.quick_ns = verdict->named_ns, .slow_ns = facts.window.slow_ns});
  for (size_t i = 0; i < std::min<size_t>(kinds.size(), 3) && late >= kFlood; ++i)
    verdict->evidence.push_back(
        evidence::Late{.message = index::PendingDispatch(*kinds[i].second),
                       .messages = kinds[i].first,
                       .all_messages = late,
                       .queued = facts.index.document().pending_total,
                       .has_more = facts.index.document().pending_is_truncated});
  for (const WindowShare& share : facts.window.slow) {
    const bool is_same = !kinds.empty() && late >= kFlood &&
                         share.message->target == kinds[0].second->target &&
                         model::CallbackOrMethod(*share.message) == kinds[0].second->callback &&
                         share.message->what == kinds[0].second->what;
    if (is_same && verdict->tokens.size() < 5) verdict->tokens.push_back(share.message->token);
  }
  if (!verdict->tokens.empty()) verdict->token = verdict->tokens[0];
  // Runs of quick messages do not record more: they may have waited or lacked a CPU.
  uint64_t wall_ns = 0;
  uint64_t cpu_ns = 0;
  for (const model::HistoryRecord& record : facts.index.document().records) {
    const bool is_quick = record.kind == model::SpanKind::kQuick && record.looper == 0;
    if (!is_quick || record.cpu_ns < 0 || facts.window.Inside(record.start_ns, record.span_ns) == 0)
      continue;
    wall_ns += record.wall_ns;
    cpu_ns += static_cast<uint64_t>(record.cpu_ns);
  }
  if (wall_ns == 0 || cpu_ns * 4 >= wall_ns * 3) return;
  verdict->evidence.push_back(evidence::QuickCpu{{.ns = cpu_ns, .of_ns = wall_ns}});
  Limit(Confidence::kMedium, ConfidenceReason::kEstimate, verdict);
}

void ExplainBarrier(const Case& facts, Verdict* verdict) {
  const model::Document& document = facts.index.document();
  verdict->kind = Kind::kLeakedBarrier;
  verdict->named_ns = document.taken_monotonic_ns - facts.window.barrier_since_ns;
  // A barrier older than the window gets all of the window.
  verdict->named_ns =
      std::min(verdict->named_ns, std::max(facts.window.length_ns(), facts.lead.contributor.ns));
  verdict->late_messages = static_cast<uint64_t>(
      std::ranges::count_if(document.pending, [](const model::PendingMessage& message) {
        return !message.is_barrier && !message.is_asynchronous && message.delay_ms < 0;
      }));
  verdict->evidence.push_back(
      evidence::Idle{{.ns = facts.lead.contributor.ns, .of_ns = facts.window.length_ns()}});
}

void AddStarved(const Case& facts, Verdict* verdict) {
  verdict->kind = Kind::kStarved;
  for (const WindowShare& share : facts.window.slow) {
    bool is_exact = false;
    if (index::StarvedNs(facts.index, *share.message, &is_exact) > 0 && !is_exact)
      Limit(Confidence::kMedium, ConfidenceReason::kEstimate, verdict);
  }
  AddRivals(facts, verdict);
}

void AddFrozenTime(const Case& facts, Verdict* verdict) {
  verdict->kind = Kind::kProcessFrozen;
  uint64_t recorded_ns = 0;
  for (const TimeSpan& span : FrozenSpans(facts.index.document()))
    recorded_ns += facts.window.Inside(span.begin_ns, span.length_ns());
  const bool is_recorded = recorded_ns * 2 >= facts.lead.contributor.ns;
  if (is_recorded) {
    verdict->evidence.push_back(evidence::NothingRan());
    verdict->confidence_reason = ConfidenceReason::kCertain;
  } else {
    verdict->evidence.push_back(evidence::ClockStood());
    Limit(Confidence::kMedium, ConfidenceReason::kEstimate, verdict);
  }
}

void AddRuntime(const Case& facts, Verdict* verdict) {
  verdict->kind = Kind::kRuntimeWait;
  const model::ThreadState state = facts.lead.contributor.state;
  if (state != model::ThreadState::kWaitingForGc && state != model::ThreadState::kCollecting)
    Limit(Confidence::kMedium, ConfidenceReason::kEstimate, verdict);
  AddCollections(facts.index.document(), verdict);
}

// The window's slow messages, costliest first.
void AddSlowMessages(const Case& facts, bool has_running, size_t most, Verdict* verdict) {
  size_t listed = 0;
  for (const WindowShare& share : facts.window.slow) {
    if (share.is_running && !has_running) continue;
    if (verdict->tokens.size() < 5) verdict->tokens.push_back(share.message->token);
    if (++listed > most) continue;
    verdict->evidence.push_back(evidence::SlowMessage{
        .message = index::DispatchText(facts.index.DispatchFor(*share.message)),
        .time = {.ns = share.inside_ns, .of_ns = facts.window.length_ns()},
        .token = share.message->token});
  }
  if (!verdict->tokens.empty()) verdict->token = verdict->tokens[0];
}

void ExplainEarlier(const Case& facts, Verdict* verdict) {
  const Window& window = facts.window;
  const uint64_t running_ns = window.running_ns();
  verdict->kind = Kind::kEarlier;
  verdict->culprit = facts.lead.contributor.place;
  verdict->samples = facts.tree != nullptr ? facts.tree->root().samples : 0;
  verdict->messages =
      static_cast<uint64_t>(std::ranges::count(window.slow, false, &WindowShare::is_running));
  AddSlowMessages(facts, false, 3, verdict);
  const uint64_t earlier_ns = window.slow_ns - running_ns;
  const bool is_one = facts.lead.contributor.ns * 2 >= earlier_ns;
  verdict->named_ns = is_one ? TimeOfPlace(facts.lead.contributor) : earlier_ns;
  if (!is_one) verdict->lead_reason = LeadReason::kTogether;
  if (facts.lead.contributor.owner.is_known() && is_one)
    AddOwnerOfPast(facts, *facts.lead.message, facts.lead.contributor.owner, verdict);
  if (facts.index.document().running)
    verdict->evidence.push_back(evidence::Running{{.ns = running_ns, .of_ns = window.length_ns()}});
}

// The main thread's frame if no message runs and the Signal Catcher saw it outside the poll. Else
// "".
std::string MainFrameOutside(const DumpIndex& index) {
  const model::Document& document = index.document();
  return document.running || !document.signal_catcher ? ""
                                                      : MainFrame(document.signal_catcher->text);
}

void ExplainUnexplained(const Case& facts, Verdict* verdict) {
  verdict->kind = Kind::kNotEnoughData;
  Limit(Confidence::kLow, ConfidenceReason::kUnseen, verdict);
  const std::string frame = MainFrameOutside(facts.index);
  uint64_t idle_ns = 0;
  for (const model::HistoryRecord& record : facts.index.document().records)
    if (record.looper == 0 && record.kind == model::SpanKind::kIdle)
      idle_ns += facts.window.Inside(record.start_ns, record.span_ns);
  verdict->is_idle = facts.lead.contributor.cause == Cause::kOutside &&
                     facts.window.latest != nullptr && frame.empty() &&
                     idle_ns * 10 >= facts.lead.contributor.ns * 8;
  if (!frame.empty()) verdict->evidence.push_back(evidence::MainAt{frame});
}

void ExplainLead(const Case& facts, Verdict* verdict) {
  const Cause cause = facts.lead.contributor.cause;
  if (cause == Cause::kFrozen) return AddFrozenTime(facts, verdict);
  if (cause == Cause::kBarrier) return ExplainBarrier(facts, verdict);
  if (IsShortOfMemory(facts)) {
    verdict->kind = Kind::kShortOfMemory;
    verdict->named_ns = facts.window.slow_ns;
    verdict->lead_reason = LeadReason::kSystem;
    return Limit(Confidence::kMedium, ConfidenceReason::kEstimate, verdict);
  }
  switch (cause) {
    case Cause::kNoCpu: return AddStarved(facts, verdict);
    case Cause::kRuntime: return AddRuntime(facts, verdict);
    case Cause::kQuick: return ExplainFlood(facts, verdict);
    case Cause::kUnseen:
      return IsFlooded(facts.index) ? ExplainFlood(facts, verdict)
                                    : ExplainUnexplained(facts, verdict);
    case Cause::kOutside: return ExplainUnexplained(facts, verdict);
    default: break;
  }
  if (facts.window.latest != nullptr && !facts.lead.contributor.is_running)
    return ExplainEarlier(facts, verdict);
  ExplainMessage(facts, verdict);
}

// The row counts as explained for the confidence, even if the sentence names another row.
bool CountsAsNamed(const Contribution& row, const Case& facts, Kind kind) {
  if (std::ranges::find(facts.named, &row) != facts.named.end()) return true;
  return (kind == Kind::kEarlier && HasEnded(row)) ||
         (kind == Kind::kFlood && row.contributor.cause == Cause::kQuick) ||
         (kind == Kind::kShortOfMemory && row.message != nullptr);
}

void LimitByShare(const Case& facts, Verdict* verdict) {
  uint64_t named_ns = 0;
  uint64_t known_ns = 0;
  for (const Contribution& row : facts.ranking.list) {
    const Cause cause = row.contributor.cause;
    if (CountsAsNamed(row, facts, verdict->kind))
      named_ns += row.contributor.ns;
    else if (cause != Cause::kUnseen && cause != Cause::kOutside && cause != Cause::kStill)
      known_ns += row.contributor.ns;
  }
  const uint64_t length_ns = facts.ranking.length_ns;
  const double nameless = verdict->culprit && facts.tree != nullptr ? NamelessPart(*facts.tree) : 0;
  const double level = PartOf(named_ns, length_ns) * (1 - nameless) +
                       PartOf(known_ns, length_ns) / 2 -
                       PartOf(facts.ranking.NsOf(Cause::kUnseen), length_ns) / 4;
  if (level < kHigh)
    Limit(level < kMedium ? Confidence::kLow : Confidence::kMedium, ConfidenceReason::kSmallShare,
          verdict);
}

// Adds the list, the leading row and the messages of all rows that the sentence names.
void AddContributors(const Case& facts, Verdict* verdict) {
  const bool is_of_messages =
      verdict->kind != Kind::kShortOfMemory && verdict->kind != Kind::kNotEnoughData;
  for (const Contribution& row : facts.ranking.list) {
    verdict->contributors.push_back(row.contributor);
    judge::Contributor& contributor = verdict->contributors.back();
    const bool is_lead = &row == &facts.lead && is_of_messages &&
                         (verdict->kind != Kind::kFlood || row.contributor.cause == Cause::kQuick);
    if (is_lead) verdict->lead = verdict->contributors.size() - 1;
    const bool is_with_it = is_of_messages && verdict->kind != Kind::kEarlier &&
                            std::ranges::find(facts.named, &row) != facts.named.end();
    contributor.is_named =
        is_lead || is_with_it ||
        (verdict->kind == Kind::kFlood && row.contributor.cause == Cause::kQuick);
    if (contributor.is_named || !row.HasMessage() ||
        row.contributor.ns * 100 < facts.ranking.length_ns * kNamedPercent)
      continue;
    for (const Token token : row.contributor.tokens)
      if (verdict->tokens.size() < kMaxTokens &&
          std::ranges::find(verdict->tokens, token) == verdict->tokens.end())
        verdict->tokens.push_back(token);
  }
  if (facts.named.size() > 1 && verdict->kind != Kind::kEarlier)
    verdict->lead_reason = LeadReason::kTogether;
  if (verdict->lead && *verdict->lead != 0 && verdict->lead_reason == LeadReason::kFirstRow)
    verdict->lead_reason = verdict->contributors[0].cause == Cause::kUnseen ? LeadReason::kUnseen
                                                                            : LeadReason::kTogether;
}

// Judges the window, and all rows that are reported together.
void JudgeWindow(const DumpIndex& index, const Window& window, bool is_notable, Verdict* verdict) {
  Ranking ranking = RankContributors(index, window);
  if (ranking.list.empty()) ranking.list.emplace_back();  // the time of the dump is not known
  const Contribution& lead = LeadOf(ranking, window.latest != nullptr);
  const std::vector<const Contribution*> named = NamedWith(lead, ranking);
  std::vector<Source> sources;
  for (const Contribution* row : named)
    sources.insert(sources.end(), row->sources.begin(), row->sources.end());
  std::optional<CallTree> together;
  if (named.size() > 1) together = TreeOf(index, sources);
  const CallTree* const tree = together ? &*together : lead.tree ? &*lead.tree : nullptr;
  const Case facts = {index, window, ranking, lead, named, tree};
  verdict->window_ns = window.length_ns();
  verdict->cause = lead.contributor.cause;
  verdict->named_ns = facts.named_ns();
  if (is_notable)
    ExplainLead(facts, verdict);
  else if (AddWaitAtDump(index, verdict))
    AddSystemReport(index, verdict);
  else if (!ExplainOneLook(index, verdict))
    ExplainUnexplained(facts, verdict);
  AddKnownWait(index, verdict);
  if (is_notable) AddOtherThreads(facts, verdict);
  const bool lacks_token = verdict->kind == Kind::kProcessFrozen ||
                           verdict->kind == Kind::kStarved || verdict->kind == Kind::kRuntimeWait ||
                           verdict->kind == Kind::kShortOfMemory;
  if (lacks_token) AddSlowMessages(facts, true, 1, verdict);
  if (verdict->kind != Kind::kProcessFrozen) AddMemory(facts, verdict);
  if (window.length_ns() > 0) AddContributors(facts, verdict);
  if (window.length_ns() > 0 && verdict->kind != Kind::kNotEnoughData) LimitByShare(facts, verdict);
}

// The process counted its messages, and there were none: it has no main Looper, or just began.
bool HasSeenNone(const model::Document& document) {
  const auto messages = std::ranges::find(document.counters, "messages", &model::NamedCount::name);
  return messages != document.counters.end() && messages->value == 0;
}

void JudgeDump(const DumpIndex& index, Verdict* verdict) {
  const model::Document& document = index.document();
  const bool knows_messages = (document.running && document.running->wall_ns >= index.slow_ns()) ||
                              !document.history.empty() || !document.trees.empty() ||
                              !document.records.empty();
  if ((document.identity.tap == "none" || HasSeenNone(document)) && !knows_messages) {
    verdict->kind = Kind::kNotEnoughData;
    verdict->is_unwatched = true;
    return Limit(Confidence::kLow, ConfidenceReason::kUnseen, verdict);
  }
  const Message* longest = PickMessage(index);
  const bool is_long = document.running && document.running->wall_ns >= kLongNs;
  const Window window = index::WindowOf(index, is_long ? &*document.running : longest);
  const bool is_notable = longest != nullptr && longest->wall_ns >= index::kNotableNs;
  verdict->is_anr = !document.trigger_confirmed.empty();
  if (window.latest == nullptr && !is_notable && !verdict->is_anr && !index.IsOneLook()) {
    const bool is_lost = longest == nullptr && !document.damage.empty();
    // In the background a probe sees no message begin that sleeps.
    verdict->is_since_unknown = document.identity.tap == "probe" && document.running &&
                                document.running->segment &&
                                document.trigger == model::Trigger::kSigquit;
    const bool knows_too_little = is_lost || verdict->is_since_unknown;
    verdict->kind = knows_too_little ? Kind::kNotEnoughData : Kind::kNothingSlow;
    if (knows_too_little) Limit(Confidence::kLow, ConfidenceReason::kUnseen, verdict);
    if (longest != nullptr)
      verdict->named_ns = static_cast<uint64_t>(std::max<int64_t>(longest->wall_ns, 0));
    return;
  }
  if (window.latest != nullptr) {
    verdict->waiting = index::DispatchOf(*window.latest);
    verdict->is_cut = index::LateNs(*window.latest) > window.length_ns();
  }
  if (window.length_ns() == 0 && longest != nullptr)
    JudgeWindow(index, index::WindowOfMessage(index, *longest), true, verdict);
  else
    JudgeWindow(index, window, window.latest != nullptr || is_notable, verdict);
  // The message's record is lost, but its tree is left: report that rather than nothing.
  const Message* orphan = LongestOrphan(index);
  if (verdict->kind == Kind::kNotEnoughData && orphan != nullptr &&
      orphan->wall_ns >= index::kNotableNs) {
    *verdict = {};
    JudgeWindow(index, index::WindowOfMessage(index, *orphan), true, verdict);
    Limit(Confidence::kLow, ConfidenceReason::kUnseen, verdict);
  }
  if (window.latest != nullptr)
    verdict->evidence.push_back(evidence::Waiting{.message = index::PendingDispatch(*window.latest),
                                                  .late_ns = index::LateNs(*window.latest)});
  const auto later = std::ranges::find(document.annotations.entries, index::kTakenAfterAnr,
                                       &model::Annotation::name);
  if (later != document.annotations.entries.end() && index.IsOneLook())
    verdict->after_anr = index::Truncated(later->value, 40);
  verdict->anr = FindAnr(index, window);
  if (verdict->anr) verdict->evidence.push_back(evidence::AnrDeclared());
}

}  // namespace

Verdict Judge(const DumpIndex& index) {
  Verdict verdict;
  JudgeDump(index, &verdict);
  if (!index.IsSamplerOn()) {
    const std::string& state = index.document().identity.sampler_state;
    constexpr std::string_view kOnBut = "on; ";
    verdict.trouble =
        index::Truncated(state.starts_with(kOnBut) ? state.substr(kOnBut.size()) : "", 300);
    verdict.evidence.push_back(evidence::SamplerOff{
        verdict.trouble.empty() ? index::Truncated(state, 300) : verdict.trouble});
  }
  AddMissing(index, &verdict);
  AddOtherLoopers(index, &verdict);
  AddDebugger(index.document(), &verdict);
  AddExit(index.document(), &verdict);
  return verdict;
}

}  // namespace stillframe::judge
