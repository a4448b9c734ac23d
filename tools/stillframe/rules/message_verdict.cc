// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/rules/message_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/calltree/method_name.h"
#include "tools/stillframe/index/outside.h"
#include "tools/stillframe/index/window.h"
#include "tools/stillframe/rules/culprit.h"
#include "tools/stillframe/rules/holder_text.h"
#include "tools/stillframe/rules/kernel_calls.h"
#include "tools/stillframe/rules/lock_owner.h"
#include "tools/stillframe/rules/message_parts.h"
#include "tools/stillframe/rules/wait_chain.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::rules {

using calltree::DurationUs;
using index::DispatchText;
using index::DumpIndex;
using model::Message;
using verdict::Confidence;
using verdict::Culprit;
using verdict::Kind;
using verdict::Verdict;

std::string SamplerOff(const model::Document& document) {
  return fmt::format("the sampler was off: {}",
                     text::Truncated(document.identity.sampler_state, 300));
}

namespace {

// What a message's sentence is about.
struct Subject {
  MessagePart part;                  // locks of all owners together
  std::vector<MessagePart> holders;  // without stacks: of time blocked, each owner's, most first
  uint64_t whole_us = 0;             // of an idle handler among several; else 0
};

// `handler`: the idle handler that the sentence is about, where it is about one.
std::string MessageClause(const DumpIndex& index, const Message& message,
                          const std::string& handler = "") {
  index::Dispatch dispatch = index.DispatchFor(message);
  if (!handler.empty()) dispatch.callback = handler;
  const std::string subject = index::SubjectText(dispatch);
  const bool has_ended =
      !handler.empty() &&
      handler != index::NewestIdleHandler(index.document().frames, index.TraceOf(message.token));
  return index.IsRunning(message) && !has_ended
             ? fmt::format("{} was running and had not ended (token {})", subject, message.token)
             : fmt::format("{} was running (token {})", subject, message.token);
}

// The message's wall time, or what its samples cover if that is longer or all there is.
uint64_t WholeUs(const Message& message, const calltree::CallTree* tree) {
  const uint64_t wall_us = message.wall_ns < 0 ? 0 : static_cast<uint64_t>(message.wall_ns) / 1000;
  return tree == nullptr ? wall_us : std::max(wall_us, tree->root().total_us);
}

std::string NameAndPlace(const std::string& name, const std::string& place) {
  return fmt::format("{} ({})", name, place);
}

std::string HeldText(uint64_t held_us, uint64_t whole_us) {
  return fmt::format("{} of {} ({})", DurationUs(held_us), DurationUs(whole_us),
                     calltree::Share(held_us, whole_us));
}

void AddCpuEvidence(const Message& message, uint64_t whole_us, Verdict* verdict) {
  if (message.cpu_ns < 0 || whole_us == 0) return;
  const uint64_t cpu_us = static_cast<uint64_t>(message.cpu_ns) / 1000;
  const char* meaning = cpu_us * 4 >= whole_us * 3 ? "it was computing"
                        : cpu_us * 4 <= whole_us   ? "it stood still or got no CPU for most of it"
                                                   : "it computed for part of it only";
  verdict->evidence.push_back(fmt::format("The message used {} of CPU time in {} ({}): {}.",
                                          DurationUs(cpu_us), DurationUs(whole_us),
                                          calltree::Share(cpu_us, whole_us), meaning));
}

void AddStarvation(const DumpIndex& index, const Message& message, uint64_t whole_us,
                   Verdict* verdict) {
  bool is_exact = false;
  const uint64_t starved_us = index::StarvedNs(index, message, &is_exact) / 1000;
  if (starved_us * 4 >= whole_us && whole_us > 0) {
    verdict->evidence.push_back(fmt::format("It was ready to run but had no CPU for {} ({}).",
                                            DurationUs(starved_us),
                                            calltree::Share(starved_us, whole_us)));
  }
}

void AddMessageEvidence(const DumpIndex& index, const Message& message, uint64_t whole_us,
                        Verdict* verdict) {
  AddCpuEvidence(message, whole_us, verdict);
  AddStarvation(index, message, whole_us, verdict);
  if (message.wait_ns >= index.slow_ns()) {
    verdict->evidence.push_back(fmt::format("It had been due for {} when it was dispatched.",
                                            calltree::Duration(message.wait_ns)));
  }
  if (const trace::TraceTree* trace = index.TraceOf(message.token)) {
    verdict->evidence.push_back(fmt::format(
        "Its stack was sampled {}{}.", calltree::Counted(trace->samples_added(), "time"),
        trace->interval_scale() > 1
            ? fmt::format(", kept as {}", calltree::Grouped(trace->sample_count()))
            : ""));
  }
  if (!index.IsSamplerOn())
    verdict->evidence.push_back(fmt::format("At the dump {}.", SamplerOff(index.document())));
}

void AddCulpritEvidence(const Culprit& culprit, Verdict* verdict) {
  const bool has_line = culprit.place.find(':') != std::string::npos;
  if (culprit.line_us != culprit.held_us && has_line) {
    verdict->evidence.push_back(
        fmt::format("{} of it at {}.", DurationUs(culprit.line_us), culprit.place));
  }
  if (culprit.leaf != culprit.method && !culprit.IsStandstill()) {
    verdict->evidence.push_back(
        fmt::format("It was mostly inside {}.", NameAndPlace(culprit.leaf, culprit.leaf_place)));
  }
  if (!culprit.caller.empty()) {
    verdict->evidence.push_back(
        fmt::format("Called from {}.", NameAndPlace(culprit.caller, culprit.caller_place)));
  }
  if (!culprit.IsStandstill() && verdict->kind != Kind::kStandstill &&
      culprit.state != trace::ThreadState::kRunnable) {
    verdict->evidence.push_back(fmt::format("Meanwhile the main thread was mostly {}.",
                                            calltree::StateText(culprit.state)));
  }
}

// The owner of a monitor, who waits for nobody, is said where the main thread is said to be
// blocked.
bool IsOwnerAll(const Verdict& verdict) {
  return verdict.kind == Kind::kBlocked && verdict.chain.threads.size() <= 2 &&
         !verdict.chain.is_circle() && verdict.chain.in_queue.empty();
}

void TellChain(Verdict* verdict) {
  const verdict::WaitChain& chain = verdict->chain;
  for (size_t i = 1; i < chain.threads.size(); ++i) {
    const std::string& name = chain.threads[i].thread;
    if (std::find(verdict->threads.begin(), verdict->threads.end(), name) == verdict->threads.end())
      verdict->threads.push_back(name);
  }
  const std::vector<std::string> evidence = ChainEvidence(chain);
  verdict->evidence.insert(verdict->evidence.end(), evidence.begin(), evidence.end());
  const std::string text = ChainText(chain);
  if (chain.is_deadlock()) {
    verdict->kind = Kind::kDeadlock;
    verdict->confidence = Confidence::kHigh;
    verdict->sentence.replace(0, 1, "Deadlock: t");
  }
  if (text.empty() || IsOwnerAll(*verdict)) return;
  verdict->sentence.pop_back();
  verdict->sentence += fmt::format("; it waits for {}.", text);
}

std::string StandstillText(const DumpIndex& index, const Message& message, const Subject& subject,
                           const verdict::WaitChain& at_dump, Verdict* verdict) {
  return IsOwnerAll(*verdict)
             ? "blocked on " + HolderText(index, message, subject.holders, at_dump, verdict)
             : std::string(WaitText(subject.part.cause, verdict->culprit->state));
}

// What it waited for at the dump, where that is not what the sentence is about.
void TellLaterWait(verdict::WaitChain at_dump, Verdict* verdict) {
  const std::string text = ChainText(at_dump);
  if (!text.empty())
    verdict->evidence.push_back(fmt::format("At the dump it waited for something else: {}.", text));
  const std::vector<std::string> evidence = ChainEvidence(at_dump);
  verdict->evidence.insert(verdict->evidence.end(), evidence.begin(), evidence.end());
  verdict->chain = std::move(at_dump);
}

Kind KindOf(verdict::Cause cause, const Culprit& culprit) {
  switch (cause) {
    case verdict::Cause::kLock: return Kind::kBlocked;
    case verdict::Cause::kBinder: return Kind::kBinderCall;
    case verdict::Cause::kInputOutput: return Kind::kInputOutput;
    case verdict::Cause::kSleep:
    case verdict::Cause::kStill:
    case verdict::Cause::kWait: return Kind::kStandstill;
    default: return culprit.IsStandstill() ? Kind::kStandstill : Kind::kMethod;
  }
}

Confidence ConfidenceOf(const calltree::CallTree& tree, uint64_t held_us, uint64_t whole_us) {
  const bool has_samples = tree.root().samples >= 10;
  return has_samples && held_us * 10 >= whole_us * 7 ? Confidence::kHigh : Confidence::kMedium;
}

// " and app.Feed.sort for 800 ms (40 %)"; `where` is "in " or nothing.
std::string BesidesText(const Culprit& culprit, uint64_t whole_us, std::string_view where) {
  std::string text;
  for (const auto& [name, us] : culprit.besides)
    text += fmt::format(" and {}{} for {} ({})", where, name, DurationUs(us),
                        calltree::Share(us, whole_us));
  return text;
}

// ", inside com.google.gson.JsonReader.peekNumber (JsonReader.java:800),": what of another's code a
// method's time went to.
std::string InsideText(const Culprit& culprit) {
  return culprit.leaf == culprit.method
             ? ""
             : fmt::format(", inside {},", NameAndPlace(culprit.leaf, culprit.leaf_place));
}

// The idle handler that the part is of, where the message is a segment of several.
std::string HandlerOf(const Message& message, const MessagePart& part) {
  return message.segment == model::Segment::kIdleHandler && part.cause != verdict::Cause::kLock
             ? part.whose
             : "";
}

void JudgeCulprit(const DumpIndex& index, const Message& message, const Subject& subject,
                  const calltree::CallTree& tree, uint64_t whole_us, Verdict* verdict) {
  const Culprit& culprit = *verdict->culprit;
  const MessagePart& part = subject.part;
  verdict->kind = KindOf(part.cause, culprit);
  verdict->confidence = part.cause == verdict::Cause::kStill
                            ? Confidence::kMedium
                            : ConfidenceOf(tree, culprit.held_us, part.ns / 1000);
  const bool stands = verdict->kind == Kind::kBlocked || verdict->kind == Kind::kStandstill;
  verdict::WaitChain at_dump;
  if (stands && index.IsRunning(message)) at_dump = ChainOf(index);
  const bool is_still_there = IsMainStillIn(at_dump, culprit.method, culprit.leaf);
  if (is_still_there) verdict->chain = at_dump;
  const bool is_method = verdict->kind == Kind::kMethod;
  const std::string held = HeldText(culprit.held_us, whole_us) +
                           (is_method ? CalleesText(culprit) + InsideText(culprit) : "") +
                           BesidesText(culprit, whole_us, is_method ? "" : "in ");
  const std::string clause = MessageClause(index, message, HandlerOf(message, part));
  const std::string method = NameAndPlace(culprit.method, culprit.place);
  const std::string called = culprit.leaf == culprit.method
                                 ? method
                                 : fmt::format("{} called from {}", culprit.leaf, method);
  if (verdict->kind == Kind::kBinderCall) {
    verdict->sentence = fmt::format(
        "The main thread waited for another process, in the binder call {}, for {} while {}.",
        called, held, clause);
  } else if (verdict->kind == Kind::kInputOutput) {
    verdict->sentence = fmt::format("The main thread did input or output in {} for {} while {}.",
                                    called, held, clause);
  } else if (is_method) {
    verdict->sentence =
        fmt::format("{} held the main thread for {} while {}.", method, held, clause);
  } else {
    verdict->sentence = fmt::format("The main thread was {} in {} for {} while {}.",
                                    StandstillText(index, message, subject, at_dump, verdict),
                                    called, held, clause);
    TellChain(verdict);
    if (verdict->kind == Kind::kBlocked) {
      const std::vector<std::string> locks = LockEvidence(message);
      verdict->evidence.insert(verdict->evidence.end(), locks.begin(), locks.end());
    }
  }
  AddCulpritEvidence(culprit, verdict);
  if (std::string kernel = KernelCallsText(index, message); !kernel.empty())
    verdict->evidence.push_back(std::move(kernel));
  if (!is_still_there && !at_dump.threads.empty()) TellLaterWait(std::move(at_dump), verdict);
}

void JudgeSpread(const DumpIndex& index, const Message& message, const calltree::CallTree& tree,
                 uint64_t whole_us, Verdict* verdict) {
  verdict->kind = Kind::kSpread;
  verdict->confidence = Confidence::kMedium;
  verdict->sentence =
      fmt::format("No single method held the main thread for half of the {} while {}.",
                  DurationUs(whole_us), MessageClause(index, message));
  std::vector<calltree::MethodId> hottest = tree.HottestMethods();
  hottest.resize(std::min<size_t>(hottest.size(), 3));
  for (const calltree::MethodId method : hottest) {
    verdict->evidence.push_back(fmt::format(
        "{} itself took {}.", NameAndPlace(tree.NameOf(method, 200), tree.PlaceOf(method)),
        HeldText(tree.methods()[method].self_us, whole_us)));
  }
}

void JudgeWithoutSamples(const DumpIndex& index, const Message& message, Verdict* verdict) {
  verdict->kind = Kind::kNoSamples;
  verdict->confidence = Confidence::kLow;
  std::string subject = index::SubjectText(index.DispatchFor(message));
  subject[0] = static_cast<char>(subject[0] - 'a' + 'A');
  verdict->sentence = fmt::format(
      "{} {} the main thread for {}{} (token {}); which method it was is not known.", subject,
      index.IsRunning(message) ? "has held" : "held", calltree::Duration(message.wall_ns),
      index.IsRunning(message) ? " and has not ended" : "", message.token);
  if (index.IsSamplerOn()) {
    verdict->evidence.push_back(
        message.samples == 0 ? "No sample of its stack was taken."
        : index.TraceOf(message.token) != nullptr
            ? "For most of what took longest nobody took a sample of its stack."
            : fmt::format(
                  "{} samples of its stack were taken, but its tree was not kept: trees are "
                  "kept for long messages, the latest only.",
                  calltree::Grouped(message.samples)));
  }
}

// Of this cause, and whose it is; the largest where there is none of it.
Subject SubjectOf(std::vector<MessagePart> parts, std::optional<verdict::Cause> cause,
                  const std::string& whose) {
  Subject subject = {Together(verdict::Cause::kLock, parts), {}};
  const auto is_lock = [](const MessagePart& part) { return part.cause == verdict::Cause::kLock; };
  const auto other = std::ranges::find_if(parts, [&](const MessagePart& part) {
    return !is_lock(part) && (!cause || (part.cause == *cause && part.whose == whose));
  });
  const bool is_about_lock = cause && *cause == verdict::Cause::kLock && subject.part.ns > 0;
  if (!is_about_lock && other != parts.end() && (cause || other->ns >= subject.part.ns)) {
    for (const MessagePart& part : parts)
      if (!other->whose.empty() && part.whose == other->whose) subject.whole_us += part.ns / 1000;
    subject.part = std::move(*other);
  } else if (subject.part.ns == 0) {
    subject.part = std::move(parts.front());
  } else {
    std::erase_if(parts, std::not_fn(is_lock));
    subject.holders = std::move(parts);
  }
  return subject;
}

}  // namespace

