// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/verdict/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/calltree/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::verdict {
namespace {

using calltree::Counted;
using calltree::Grouped;
using calltree::Seconds;
using calltree::Share;
using fmt::format;
using trace::ThreadState;

constexpr size_t kLongestHeadline = 80;
constexpr size_t kMostWords = 40;
constexpr size_t kMostOthers = 3;
constexpr uint64_t kNamedPercent = 20;  // of the time in question

size_t WordsOf(std::string_view text) {
  return text.empty() ? 0 : static_cast<size_t>(std::ranges::count(text, ' ')) + 1;
}

std::string Capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// "Decimal.multiply" of "fixture.Decimal.multiply".
std::string_view WithoutPackage(std::string_view method) {
  const size_t name = method.rfind('.');
  const size_t of_class =
      name == 0 || name == std::string_view::npos ? name : method.rfind('.', name - 1);
  return of_class == std::string_view::npos ? method : method.substr(of_class + 1);
}

// In so many characters: the class is shortened in its middle before the method is.
std::string ShortMethod(std::string_view method, size_t room) {
  const std::string_view known = WithoutPackage(method);
  const size_t dot = known.rfind('.');
  const size_t length = text::CharacterCount(known);
  if (length <= room || dot == std::string_view::npos) return text::Truncated(known, room);
  const size_t name = length - text::CharacterCount(known.substr(0, dot));
  return name + 3 > room
             ? text::Truncated(known, room)
             : text::Truncated(known.substr(0, dot), room - name).append(known.substr(dot));
}

// `before`, the name in what is left of the headline, `after`.
std::string Headline(std::string_view before, std::string_view method, std::string_view after) {
  const size_t used = text::CharacterCount(before) + text::CharacterCount(after);
  return format("{}{}{}", before, ShortMethod(method, std::max(kLongestHeadline, used + 8) - used),
                after);
}

std::string At(const std::string& name, const std::string& place) {
  return place.find(':') == std::string::npos ? name : format("{} ({})", name, place);
}

// Android's own message is known by its code's name.
std::string MessageName(const index::Dispatch& dispatch) {
  const std::string_view nested = dispatch.is_nested ? "nested " : "";
  if (dispatch.system_name.empty()) return format("{}{}", nested, index::DispatchText(dispatch));
  return dispatch.component.empty()
             ? format("{}{}", nested, dispatch.system_name)
             : format("{}{} of {}", nested, dispatch.system_name, dispatch.component);
}

bool IsInLeaf(const Culprit& culprit) { return culprit.leaf != culprit.method; }

bool IsOfWork(Cause cause) { return cause == Cause::kWork || cause == Cause::kStill; }

// "app.Feed.parse, mostly in Gson.read", "java.lang.Thread.sleep, called from app.Net.fetch
// (Net.java:4)"
std::string Where(const Culprit& culprit, Cause cause) {
  if (!IsInLeaf(culprit)) return At(culprit.method, culprit.place);
  return IsOfWork(cause)
             ? format("{}, mostly in {}", culprit.method, culprit.leaf)
             : format("{}, called from {}", culprit.leaf, At(culprit.method, culprit.place));
}

// What a contributor's time was, before " in app.A.take": "sleeping".
std::string Doing(const Contributor& contributor) {
  switch (contributor.cause) {
    case Cause::kSleep: return "sleeping";
    case Cause::kWait:
      return contributor.state == ThreadState::kWaitingForClass ||
                     contributor.state == ThreadState::kWaitingForLibrary
                 ? std::string(calltree::StateText(contributor.state))
                 : "waiting";
    case Cause::kLock:
      return contributor.owner.is_known()
                 ? format("blocked on a lock held by {}", ThreadText(contributor.owner))
                 : "blocked on a lock";
    case Cause::kBinder: return "binder call";
    case Cause::kInputOutput: return "I/O";
    case Cause::kStill:
      return contributor.lost_stacks ? "waiting (no stacks kept)" : "idle (reason unknown)";
    case Cause::kRuntime:
      return contributor.state == ThreadState::kWaitingForGc ||
                     contributor.state == ThreadState::kCollecting
                 ? std::string(calltree::StateText(contributor.state))
                 : "waiting for the runtime (garbage collector, most likely)";
    case Cause::kNoCpu: return "runnable, waiting for a CPU";
    case Cause::kFrozen: return "process frozen";
    case Cause::kOutside: return "outside messages (idle handlers, input, native callbacks)";
    case Cause::kBarrier: return "sync barrier at the front of the queue";
    case Cause::kUnseen: return "not recorded";
    case Cause::kQuick: return "short messages";
    case Cause::kWork: break;
  }
  return "";
}

std::string MessagesText(const Contributor& contributor) {
  const std::string name = MessageName(*contributor.message);
  if (!contributor.has_ended) return name + " (running)";
  return contributor.messages <= 1 ? name : format("{} × {}", Grouped(contributor.messages), name);
}

// It happens to messages, whatever they do.
bool IsOfSystem(Cause cause) {
  return cause == Cause::kNoCpu || cause == Cause::kFrozen || cause == Cause::kRuntime;
}

std::string QuickText(const Contributor& contributor) {
  const std::string count = Counted(contributor.messages, "short message");
  return contributor.message ? format("{}, most {}", count, MessageName(*contributor.message))
                             : count;
}

std::string BesidesText(const Contributor& contributor) {
  const Culprit& culprit = *contributor.place;
  std::string text;
  for (const auto& [name, us] : culprit.besides.empty() ? culprit.callees : culprit.besides)
    if (us * 100 >= contributor.stacks_us * kNamedPercent)
      text += format("{} {} ({})", text.empty() && culprit.besides.empty() ? ", including" : ",",
                     name, Share(us, contributor.stacks_us));
  return text;
}

// In a sentence about others: method, thread or message, without lines. `is_same`: the message is
// named already.
std::string Brief(const Contributor& contributor, bool is_same) {
  if (contributor.cause == Cause::kQuick) return QuickText(contributor);
  const std::string doing = Doing(contributor);
  const bool names_owner = contributor.cause == Cause::kLock && contributor.owner.is_known();
  if (!contributor.message || IsOfSystem(contributor.cause) || names_owner) return doing;
  const std::string message = MessageName(*contributor.message);
  const bool is_half = contributor.stacks_us * 2'000 >= contributor.ns;
  if (!contributor.place || !is_half)
    return doing.empty() ? message : format("{} in {}", doing, message);
  return format("{}{}{}{}", doing, doing.empty() ? "" : " in ", contributor.place->method,
                is_same ? "" : format(" ({})", message));
}

// What the headline and the next step are about, by its cause.
struct Subject {
  Cause cause;
  const Culprit* place;  // may be null
  std::string who;       // "the main thread"
  uint64_t ns;
};

// "an earlier message", "2 earlier messages", "an earlier idle handler"
std::string EarlierText(const Contributor& row) {
  if (row.messages > 1) return format("{} earlier messages", Grouped(row.messages));
  const bool is_handler = row.message && row.message->segment == model::Segment::kIdleHandler;
  const bool is_message = !row.message || row.message->segment == model::Segment::kNone;
  return is_handler   ? "an earlier idle handler"
         : is_message ? "an earlier message"
                      : std::string(index::SegmentText(row.message->segment));
}

Subject SubjectOf(const Verdict& verdict) {
  const Contributor* lead = verdict.LeadRow();
  if (verdict.kind == Kind::kEarlier && lead != nullptr)
    return {lead->cause, lead->place ? &*lead->place : nullptr, EarlierText(*lead), lead->ns};
  return {verdict.cause, verdict.culprit ? &*verdict.culprit : nullptr, "the main thread",
          verdict.told_ns};
}

std::string HeadlineOfWait(const Verdict& verdict, const Subject& subject, const std::string& who,
                           const std::string& method) {
  const std::string time = Seconds(subject.ns);
  const WaitChain& chain = verdict.chain;
  if (verdict.ThreadsOfChain() < 2 || verdict.kind == Kind::kEarlier)
    return method.empty() ? format("{} waited {}", who, time)
                          : Headline(format("{} waited {} in ", who, time), method, "");
  const std::string& thread = chain.threads[1].thread;
  switch (chain.threads[0].wait) {
    case model::WaitKind::kClassInit: {
      const std::string before = format("{} waited {} for class ", who, time);
      const std::string after = format(" to initialise on thread {}", thread);
      const std::string_view name = WithoutPackage(chain.threads[0].wait_class);
      const bool has_room =
          text::CharacterCount(before) + text::CharacterCount(name) + text::CharacterCount(after) <=
          kLongestHeadline;
      return Headline(before, name, has_room ? after : " to initialise");
    }
    case model::WaitKind::kJoin:
      return format("{} waited {} for thread {} to end", who, time, thread);
    case model::WaitKind::kSynchronizer:
      return format("{} waited {} for a lock held by thread {}", who, time, thread);
    default: return format("{} waited {} for thread {}", who, time, thread);
  }
}

// Of the kinds that name a method, a lock or a message.
std::string HeadlineOfSubject(const Verdict& verdict) {
  const Subject subject = SubjectOf(verdict);
  const std::string who = Capital(subject.who);
  const std::string time = Seconds(subject.ns);
  const std::string method = subject.place != nullptr ? subject.place->method : "";
  const std::string_view in = method.empty() ? "" : " in ";
  const Contributor* lead = verdict.LeadRow();
  switch (subject.cause) {
    case Cause::kSleep: return Headline(format("{} slept for {}{}", who, time, in), method, "");
    case Cause::kWait: return HeadlineOfWait(verdict, subject, who, method);
    case Cause::kLock: {
      const Thread holder = !verdict.holders.empty() ? verdict.holders[0]
                            : lead != nullptr        ? lead->owner
                                                     : Thread();
      if (!holder.is_known())
        return Headline(format("{} waited {} for a lock{}", who, time, in), method, "");
      const std::string others =
          verdict.holders.size() < 2
              ? ""
              : format(" and {} more", Grouped(verdict.holders.size() - 1 + verdict.more_holders));
      return Headline(format("{} waited {} for a lock held by thread ", who, time),
                      holder.name.empty() ? std::to_string(holder.tid) : holder.name, others);
    }
    case Cause::kBinder:
      return Headline(format("A binder call{}", in), method,
                      format(" kept {} waiting for {}", subject.who, time));
    case Cause::kInputOutput:
      return Headline(format("I/O{}", in), method,
                      format(" kept {} waiting for {}", subject.who, time));
    case Cause::kStill:
      return lead != nullptr && lead->lost_stacks
                 ? format("{} waited {}; no stacks were kept", who, time)
                 : Headline(format("{} stood idle for {}{}", who, time, in), method,
                            ", reason unknown");
    default: break;
  }
  if (!method.empty())
    return Headline("", method, format(" kept {} busy for {}", subject.who, time));
  if (verdict.kind == Kind::kEarlier && lead != nullptr && lead->message)
    return Headline("", MessageName(*lead->message),
                    format(" kept the main thread busy for {}", time));
  return format("{} was busy for {}", who, time);
}

std::string HeadlineOfDeadlock(const WaitChain& chain) {
  const std::string last = chain.threads.back().thread;
  if (chain.threads.size() == 2 && chain.loop == 0)
    return Headline("Deadlock: main and thread ", last, " wait for each other");
  const size_t others = chain.threads.size() - std::max<size_t>(chain.loop, 1);
  return chain.loop == 0
             ? format("Deadlock: main and {} other threads wait for each other", others)
             : format("Deadlock: main waits for {} threads that wait for each other", others);
}

std::string HeadlineOf(const Verdict& verdict) {
  const std::string time = Seconds(verdict.told_ns);
  switch (verdict.kind) {
    case Kind::kNothingSlow:
      return verdict.told_ns == 0 ? "No slow message was seen"
                                  : format("Nothing slow: the longest message took {}", time);
    case Kind::kNotEnoughData:
      return verdict.is_unwatched ? "No Looper was watched: nothing is known about messages"
             : verdict.is_idle
                 ? format("The main thread was idle for {} while a message waited", time)
             : verdict.cause == Cause::kOutside && verdict.waiting
                 ? format("The main thread spent {} outside messages", time)
             : verdict.waiting
                 ? format("{} of waiting cannot be explained", Seconds(verdict.window_ns))
             : verdict.is_anr ? "No recorded message explains the ANR"
                              : "No recorded message explains what the main thread did";
    case Kind::kNoSamples:
      return format("A message without samples kept the main thread busy for {}", time);
    case Kind::kSpread: return format("Many methods kept the main thread busy for {}", time);
    case Kind::kEarlier:
      return verdict.lead_reason == LeadReason::kTogether
                 ? format("{} kept the main thread busy for {}",
                          Counted(verdict.messages, "earlier message"), time)
                 : HeadlineOfSubject(verdict);
    case Kind::kFlood:
      if (verdict.told_ns == 0)
        return format("The queue is flooded: {} were waiting",
                      Counted(verdict.late_messages, "message"));
      return format(
          "{} kept the main thread busy for {}{}", Counted(verdict.messages, "short message"), time,
          verdict.late_messages == 0 ? ""
                                     : format("; {} more waited", Grouped(verdict.late_messages)));
    case Kind::kLeakedBarrier:
      return format("A sync barrier blocked the message queue for {}", time);
    case Kind::kStarved:
      return format("The main thread was ready to run but got no CPU for {}", time);
    case Kind::kShortOfMemory:
      return format("The system was short of memory; slow messages took {}", time);
    case Kind::kProcessFrozen: return format("The process was frozen for {}", time);
    case Kind::kRuntimeWait: {
      const ThreadState state = verdict.LeadRow()->state;
      return state == ThreadState::kCollecting
                 ? format("The main thread collected garbage for {}", time)
             : state == ThreadState::kWaitingForGc
                 ? format("The main thread waited {} for the garbage collector", time)
                 : format("The runtime kept the main thread waiting for {}", time);
    }
    case Kind::kDeadlock: return HeadlineOfDeadlock(verdict.chain);
    case Kind::kMethod:
    case Kind::kStandstill:
    case Kind::kBlocked:
    case Kind::kBinderCall:
    case Kind::kInputOutput: break;
  }
  return verdict.is_at_dump
             ? format(
                   "At the dump the main thread {}{}",
                   verdict.kind == Kind::kBlocked ? "was blocked on a lock" : "was waiting",
                   verdict.holders.empty() ? "" : format(" of thread {}", verdict.holders[0].name))
             : HeadlineOfSubject(verdict);
}

std::string EvidenceText(const Verdict& verdict, const Evidence& is);

// Writes the sentence: what must be said, and then what there is room for.
class SentenceWriter {
 public:
  explicit SentenceWriter(const Verdict& verdict) : verdict_(verdict) {}

