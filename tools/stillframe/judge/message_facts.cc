// SPDX-License-Identifier: Apache-2.0
// Facts about the message that held the main thread.
#include <algorithm>
#include <map>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/judge/case.h"
#include "tools/stillframe/judge/culprit.h"
#include "tools/stillframe/judge/lock_owner.h"
#include "tools/stillframe/judge/wait_chain.h"

namespace stillframe::judge {

using index::DumpIndex;
using model::Message;

namespace {

constexpr size_t kMostHolders = 3;
constexpr uint64_t kLeastHeldNs = 15'000'000;  // shorter: perhaps a single sample
constexpr size_t kMostCalls = 3;
constexpr size_t kLongestCall = 80;

// Adds evidence if a recursion leads to the method. Uses the unfolded stacks.
void AddRecursion(const DumpIndex& index, const Message& message, const Culprit& culprit,
                  Verdict* verdict) {
  constexpr uint32_t kLeastTimes = 8;
  const index::CallTree* tree = index.TreeOf(message.token);
  if (tree == nullptr) return;
  const std::vector<uint32_t> path = index::HeaviestPath(*tree, 50);
  const auto method_at = [&](size_t i) { return tree->nodes()[path[i]].method; };
  size_t end = path.size();
  while (end > 0 && tree->NameOf(method_at(end - 1)) != culprit.method) --end;
  std::map<index::MethodId, uint32_t> times;
  for (size_t i = 0; i < end; ++i) ++times[method_at(i)];
  size_t first = 0;
  while (first < end && times[method_at(first)] < kLeastTimes) ++first;
  const auto is_known = [&](size_t i) { return !tree->methods()[method_at(i)].is_truncation; };
  if (first == 0 || first >= end || !is_known(first) || !is_known(first - 1)) return;
  verdict->evidence.push_back(evidence::Recursion{.method = tree->NameOf(method_at(first)),
                                                  .begun_by = tree->NameOf(method_at(first - 1))});
}

void AddCulprit(const Case& facts, const Culprit& culprit, Verdict* verdict) {
  const auto add = [verdict](Evidence each) { verdict->evidence.push_back(std::move(each)); };
  if (culprit.place.find(':') != std::string::npos && culprit.line_us != culprit.held_us)
    add(evidence::HottestLine{culprit.place, PartOfUs(culprit.line_us, culprit.held_us)});
  if (culprit.leaf != culprit.method && verdict->kind == Kind::kMethod)
    add(evidence::Inside{culprit.leaf, culprit.leaf_place});
  if (!culprit.caller.empty()) add(evidence::Caller{culprit.caller, culprit.caller_place});
  if (verdict->kind == Kind::kMethod && culprit.state != model::ThreadState::kRunnable &&
      culprit.state != model::ThreadState::kUnknown)
    add(evidence::State{culprit.state});
  uint64_t guess_us = 0;
  for (const index::Method& method : facts.tree->methods()) guess_us += method.guess_us;
  const uint64_t whole_us = facts.tree->root().total_us;
  if (guess_us * 5 >= whole_us) add(evidence::Inlining{PartOfUs(guess_us, whole_us)});
}

// Adds the three longest kernel calls in which the thread was idle in native code.
void AddKernelCalls(const DumpIndex& index, const Message& message, Verdict* verdict) {
  const model::TraceTree* const tree = index.MixedTraceOf(message.token);
  if (tree == nullptr) return;
  std::map<std::string_view, uint64_t> times_us;
  tree->ForEachStack(
      [&](uint32_t, std::span<const model::FrameId> stack, const model::Sample& sample) {
        const std::string_view call = index::KernelCallOf(index.document().frames, stack);
        if (!call.empty()) times_us[call] += sample.weight_us;
      });
  std::vector<std::pair<std::string_view, uint64_t>> longest(times_us.begin(), times_us.end());
  std::ranges::stable_sort(longest,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  for (size_t i = 0; i < std::min(longest.size(), kMostCalls); ++i)
    if (longest[i].second * 10 >= longest[0].second)
      verdict->evidence.push_back(
          evidence::KernelCall{.call = index::Truncated(longest[i].first, kLongestCall),
                               .idle_ns = longest[i].second * 1000});
}

// Facts of the whole message, even if only a part of it is judged.
void AddMessageFacts(const DumpIndex& index, const Message& message, Verdict* verdict) {
  const auto wall_ns = static_cast<uint64_t>(std::max<int64_t>(message.wall_ns, 0));
  bool is_exact = false;
  const uint64_t starved_ns = index::StarvedNs(index, message, &is_exact);
  const bool is_starved = starved_ns * 4 >= wall_ns && wall_ns > 0;
  if (message.cpu_ns >= 0 && wall_ns > 0)
    verdict->evidence.push_back(
        evidence::Cpu{.time = {.ns = static_cast<uint64_t>(message.cpu_ns), .of_ns = wall_ns},
                      .state = verdict->kind == Kind::kBlocked ? model::ThreadState::kBlocked
                               : is_starved                    ? model::ThreadState::kRunnable
                                                               : model::ThreadState::kUnknown});
  if (is_starved)
    verdict->evidence.push_back(evidence::NoCpu{{.ns = starved_ns, .of_ns = wall_ns}});
  if (message.wait_ns >= index.slow_ns())
    verdict->evidence.push_back(
        evidence::DueBefore{.late_ns = static_cast<uint64_t>(message.wait_ns)});
}

// The message that ran on the thread's Looper for most of `span`; null: none is known.
const Message* MessageOnThread(const model::Document& document, uint32_t tid,
                               const index::TimeSpan& span) {
  const auto looper = std::ranges::find(document.loopers, tid, &model::Looper::tid);
  if (tid == 0 || looper == document.loopers.end()) return nullptr;
  const auto number = static_cast<uint32_t>(looper - document.loopers.begin());
  const Message* longest = nullptr;
  uint64_t longest_ns = 0;
  const auto consider = [&](const Message& message) {
    const TimeSpan its = SpanOf(message);
    const uint64_t ns = index::OverlapNs(span, std::span(&its, 1));
    if (message.looper != number || ns <= longest_ns) return;
    longest = &message;
    longest_ns = ns;
  };
  std::ranges::for_each(document.history, consider);
  if (looper->running) consider(*looper->running);
  return longest;
}

// Adds the threads that held the locks on which the message was blocked, longest first.
void AddLockHolders(const Case& facts, const judge::WaitChain& at_dump, Verdict* verdict) {
  const Message& message = *facts.lead.message;
  for (const Contribution* row : facts.named) {
    const judge::Thread& owner = row->contributor.owner;
    if (!owner.is_known() || (row->contributor.ns < kLeastHeldNs && facts.named.size() > 1))
      continue;
    if (verdict->holders.size() < kMostHolders)
      verdict->holders.push_back(owner);
    else
      ++verdict->more_holders;
  }
  AddHolders(message, verdict);
  LockOwner owner;
  if (facts.index.IsRunning(message) && facts.index.document().signal_catcher)
    owner = FindLockOwner(facts.index, AllHelpers(facts.index, facts.ranking.helpers),
                          facts.index.document().signal_catcher->text);
  const bool waits_at_dump =
      at_dump.threads.size() > 1 && at_dump.threads[0].wait == model::WaitKind::kMonitor;
  if (verdict->holders.empty() && waits_at_dump)
    verdict->holders = {{at_dump.threads[1].thread, at_dump.threads[1].tid}};
  if (verdict->holders.empty() && owner.thread.is_known()) verdict->holders = {owner.thread};
  for (const judge::Thread& holder : verdict->holders)
    if (!holder.name.empty() &&
        std::ranges::find(verdict->threads, holder.name) == verdict->threads.end())
      verdict->threads.push_back(holder.name);
  if (verdict->holders.empty()) return;
  if (!facts.index.IsRunning(message))
    return AddOwnerOfPast(facts, message, verdict->holders[0], verdict);
  // Only a thread that still holds the lock gets a frame.
  const judge::Thread& first = verdict->holders[0];
  const model::TraceTree* trace = facts.index.TraceOf(message.token);
  verdict->still_holds = waits_at_dump
                             ? first.tid == 0 || first.tid == at_dump.threads[1].tid
                             : trace == nullptr || trace->empty() ||
                                   trace->samples().back().state == model::ThreadState::kBlocked;
  if (!verdict->still_holds) return;
  const bool is_reported = owner.thread.is_known() && (first.tid == 0 || owner.thread.tid == 0 ||
                                                       owner.thread.tid == first.tid);
  if (is_reported && (!owner.is_guess || !waits_at_dump)) {
    verdict->holder_frame = owner.frame;
    verdict->is_holder_guess = owner.is_guess;
  } else if (waits_at_dump) {
    verdict->holder_frame = at_dump.threads[1].own_frame;
  }
  if (!verdict->holder_frame.empty())
    verdict->evidence.push_back(
        evidence::HolderAt{first, verdict->holder_frame, verdict->is_holder_guess});
}

// The thread is idle: adds for whom it waits, as far as the stacks at the dump show.
void AddWait(const Case& facts, Verdict* verdict) {
  const Culprit& culprit = *verdict->culprit;
  judge::WaitChain at_dump;
  if (facts.index.IsRunning(*facts.lead.message))
    at_dump = ChainOf(facts.index, facts.ranking.helpers);
  const bool is_still_there = IsMainStillIn(at_dump, culprit.method, culprit.leaf);
  if (verdict->kind == Kind::kBlocked) AddLockHolders(facts, at_dump, verdict);
  verdict->chain = std::move(at_dump);
  verdict->is_chain_later = !is_still_there && !verdict->chain.threads.empty();
  if (verdict->is_chain_later && verdict->chain.threads.size() > 1)
    verdict->evidence.push_back(evidence::LaterWait());
  AddChainEvidence(verdict->chain, verdict);
  if (verdict->is_chain_later) return;
  for (size_t i = 1; i < verdict->chain.threads.size(); ++i) {
    const std::string& name = verdict->chain.threads[i].thread;
    if (std::ranges::find(verdict->threads, name) == verdict->threads.end())
      verdict->threads.push_back(name);
  }
  if (!verdict->chain.is_deadlock()) return;
  verdict->kind = Kind::kDeadlock;
  verdict->confidence = Confidence::kHigh;
  verdict->confidence_reason = ConfidenceReason::kCertain;
}

void AddSpread(const Case& facts, Verdict* verdict) {
  verdict->kind = Kind::kSpread;
  Limit(Confidence::kMedium, ConfidenceReason::kFewSamples, verdict);
  std::vector<index::MethodId> hottest = facts.tree->HottestMethods();
  hottest.resize(std::min<size_t>(hottest.size(), 3));
  for (const index::MethodId method : hottest)
    verdict->evidence.push_back(evidence::Shared{
        facts.tree->NameOf(method, 200),
        PartOfUs(facts.tree->methods()[method].self_us, facts.tree->root().total_us)});
}

void AddNoSamples(const Case& facts, Verdict* verdict) {
  const Message& message = *facts.lead.message;
  if (ExplainStackOfMessage(facts.index, verdict)) return;
  verdict->kind = Kind::kNoSamples;
  Limit(Confidence::kLow, ConfidenceReason::kUnseen, verdict);
  if (!facts.index.IsSamplerOn()) return;
  const bool is_kept = message.samples == 0 || !facts.index.document().damage.empty() ||
                       facts.index.TraceOf(message.token) != nullptr;
  if (is_kept)
    verdict->evidence.push_back(evidence::NoSample());
  else
    verdict->evidence.push_back(evidence::TreeNotKept{.samples = message.samples});
}

}  // namespace

uint64_t Case::named_ns() const {
  uint64_t ns = 0;
  for (const Contribution* row : named) ns += row->contributor.ns;
  return ns;
}

void Limit(Confidence most, ConfidenceReason why, Verdict* verdict) {
  if (most >= verdict->confidence) return;
  verdict->confidence = most;
  verdict->confidence_reason = why;
}

void ExplainMessage(const Case& facts, Verdict* verdict) {
  const Message& message = *facts.lead.message;
  const uint64_t named_ns = facts.named_ns();
  verdict->token = message.token;
  verdict->tokens = {message.token};
  verdict->named_ns = named_ns;
  verdict->message = facts.lead.contributor.message;
  verdict->is_running = !facts.lead.contributor.has_ended;
  const uint64_t stacks_us = facts.tree != nullptr ? facts.tree->root().total_us : 0;
  const bool is_sampled =
      facts.tree != nullptr && facts.tree->sampled_us() * 10 >= facts.tree->root().total_us;
  if (stacks_us * 2'000 < std::max<uint64_t>(named_ns, 1) || !is_sampled) {
    AddNoSamples(facts, verdict);
  } else {
    verdict->is_recorded = index::HasRecordedCalls(facts.index.document());
    verdict->samples = verdict->is_recorded ? 0 : facts.tree->root().samples;
    verdict->all_samples = verdict->is_recorded ? 0 : message.samples;
    verdict->culprit = FindCulprit(*facts.tree, facts.index.own(), facts.ranking.helpers,
                                   (message.flags & model::kMessageNested) != 0,
                                   IsOutside(facts.lead.contributor.cause));
    if (verdict->culprit) {
      const Culprit& culprit = *verdict->culprit;
      verdict->kind = KindOfMessage(facts.lead.contributor.cause, culprit);
      if (facts.lead.contributor.cause == Cause::kStill)
        Limit(Confidence::kMedium, ConfidenceReason::kEstimate, verdict);
      if (verdict->is_recorded)
        Limit(Confidence::kMedium, ConfidenceReason::kRecorded, verdict);
      else if (verdict->samples < 10 || culprit.held_us * 10'000 < named_ns * 7)
        Limit(Confidence::kMedium, ConfidenceReason::kFewSamples, verdict);
      // If samples show nothing else, all of the time is the method's.
      if (verdict->is_recorded || culprit.held_us * 100 < stacks_us * 95)
        verdict->named_ns = culprit.held_us * 1000;
      if (verdict->is_recorded)
        verdict->evidence.push_back(evidence::RecordedCalls{
            {.ns = facts.index.TreeOf(message.token)->root().total_us * 1000,
             .of_ns = static_cast<uint64_t>(std::max<int64_t>(message.wall_ns, 0))}});
      if (verdict->kind == Kind::kBlocked || verdict->kind == Kind::kStandstill)
        AddWait(facts, verdict);
      AddCulprit(facts, culprit, verdict);
      AddRecursion(facts.index, message, culprit, verdict);
      AddKernelCalls(facts.index, message, verdict);
    } else {
      AddSpread(facts, verdict);
    }
  }
  AddMessageFacts(facts.index, message, verdict);
}

void AddOwnerOfPast(const Case& facts, const Message& message, const judge::Thread& holder,
                    Verdict* verdict) {
  if (const Message* ran = MessageOnThread(facts.index.document(), holder.tid, SpanOf(message))) {
    const index::CallTree* tree = facts.index.TreeOf(ran->token);
    const auto culprit = tree == nullptr
                             ? std::optional<Culprit>()
                             : FindCulprit(*tree, facts.index.own(), facts.ranking.helpers,
                                           (ran->flags & model::kMessageNested) != 0, false);
    verdict->holder_ran = culprit ? MethodAt(culprit->method, culprit->place)
                                  : index::DispatchText(facts.index.DispatchFor(*ran));
    verdict->evidence.push_back(evidence::HolderRan{holder, verdict->holder_ran});
  }
  if (std::string frame = FrameAtDump(facts.index, facts.ranking.helpers, holder.tid);
      !frame.empty())
    verdict->evidence.push_back(evidence::ChainAt{holder, std::move(frame)});
}

Kind KindOfMessage(Cause cause, const Culprit& culprit) {
  switch (cause) {
    case Cause::kLock: return Kind::kBlocked;
    case Cause::kBinder: return Kind::kBinderCall;
    case Cause::kInputOutput: return Kind::kInputOutput;
    case Cause::kMemory: return Kind::kPageFaults;
    case Cause::kRuntime: return Kind::kRuntimeWait;
    case Cause::kSleep:
    case Cause::kStill:
    case Cause::kWait: return Kind::kStandstill;
    default: return culprit.IsStandstill() ? Kind::kStandstill : Kind::kMethod;
  }
}

bool AddWaitAtDump(const DumpIndex& index, Verdict* verdict) {
  if (index.document().running) return false;
  verdict->chain = ChainOf(index, Helpers());
  if (verdict->chain.threads.empty()) return false;
  const bool is_blocked = verdict->chain.threads[0].wait == model::WaitKind::kMonitor;
  verdict->kind = verdict->chain.is_deadlock() ? Kind::kDeadlock
                  : is_blocked                 ? Kind::kBlocked
                                               : Kind::kStandstill;
  verdict->cause = is_blocked ? Cause::kLock : Cause::kWait;
  verdict->is_at_dump = true;
  if (is_blocked && verdict->chain.threads.size() > 1) {
    judge::Waiter& holder = verdict->chain.threads[1];
    verdict->holders = {{holder.thread, holder.tid}};
    verdict->still_holds = true;
    const auto& report = index.document().signal_catcher;
    const LockOwner owner =
        report ? FindLockOwner(index, AllHelpers(index, Helpers()), report->text) : LockOwner();
    if (!owner.is_guess && owner.thread.tid == holder.tid) holder.own_frame = owner.frame;
    verdict->holder_frame = holder.own_frame;
    verdict->is_holder_guess = owner.is_guess || owner.thread.tid != holder.tid;
  }
  if (verdict->kind == Kind::kDeadlock)
    verdict->confidence_reason = ConfidenceReason::kCertain;
  else
    Limit(Confidence::kLow, ConfidenceReason::kOneLook, verdict);
  for (size_t i = 1; i < verdict->chain.threads.size(); ++i)
    verdict->threads.push_back(verdict->chain.threads[i].thread);
  AddChainEvidence(verdict->chain, verdict);
  return true;
}

}  // namespace stillframe::judge