Verdict JudgeMessage(const DumpIndex& index, const Message& message,
                     std::optional<verdict::Cause> cause, const std::string& whose) {
  Verdict verdict;
  verdict.token = message.token;
  verdict.tokens = {message.token};
  const calltree::CallTree* tree = index.TreeOf(message.token);
  const uint64_t whole_us = WholeUs(message, tree);
  TimeSpan span = SpanOf(message);
  span.end_ns = span.begin_ns + std::min(whole_us * 1000, UINT64_MAX - span.begin_ns);
  const Subject subject =
      SubjectOf(PartsOf(index, message, span, FrozenSpans(index.document())), cause, whose);
  const uint64_t told_us = subject.whole_us > 0 ? subject.whole_us : whole_us;
  std::optional<calltree::CallTree> held;
  if (subject.part.stacks) held.emplace(index.document().frames, *subject.part.stacks);
  if (!held || held->root().total_us * 2'000 < std::max<uint64_t>(subject.part.ns, 1)) {
    JudgeWithoutSamples(index, message, &verdict);
  } else {
    verdict.culprit = FindCulprit(*held, index.own(), (message.flags & model::kMessageNested) != 0,
                                  IsOutside(subject.part.cause));
    if (verdict.culprit)
      JudgeCulprit(index, message, subject, *held, told_us, &verdict);
    else
      JudgeSpread(index, message, *held, told_us, &verdict);
  }
  AddMessageEvidence(index, message, whole_us, &verdict);
  return verdict;
}