  std::string Write() {
    text_ = Lead();
    AddShare();
    AddOthers();
    while (WordsOf(text_) > kMostWords) text_.resize(text_.rfind(' '));
    while (!text_.empty() && (text_.back() == ',' || text_.back() == ';')) text_.pop_back();
    return text_ + ".";
  }

 private:
  bool Fits(std::string_view more) const { return WordsOf(text_) + WordsOf(more) <= kMostWords; }

  std::string Part(uint64_t ns) const { return Share(ns, verdict_.window_ns); }

  std::string During() const {
    if (!verdict_.message) return "";
    const bool is_itself =
        verdict_.culprit && verdict_.culprit->method == verdict_.message->callback;
    const std::string name =
        is_itself ? "an " + std::string(index::SegmentText(verdict_.message->segment))
        : verdict_.message->target.empty() && verdict_.message->callback.empty() &&
                verdict_.message->segment == model::Segment::kNone
            ? "an unidentified message"
            : MessageName(*verdict_.message);
    return format(" during {}{}", name, verdict_.is_running ? ", which was still running" : "");
  }

  // ", shared by app.Feed.sort 40%": of the time in question, as all shares of the sentence.
  std::string Shared(const Culprit& culprit) const {
    const bool has_callees = culprit.besides.empty() && verdict_.kind == Kind::kMethod;
    const bool is_one = culprit.callees.size() == 1 && culprit.more_callees == 0;
    std::string text;
    for (const auto& [name, us] : has_callees ? culprit.callees : culprit.besides)
      text += format("{} {} {}",
                     !text.empty()  ? ","
                     : !has_callees ? ", beside"
                     : is_one       ? ", partly in"
                                    : ", shared by",
                     name, Part(us * 1000));
    if (has_callees && culprit.more_callees > 0)
      text += format(" and {}", Counted(culprit.more_callees, "other"));
    return text;
  }

  std::string InCulprit() const {
    if (verdict_.culprit)
      return " in " + Where(*verdict_.culprit, verdict_.cause) + Shared(*verdict_.culprit);
    // Of one look: where the main thread stood.
    if (!verdict_.is_at_dump || verdict_.chain.threads.empty()) return "";
    const Waiter& main = verdict_.chain.threads[0];
    const std::string& inner = main.stack.empty() ? main.own_frame : main.stack.front();
    return inner.empty() ? ""
           : main.own_frame.empty() || inner == main.own_frame
               ? " in " + inner
               : format(" in {}, called from {}", inner, main.own_frame);
  }

  // "; loader was in app.A.load (A.java:3), waiting for db"
  std::string Chain() const {
    const WaitChain& chain = verdict_.chain;
    std::string text;
    for (size_t i = 1; i < std::min<size_t>(verdict_.ThreadsOfChain(), 4); ++i) {
      const Waiter& waiter = chain.threads[i];
      const bool has_frame = i == 1 && !waiter.own_frame.empty();
      text += format("{}{}{}",
                     i == 1                                          ? "; "
                     : i == 2 && !chain.threads[1].own_frame.empty() ? ", waiting for "
                                                                     : " waits for ",
                     waiter.thread, has_frame ? " was in " + waiter.own_frame : "");
      if (i == 1 && !has_frame && verdict_.ThreadsOfChain() == 2) text += " has it";
    }
    if (verdict_.is_chain_later) return text;
    if (chain.is_timed_circle()) text += ", waiting for main until a timeout";
    if (!chain.in_queue.empty())
      text += format(", perhaps waiting for {} in this queue", chain.in_queue);
    return text;
  }