std::optional<Verdict> JudgeWaitOutside(const DumpIndex& index) {
  Verdict verdict;
  verdict.chain = ChainOf(index);
  if (index.document().running || verdict.chain.threads.empty()) return std::nullopt;
  const verdict::Waiter& main = verdict.chain.threads[0];
  const bool is_blocked = main.wait == model::WaitKind::kMonitor;
  verdict.kind = Kind::kStandstill;
  verdict.confidence = Confidence::kLow;
  const std::string& inner = main.stack.empty() ? main.own_frame : main.stack.front();
  const std::string& own = main.own_frame.empty() ? inner : main.own_frame;
  verdict.sentence = fmt::format("The main thread was {} in {}{} when the dump was taken.",
                                 is_blocked ? "blocked on a monitor" : "waiting", inner,
                                 own == inner ? "" : fmt::format(", called from {},", own));
  TellChain(&verdict);
  if (is_blocked && verdict.kind == Kind::kStandstill) verdict.kind = Kind::kBlocked;
  return verdict;
}

std::string MessageAndMethod(const DumpIndex& index, const Message& message) {
  std::string text = DispatchText(index.DispatchFor(message));
  const calltree::CallTree* tree = index.TreeOf(message.token);
  if (tree != nullptr) {
    const auto culprit =
        FindCulprit(*tree, index.own(), (message.flags & model::kMessageNested) != 0);
    text +=
        culprit ? fmt::format(", mostly in {}", NameAndPlace(culprit->method, culprit->place)) : "";
  }
  return text;
}

}  // namespace stillframe::rules