  std::string Deadlock() const {
    const WaitChain& chain = verdict_.chain;
    std::string text;
    for (size_t i = 0; i < std::min<size_t>(chain.threads.size(), 3); ++i) {
      const Waiter& waiter = chain.threads[i];
      const size_t next = i + 1 < chain.threads.size() ? i + 1 : chain.loop;
      text += format("{}{} waits{}{} for {}, held by {}", i == 0 ? "" : "; ",
                     i == 0 ? "Main" : waiter.thread, waiter.own_frame.empty() ? "" : " in ",
                     waiter.own_frame, WaitsFor(waiter),
                     next == 0 ? "main" : chain.threads[next].thread);
    }
    return text + ". It will never end";
  }

  // "; db-writer held it 60%, cache 20% and 2 others"
  std::string Holders() const {
    if (verdict_.holders.empty()) return "";
    uint64_t told_ns = 0;
    uint64_t first_ns = 0;
    for (const Contributor& row : verdict_.contributors) {
      told_ns += row.is_told ? row.ns : 0;
      if (row.is_told && row.owner == verdict_.holders[0]) first_ns = row.ns;
    }
    // Unless another held it at times, or who it was is not known.
    const bool is_one = verdict_.holders.size() == 1 && verdict_.more_holders == 0 &&
                        (first_ns == 0 || first_ns * 10 >= told_ns * 9);
    if (is_one)
      return format("; {} {}", verdict_.holders[0].name,
                    verdict_.holder_frame.empty() ? (verdict_.still_holds ? "holds it" : "held it")
                                                  : "was in " + verdict_.holder_frame);
    std::string text;
    size_t named = 0;
    for (const Contributor& row : verdict_.contributors) {
      if (!row.is_told || named == verdict_.holders.size() || !row.owner.is_known()) continue;
      text += format("{} {}{} {}", named == 0 ? ";" : ",", row.owner.name,
                     named == 0 ? " held it" : "", Part(row.ns));
      ++named;
    }
    return verdict_.more_holders == 0
               ? text
               : format("{} and {}", text, Counted(verdict_.more_holders, "other"));
  }

  std::string Lock() const {
    const bool has_chain = verdict_.ThreadsOfChain() > 1 && verdict_.holders.size() < 2;
    const std::string last = has_chain ? verdict_.chain.threads[1].thread : "";
    if (has_chain && !verdict_.still_holds && !verdict_.holders.empty() &&
        verdict_.holders[0].name != last)
      return format("Main waited{}{}; {} held it, {} at the dump", InCulprit(), During(),
                    verdict_.holders[0].name, last);
    return format("Main waited{}{}{}", InCulprit(), During(), has_chain ? Chain() : Holders());
  }

  std::string Standstill() const {
    const bool has_thread = verdict_.ThreadsOfChain() > 1;
    const ThreadState state = verdict_.culprit ? verdict_.culprit->state : ThreadState::kUnknown;
    const bool is_of_runtime =
        state == ThreadState::kWaitingForClass || state == ThreadState::kWaitingForLibrary;
    const bool joins = has_thread && verdict_.chain.threads[0].wait == model::WaitKind::kJoin;
    const std::string did =
        verdict_.cause == Cause::kSleep   ? "slept"
        : verdict_.cause == Cause::kStill ? "stood idle, reason unknown,"
        : verdict_.cause == Cause::kLock  ? "was blocked on a lock"
        : joins         ? format("waited for {} to end", verdict_.chain.threads[1].thread)
        : has_thread    ? format("waited for {}", WaitsFor(verdict_.chain.threads[0]))
        : is_of_runtime ? format("was {}", calltree::StateText(state))
                        : "waited";
    return format("Main {}{}{}{}", did, InCulprit(), During(), Chain());
  }

  std::string Earlier() const {
    const Contributor& lead = *verdict_.LeadRow();
    const bool has_leaf = lead.place && IsInLeaf(*lead.place) && IsOfWork(lead.cause) &&
                          lead.stacks_us * 2'000 >= lead.ns;
    const std::string shared = lead.place ? Shared(*lead.place) : "";
    const std::string first =
        Brief(lead, false) + shared + (has_leaf ? ", mostly in " + lead.place->leaf : "");
    if (verdict_.lead_reason == LeadReason::kTogether)
      return format("{} had ended, the longest {} {}", Counted(verdict_.messages, "slow message"),
                    first, Part(lead.ns));
    return verdict_.messages <= 1 ? first
                                  : format("{} slow messages had ended, the longest {}",
                                           Grouped(verdict_.messages), first);
  }

  std::string NotEnough() const {
    if (verdict_.is_unwatched) return "No Looper was watched, so no message was recorded";
    if (verdict_.cause == Cause::kOutside && verdict_.is_idle)
      return "The main thread had nothing to do: a sync barrier that was removed again may have "
             "held "
             "the queue, or the message was posted for a past time";
    if (verdict_.cause == Cause::kOutside && verdict_.window_ns > 0)
      return "The main thread was not in a message: in the loop's own code, idle handlers, input "
             "or "
             "native code";
    return "Recorded messages explain too little of the time";
  }

  std::string Flood() const {
    if (verdict_.told_ns > 0 && verdict_.lead) return QuickText(*verdict_.LeadRow());
    const auto late = std::ranges::find(verdict_.evidence, Evidence::Kind::kLate, &Evidence::kind);
    std::string text = late == verdict_.evidence.end() ? "." : EvidenceText(verdict_, *late);
    text.pop_back();
    return text;
  }

  std::string Lead() const {
    const Contributor* lead = verdict_.LeadRow();
    switch (verdict_.kind) {
      case Kind::kMethod:
        return format(
            "{}{}{}ran{}", Where(*verdict_.culprit, Cause::kWork), Shared(*verdict_.culprit),
            IsInLeaf(*verdict_.culprit) || !Shared(*verdict_.culprit).empty() ? ", " : " ",
            During());
      case Kind::kSpread: return "No single method has half of the time" + During();
      case Kind::kStandstill: return Standstill();
      case Kind::kBlocked: return Lock();
      case Kind::kDeadlock: return Deadlock();
      case Kind::kBinderCall: return "Main waited for another process" + InCulprit() + During();
      case Kind::kInputOutput: return "Main did I/O" + InCulprit() + During();
      case Kind::kNoSamples: return "No sample tells which method it was" + During();
      case Kind::kEarlier: return Earlier();
      case Kind::kFlood: return Flood();
      case Kind::kLeakedBarrier:
        return format("It was never removed, and {} behind it {}",
                      Counted(verdict_.late_messages, "message"),
                      verdict_.late_messages == 1 ? "waits" : "wait");
      case Kind::kStarved:
        return verdict_.is_rival_known
                   ? format("Thread {} used the CPU meanwhile", verdict_.threads.front())
                   : "It waited for a CPU while it was ready to run";
      case Kind::kShortOfMemory: return "The slow messages hardly used the CPU";
      case Kind::kProcessFrozen: return "None of its threads ran, so its messages look long";
      case Kind::kRuntimeWait:
        return "Main was " + Doing(*lead) +
               (lead->place ? " in " + Where(*lead->place, Cause::kRuntime) : "");
      case Kind::kNotEnoughData: return NotEnough();
      case Kind::kNothingSlow: break;
    }
    return "No message kept the main thread for long";
  }

  void AddShare() {
    if (verdict_.window_ns == 0 || verdict_.told_ns == 0 || verdict_.kind == Kind::kNothingSlow ||
        verdict_.kind == Kind::kDeadlock)
      return;
    const bool is_all = verdict_.told_ns * 1000 >= verdict_.window_ns * 995;
    const std::string share =
        format(": {}the {}{}", is_all ? "all of " : Part(verdict_.told_ns) + " of ",
               verdict_.is_cut ? "last " : "", Seconds(verdict_.window_ns));
    const std::string waiting =
        verdict_.waiting ? format(" that {} waited", MessageName(*verdict_.waiting)) : "";
    if (Fits(share + waiting))
      text_ += share + waiting;
    else if (Fits(share))
      text_ += share;
  }

  bool IsSameMessage(const Contributor& row) const {
    return verdict_.kind != Kind::kEarlier && verdict_.token && row.tokens.size() == 1 &&
           row.tokens[0] == *verdict_.token;
  }

  void AddOthers() {
    size_t others = 0;
    size_t small = 0;
    uint64_t small_ns = 0;
    for (const Contributor& contributor : verdict_.contributors) {
      if (contributor.is_told || contributor.cause == Cause::kUnseen) continue;
      if (contributor.ns * 100 < verdict_.window_ns * kNamedPercent || others == kMostOthers) {
        const bool is_earlier = contributor.message && !contributor.is_running &&
                                !IsOfSystem(contributor.cause) && verdict_.kind != Kind::kEarlier;
        small += is_earlier ? 1 : 0;
        small_ns += is_earlier ? contributor.ns : 0;
        continue;
      }
      const std::string more =
          format("{} {} {}", others == 0 ? ". Then" : ",",
                 Brief(contributor, IsSameMessage(contributor)), Part(contributor.ns));
      if (!Fits(more)) continue;
      text_ += more;
      ++others;
    }
    const std::string more = format("{} {} other earlier messages {} together",
                                    others == 0 ? ". Then" : ",", small, Part(small_ns));
    if (small > 1 && small_ns * 100 >= verdict_.window_ns * kNamedPercent && Fits(more))
      text_ += more;
  }

  const Verdict& verdict_;
  std::string text_;
};

// What to do about it, by what it was.
std::string StepFor(const Verdict& verdict) {
  const Subject subject = SubjectOf(verdict);
  const std::string method = subject.place != nullptr ? subject.place->method : "";
  const std::string in = method.empty() ? "" : " in " + method;
  const std::string thread = verdict.ThreadsOfChain() > 1 ? verdict.chain.threads[1].thread
                             : !verdict.holders.empty()   ? verdict.holders[0].name
                                                          : "";
  switch (subject.cause) {
    case Cause::kSleep: return format("Remove the sleep{}, or move it off the main thread.", in);
    case Cause::kWait:
      return thread.empty()
                 ? format("Do not wait on the main thread{}; let a callback continue.", in)
                 : format("Do not wait for thread {} on the main thread{}.", thread, in);
    case Cause::kLock:
      return thread.empty()
                 ? format("Find who holds the lock{}, and shorten what it does meanwhile.", in)
                 : format("Shorten what {} does while it holds the lock{}.", thread,
                          verdict.holder_frame.empty() ? "" : ": " + verdict.holder_frame);
    case Cause::kBinder:
      return format("Make the binder call{} from another thread, or cache its result.", in);
    case Cause::kInputOutput: return format("Move the I/O{} off the main thread.", in);
    case Cause::kStill:
      return "Compare with other dumps: the thread may have waited for memory pages.";
    default: break;
  }
  if (method.empty()) return "Open the flame graph, and move what is widest off the main thread.";
  const bool has_line =
      subject.place->place.find(':') != std::string::npos && subject.place->held_us > 0;
  return format("Move {} off the main thread or do less in it.{}", method,
                has_line ? format(" Hottest line: {} ({} of its time).", subject.place->place,
                                  Share(subject.place->line_us, subject.place->held_us))
                         : "");
}

std::string NextStep(const Verdict& verdict) {
  switch (verdict.kind) {
    case Kind::kNothingSlow: return "Nothing to do in this dump.";
    case Kind::kNotEnoughData:
      return "Take another dump; see whether the tap and the sampler were on.";
    case Kind::kNoSamples: return "See why it has no samples, and take another dump.";
    case Kind::kSpread:
      return "Split the message, or look in the flame graph for what its methods share.";
    case Kind::kFlood: {
      const Contributor* lead = verdict.LeadRow();
      const bool is_known = lead != nullptr && lead->message;
      return is_known ? format("Remove pending {} messages before posting new ones.",
                               MessageName(*lead->message))
                      : "Remove pending messages before posting new ones.";
    }
    case Kind::kLeakedBarrier:
      return "Find code that changes views off the main thread, or posts a sync barrier without "
             "removing it.";
    case Kind::kStarved:
      return verdict.is_rival_known
                 ? format("Give thread {} less work or a lower priority.", verdict.threads.front())
                 : "Look at other dumps first: other processes used the CPUs.";
    case Kind::kShortOfMemory:
      return "Look at other dumps first; use less memory on small devices.";
    case Kind::kProcessFrozen: return "Look at other dumps: the code is not to blame.";
    case Kind::kRuntimeWait: {
      const Contributor* lead = verdict.LeadRow();
      return lead != nullptr && lead->place ? format("Allocate less in {}.", lead->place->method)
                                            : "Allocate less while the main thread is busy.";
    }
    case Kind::kDeadlock: return "Take the locks in the same order in all places.";
    default: return StepFor(verdict);
  }
}

std::string ConfidenceText(const Verdict& verdict) {
  const std::string samples = Counted(verdict.samples, "sample");
  const auto why = [&]() -> std::string {
    switch (verdict.confidence_reason) {
      case ConfidenceReason::kExplained:
        return verdict.samples == 0
                   ? format("{} of the time explained", Share(verdict.told_ns, verdict.window_ns))
                   : format("{}, {} of the time explained", samples,
                            Share(verdict.told_ns, verdict.window_ns));
      case ConfidenceReason::kCertain: return "it was seen, and not estimated";
      case ConfidenceReason::kSmallShare:
        return format("it has {} of the time only", Share(verdict.told_ns, verdict.window_ns));
      case ConfidenceReason::kFewSamples: return format("{}, too few or too different", samples);
      case ConfidenceReason::kEstimate: return "estimated, the kernel did not count it";
      case ConfidenceReason::kNamesMissing: return "too many methods have no names";
      case ConfidenceReason::kOneLook: return "one look at the stacks, no measurement";
      case ConfidenceReason::kUnseen: return "too little was recorded";
    }
    return "";
  };
  return format("{}: {}", ConfidenceName(verdict.confidence), why());
}

std::string AnrText(const Anr& anr) {
  const std::string limit = anr.limit.empty() ? "" : format(" (limit {})", anr.limit);
  if (anr.source == AnrSource::kWaitingMessage)
    return format("ANR type: {}{}, guessed from the queue ({}); the system gave no reason.",
                  AnrKindName(anr.kind), limit, anr.reason);
  return format("ANR type: {}{}{}: \"{}\".", AnrKindName(anr.kind), limit,
                anr.component.empty() ? "" : " of " + anr.component, anr.reason);
}

// "a lock on app.Store held by thread db (tid 12), which waits for ..."
std::string ChainText(const WaitChain& chain) {
  std::string text;
  for (size_t i = 0; i < chain.threads.size(); ++i) {
    const size_t next = i + 1 < chain.threads.size() ? i + 1 : chain.loop;
    if (next == WaitChain::kNone) break;
    text += format("{}{} of {}", i == 0 ? "" : ", which waits for ", WaitsFor(chain.threads[i]),
                   next == 0 ? "the main thread"
                             : ThreadText({chain.threads[next].thread, chain.threads[next].tid}));
  }
  return text;
}

std::string EvidenceText(const Verdict& verdict, const Evidence& is) {
  using Is = Evidence::Kind;
  const std::string part = Share(is.ns, is.of_ns);
  const std::string both = format("{} of {} ({})", Seconds(is.ns), Seconds(is.of_ns), part);
  const std::string thread = ThreadText({is.name, static_cast<uint32_t>(is.count)});
  switch (is.kind) {
    case Is::kHottestLine:
      return format("Hottest line: {}, {} of the method's {}.", is.name, Seconds(is.ns),
                    Seconds(is.of_ns));
    case Is::kInside: return format("It was mostly inside {}.", At(is.name, is.other));
    case Is::kCaller: return format("Called from {}.", At(is.name, is.other));
    case Is::kState:
      return format("Meanwhile the main thread was mostly {}.", calltree::StateText(is.state));
    case Is::kShared: return format("{} took {}.", is.name, both);
    case Is::kGuess:
      return format("Compiled code: {} may belong to methods inlined into the ones named.", both);
    case Is::kCpu:
      return format("The message used {} of CPU time in {} ({}): {}.", Seconds(is.ns),
                    Seconds(is.of_ns), part,
                    is.ns * 4 >= is.of_ns * 3           ? "it was computing"
                    : is.ns * 4 > is.of_ns              ? "it computed for part of it only"
                    : is.state == ThreadState::kBlocked ? "it was blocked"
                    : is.state == ThreadState::kRunnable
                        ? "it got no CPU for most of it"
                        : "it was waiting or got no CPU for most of it");
    case Is::kNoCpu: return format("It was runnable but got no CPU for {}.", both);
    case Is::kDueBefore: return format("It had waited {} before it began.", Seconds(is.ns));
    case Is::kNoSample: return "Most of its time has no samples.";
    case Is::kTreeNotKept:
      return format(
          "{} of its stack were taken, but not kept: trees are kept for the latest long messages.",
          Counted(is.count, "sample"));
    case Is::kSamplerOff: return format("The sampler was off: {}.", is.name);
    case Is::kKernelCall:
      return format("In the kernel it waited in {} for {}.", is.name, Seconds(is.ns));
    case Is::kHolder:
      return format("{} held the lock on {} for {}.", Capital(thread), is.other, Seconds(is.ns));
    case Is::kHolderAt:
      return format("{} {} the lock in {}.", Capital(thread),
                    is.of_count == 0 ? "entered" : "holds, most likely,", is.other);
    case Is::kChain: return format("Main waits for {}.", ChainText(verdict.chain));
    case Is::kChainAt: return format("At the dump {} was in {}.", thread, is.other);
    case Is::kCandidate:
      return format("{} may end the wait: it was in {}.", Capital(thread), is.other);
    case Is::kWaitedFor:
      return format("It waited for {}; which thread can end that is not known.",
                    WaitsFor(verdict.chain.threads[0]));
    case Is::kLaterWait:
      return format("At the dump it waited for something else: {}.", ChainText(verdict.chain));
    case Is::kWaiting: return format("{} has been waiting for {}.", is.name, Seconds(is.ns));
    case Is::kMessage: return format("{} took {} (token {}).", is.name, both, is.count);
    case Is::kRunning:
      return format("The running message took {}: {}.", both,
                    is.ns * 10 < is.of_ns ? "its stack is not the cause"
                                          : "its stack is only part of the cause");
    case Is::kLate:
      return format("{} of {} late messages{} are {}.", Grouped(is.count), Grouped(is.of_count),
                    is.ns <= is.of_count ? ""
                                         : format(" (of {}{} in the queue)",
                                                  is.of_ns > 0 ? "at least " : "", Grouped(is.ns)),
                    is.name);
    case Is::kQuickCpu:
      return format(
          "Short messages used {} of CPU time in {} ({}): they waited or got no CPU for the rest.",
          Seconds(is.ns), Seconds(is.of_ns), part);
    case Is::kQuickAndSlow:
      return format("Short messages took {}, slow ones {}.", Seconds(is.ns), Seconds(is.of_ns));
    case Is::kIdle: return format("The main thread had nothing to do for {}.", both);
    case Is::kMainAt:
      return format("At the dump no message ran, and the main thread was in {}.", is.name);
    case Is::kRecorderSawNone:
      return "The recorder saw that neither the main thread nor the profiler ran.";
    case Is::kClockStood: return "No sample was taken meanwhile, and the CPU clock did not move.";
    case Is::kPressure:
      return format(
          "Short of memory: in the last 10 s all tasks waited for memory for {:.1f}% of the time, "
          "some for {:.1f}%.",
          static_cast<double>(is.count) / 10, static_cast<double>(is.of_count) / 10);
    case Is::kLittleMemory:
      return format(
          "Short of memory: {} of {} MiB were available, and the process had {} major page faults.",
          is.ns >> 20U, is.of_ns >> 20U, Grouped(is.count));
    case Is::kRivalsUnknown:
      return is.ns == 0
                 ? "Which threads used the CPUs is not known: the dump lists none."
                 : format(
                       "Which threads used the CPUs is not known: they were watched for {} only.",
                       Seconds(is.ns));
    case Is::kRival:
      return format("{} used {} of CPU time in {}{}.", Capital(thread), Seconds(is.ns),
                    Seconds(is.of_ns),
                    is.of_count == 0 ? "" : format(", {}% of it in the kernel", is.of_count));
    case Is::kEndedRivals:
      return format("Threads that have ended used {} of CPU time in {}.", Seconds(is.ns),
                    Seconds(is.of_ns));
    case Is::kOtherProcesses:
      return is.count == 0 ? "No thread of this app was busy: other processes used the CPUs."
                           : "That is too little: other processes used the CPUs for longer.";
    case Is::kSystemBusy:
      return format("All CPUs together were busy for {:.1f}%.", static_cast<double>(is.count) / 10);
    case Is::kCollections:
      return format("Since its start the process had {}{}.",
                    Counted(is.count, "blocking collection"),
                    is.ns == 0 ? "" : format(", which took {}", Seconds(is.ns)));
    case Is::kNameless:
      return format("The table of names was full: {} went through methods without names.", both);
    case Is::kCut: return format("Callers are missing for {}: {}.", both, is.name);
    case Is::kAnr: return AnrText(*verdict.anr);
  }
  return "";
}

}  // namespace

std::string ThreadText(const Thread& thread) {
  if (thread.tid == 0) return thread.name.empty() ? "" : "thread " + thread.name;
  return thread.name.empty() ? format("thread {}", thread.tid)
                             : format("thread {} (tid {})", thread.name, thread.tid);
}

std::string WaitsFor(const Waiter& waiter) {
  const std::string& name = waiter.wait_class;
  const auto with = [&name](std::string_view before, std::string_view alone) {
    return name.empty() ? std::string(alone) : format("{}{}", before, name);
  };
  switch (waiter.wait) {
    case model::WaitKind::kNone: return "";
    case model::WaitKind::kMonitor: return with("a lock on ", "a lock");
    case model::WaitKind::kObject: return with("a notification of ", "a notification");
    case model::WaitKind::kPark: return with("", "a permit");
    case model::WaitKind::kSynchronizer: return with("the lock ", "a lock");
    case model::WaitKind::kFuture: return with("the result of ", "a task's result");
    case model::WaitKind::kJoin: return "the end";
    case model::WaitKind::kClassInit:
      return with("the initialisation of class ", "a class to initialise");
  }
  return "";
}

std::string Label(const Contributor& contributor) {
  if (contributor.folded > 0) return Counted(contributor.folded, "further message");
  if (contributor.cause == Cause::kQuick) return QuickText(contributor);
  const std::string doing = Doing(contributor);
  if (!contributor.message || contributor.cause == Cause::kNoCpu ||
      contributor.cause == Cause::kFrozen)
    return doing;
  std::string text = contributor.cause == Cause::kRuntime ? "" : MessagesText(contributor);
  if (!doing.empty()) text += (text.empty() ? "" : ": ") + doing;
  if (!contributor.place) return text;
  const std::string where = Where(*contributor.place, contributor.cause) + BesidesText(contributor);
  const bool is_half = contributor.stacks_us * 2'000 >= contributor.ns;
  return doing.empty() && is_half ? format("{}: {}", text, where)
         : is_half
             ? format("{} in {}", text, where)
             : format("{} ({} of it in {})", text, Seconds(contributor.stacks_us * 1000), where);
}

Words Tell(const Verdict& verdict) {
  Words words = {HeadlineOf(verdict),
                 SentenceWriter(verdict).Write(),
                 NextStep(verdict),
                 ConfidenceText(verdict),
                 {}};
  words.headline = text::Truncated(words.headline, kLongestHeadline);
  for (const Evidence& each : verdict.evidence)
    words.evidence.push_back(EvidenceText(verdict, each));
  return words;
}

}  // namespace stillframe::verdict
