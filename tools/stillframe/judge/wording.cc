// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/judge/device_words.h"
#include "tools/stillframe/judge/evidence_text.h"
#include "tools/stillframe/judge/filled_text.h"

namespace stillframe::judge {
namespace {

using fmt::format;
using index::Counted;
using index::Grouped;
using index::Seconds;
using index::Share;
using model::ThreadState;

constexpr size_t kMostWords = 40;
constexpr size_t kMostOthers = 3;
constexpr uint64_t kWorthNamingPercent = 20;  // of the time in question

size_t WordsOf(std::string_view text) {
  return text.empty() ? 0 : static_cast<size_t>(std::ranges::count(text, ' ')) + 1;
}

// Android's own messages are known by the name of their code.
std::string MessageName(const index::Dispatch& dispatch) {
  const std::string_view nested = dispatch.is_nested ? "nested " : "";
  if (dispatch.system_name.empty()) return format("{}{}", nested, index::DispatchText(dispatch));
  return dispatch.component.empty()
             ? format("{}{}", nested, dispatch.system_name)
             : format("{}{} of {}", nested, dispatch.system_name, dispatch.component);
}

bool IsInLeaf(const Culprit& culprit) { return culprit.leaf != culprit.method; }

bool IsWorkCause(Cause cause) { return cause == Cause::kWork || cause == Cause::kStill; }

// "app.Feed.parse, mostly in Gson.read", "java.lang.Thread.sleep, called from app.Net.fetch
// (Net.java:4)"
std::string Where(const Culprit& culprit, Cause cause) {
  if (!IsInLeaf(culprit)) return At(culprit.method, culprit.place);
  return IsWorkCause(cause)
             ? format("{}, mostly in {}", culprit.method, culprit.leaf)
             : format("{}, called from {}", culprit.leaf, At(culprit.method, culprit.place));
}

// How a contributor spent its time, before " in app.A.take": "sleeping".
std::string Doing(const Contributor& contributor) {
  switch (contributor.cause) {
    case Cause::kSleep: return "sleeping";
    case Cause::kWait:
      return contributor.state == ThreadState::kWaitingForClass ||
                     contributor.state == ThreadState::kWaitingForLibrary
                 ? std::string(index::TextOf(contributor.state))
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
                 ? std::string(index::TextOf(contributor.state))
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

// Causes that affect messages whatever they do.
bool IsSystemWide(Cause cause) {
  return cause == Cause::kNoCpu || cause == Cause::kFrozen || cause == Cause::kRuntime;
}

std::string QuickText(const Contributor& contributor) {
  const std::string count = Counted(contributor.messages, "short message");
  return contributor.message
             ? format("{}, most of them {}", count, MessageName(*contributor.message))
             : count;
}

std::string BesidesText(const Contributor& contributor, uint64_t window_ns) {
  const Culprit& culprit = *contributor.place;
  std::string text;
  for (const auto& [name, us] : culprit.besides.empty() ? culprit.callees : culprit.besides)
    if (us * 100 >= contributor.stacks_us * kWorthNamingPercent)
      text += format("{} {} ({})", text.empty() && culprit.besides.empty() ? ", including" : ",",
                     name, Share(us * 1000, window_ns));
  return text;
}

// For a sentence about other contributors: method, thread or message, without lines. `is_same`: the
// message is already named.
std::string Brief(const Contributor& contributor, bool is_same) {
  if (contributor.cause == Cause::kQuick) return QuickText(contributor);
  std::string doing = Doing(contributor);
  const bool names_owner = contributor.cause == Cause::kLock && contributor.owner.is_known();
  if (!contributor.message || IsSystemWide(contributor.cause) || names_owner) return doing;
  const std::string message = MessageName(*contributor.message);
  const bool is_half = contributor.stacks_us * 2'000 >= contributor.ns;
  if (!contributor.place || !is_half)
    return doing.empty() ? message : format("{} in {}", doing, message);
  return format("{}{}{}{}", doing, doing.empty() ? "" : " in ", contributor.place->method,
                is_same ? "" : format(" ({})", message));
}

// The subject of headline and next step, by cause.
struct Subject {
  Cause cause;
  const Culprit* place;  // may be null
  std::string who;       // "the main thread"
};

// "an idle handler", "code before the loop".
std::string WithArticle(model::SegmentKind kind) {
  const std::string_view text = index::TextOf(kind);
  const bool has_none = text.starts_with("code ") || text.starts_with("the ");
  return format("{}{}", has_none ? "" : text[0] == 'i' || text[0] == 'u' ? "an " : "a ", text);
}

// "an earlier message", "2 earlier messages", "an earlier idle handler", "code before the loop".
std::string EarlierText(const Contributor& row) {
  if (row.messages > 1) return format("{} earlier messages", Grouped(row.messages));
  const model::SegmentKind kind =
      row.message ? row.message->segment.kind : model::SegmentKind::kNone;
  if (kind == model::SegmentKind::kNone) return "an earlier message";
  const std::string text = WithArticle(kind);
  return text.starts_with("a") ? format("an earlier {}", index::TextOf(kind)) : text;
}

Subject SubjectOf(const Verdict& verdict) {
  const Contributor* lead = verdict.LeadRow();
  if (verdict.kind == Kind::kEarlier && lead != nullptr)
    return {lead->cause, lead->place ? &*lead->place : nullptr, EarlierText(*lead)};
  return {verdict.cause, verdict.culprit ? &*verdict.culprit : nullptr, "the main thread"};
}

Form FormOfWait(const Verdict& verdict, const std::string& in) {
  const WaitChain& chain = verdict.chain;
  const ThreadState state = verdict.culprit ? verdict.culprit->state : ThreadState::kUnknown;
  const bool is_of_runtime =
      state == ThreadState::kWaitingForClass || state == ThreadState::kWaitingForLibrary;
  Form form = {"{Who} waited {t}" + in,
               is_of_runtime ? "Main was {state}{place}{during}{chain}"
                             : "Main waited{place}{during}{chain}",
               "Do not wait on the main thread{in}; let a callback continue."};
  if (verdict.ThreadsOfChain() < 2 || verdict.kind == Kind::kEarlier) return form;
  form.sentence = "Main waited for {awaited}{place}{during}{chain}";
  form.step = "Do not wait for thread {thread} on the main thread{in}.";
  form.headline = "{Who} waited {t} for thread {thread}";
  if (chain.threads[0].wait == model::WaitKind::kSynchronizer)
    form.headline = "{Who} waited {t} for a lock held by thread {thread}";
  if (chain.threads[0].wait == model::WaitKind::kJoin) {
    form.headline = "{Who} waited {t} for thread {thread} to end";
    form.sentence = "Main waited for {thread} to end{place}{during}{chain}";
  }
  if (chain.threads[0].wait == model::WaitKind::kClassInit) {
    form.name = WithoutPackage(chain.threads[0].wait_class);
    const bool has_room = form.name.size() + chain.threads[1].thread.size() < 18;
    form.headline = "{Who} waited {t} for class {name} to initialise";
    if (has_room) form.headline += " on thread {thread}";
  }
  return form;
}

std::string StepOfDrawing(Drawing drawing, const char* method) {
  return drawing == Drawing::kCalls
             ? "make the layout cheaper: fewer and flatter views, less drawing"
             : format(
                   "do less in {}: it runs while views are composed, measured, laid out or drawn",
                   method);
}

// For kinds that name a method, a lock or a message.
Form FormOfSubject(const Verdict& verdict, const Subject& subject) {
  const Contributor* lead = verdict.LeadRow();
  const std::string in = subject.place != nullptr ? " in {name}" : "";
  switch (subject.cause) {
    case Cause::kSleep:
      return {"{Who} slept for {t}" + in, "Main slept{place}{during}{chain}",
              "Remove the sleep{in}, or move it off the main thread."};
    case Cause::kWait: return FormOfWait(verdict, in);
    case Cause::kLock: {
      const Thread holder = !verdict.holders.empty() ? verdict.holders[0]
                            : lead != nullptr        ? lead->owner
                                                     : Thread();
      if (!holder.is_known())
        return {"{Who} waited {t} for a lock" + in, "Main waited{place}{during}{holders}",
                "Find who holds the lock{in}, and shorten what it does meanwhile."};
      if (verdict.holders.size() + verdict.more_holders > 3)
        return {"{Who} waited {t} for locks held by {holder_count} threads in turn",
                "Main waited{place}{during}{holders}",
                "Shorten what they do while they hold the lock{in}."};
      // Threads in between only wait.
      const bool has_last = verdict.ThreadsOfChain() > 2 && !verdict.chain.is_circle();
      return {"{Who} waited {t} for a lock held by thread {name}{more}",
              "Main waited{place}{during}{holders}",
              has_last ? "Shorten what {last} does while others wait for it{last_frame}."
                       : "Shorten what {thread} does while it holds the lock{frame}.",
              holder.name.empty() ? std::to_string(holder.tid) : holder.name, NameKind::kThread};
    }
    case Cause::kBinder:
      return {"A binder call" + in + " kept {who} waiting for {t}",
              "Main waited for another process{place}{during}",
              "Make the binder call{in} from another thread, or cache its result."};
    case Cause::kInputOutput:
      return {"I/O" + in + " kept {who} waiting for {t}", "Main did I/O{place}{during}",
              "Move the I/O{in} off the main thread."};
    case Cause::kStill:
      return {lead != nullptr && lead->lost_stacks
                  ? "{Who} waited {t}; no stacks were kept"
                  : "{Who} was idle for {t}" + in + ", reason unknown",
              "Main was idle, reason unknown,{place}{during}",
              "Compare with other dumps: the thread may have waited for memory pages."};
    default: break;
  }
  Form form = {"{name} kept {who} busy for {t}", "{ran}{during}",
               subject.place == nullptr || subject.place->drawing == Drawing::kNone
                   ? "Move {name} off the main thread or do less in it.{line}"
                   : Capital(StepOfDrawing(subject.place->drawing, "{name}")) + ".{line}"};
  if (subject.place != nullptr) return form;
  form.step = "Open the flame graph, and move what is widest off the main thread.";
  if (verdict.kind == Kind::kEarlier && lead != nullptr && lead->message) {
    form = {"{Who}, {name}, took {t}", "", "See what {message} does: it has no stacks here.",
            MessageName(*lead->message)};
  } else {
    form.headline = "{Who} was busy for {t}";
  }
  return form;
}

Form FormOfNotEnough(const Verdict& verdict) {
  const std::string step = "Take another dump; see whether the tap and the sampler were on.";
  if (verdict.is_at_dump)
    return {"The main thread's stack is missing", "The text holds no frame of the main thread",
            "Give the whole text."};
  if (verdict.is_since_unknown)
    return {"The main thread was at work, since when is not known",
            "A probe, which was the tap, did not see the running message begin",
            "See the main thread's stack, and how late the first pending message is."};
  if (verdict.is_unwatched)
    return {"No message was seen: nothing is known about the main thread",
            "No Looper was watched, or its Looper ran no message", step};
  if (verdict.is_idle)
    return {
        "The main thread was idle for {t} while a message waited",
        "The main thread had nothing to do: a sync barrier that was removed again may have held "
        "the queue, or the message was posted for a past time",
        step};
  if (verdict.cause == Cause::kOutside && verdict.window_ns > 0)
    return {verdict.waiting ? "The main thread spent {t} outside messages"
                            : "No recorded message explains what the main thread did",
            "The main thread was not in a message: in the loop's own code, idle handlers, input or "
            "native code",
            step};
  return {verdict.waiting  ? "{window} of waiting cannot be explained"
          : verdict.is_anr ? "No recorded message explains the ANR"
                           : "No recorded message explains what the main thread did",
          "Recorded messages explain too little of the time", step};
}

Form FormOfDeadlock(const WaitChain& chain) {
  Form form = {
      "Deadlock: main and thread {name} wait for each other", "{deadlock}",
      std::any_of(chain.threads.begin(), chain.threads.end(),
                  [](const Waiter& waiter) { return waiter.wait == model::WaitKind::kClassInit; })
          ? "Initialise these classes on one thread, before the other one needs them."
          : "Take the locks in the same order in all places.",
      chain.threads.back().thread, NameKind::kThread};
  if (index::CharacterCount(form.name) > 25)
    form.headline = "Deadlock: main and {name} wait for each other";
  if (chain.threads.size() == 2 && chain.loop == 0) return form;
  const size_t others = chain.threads.size() - std::max<size_t>(chain.loop, 1);
  form.headline =
      chain.loop == 0
          ? format("Deadlock: main and {} other threads wait for each other", others)
          : format("Deadlock: main waits for {} threads that wait for each other", others);
  return form;
}

// One look tells where the main thread was, and no time.
void SetAtDump(const Verdict& verdict, const Subject& subject, Form* form) {
  const std::string in = subject.place != nullptr ? " in {name}" : "";
  const std::string main = "At the dump the main thread ";
  switch (subject.cause) {
    case Cause::kLock:
      form->headline =
          main + (verdict.holders.empty() ? "was blocked on a lock" + in
                                          : "was blocked on a lock held by thread {name}");
      if (!verdict.holders.empty() && index::CharacterCount(form->name) > 14)
        form->headline = "Main was blocked on a lock held by {name}";
      form->sentence = verdict.chain.threads.empty() ? "Main waited for a lock{place}"
                                                     : "Main waited for {awaited}{place}{holders}";
      break;
    case Cause::kSleep: form->headline = main + "slept" + in; break;
    case Cause::kBinder: form->headline = main + "waited for a binder call" + in; break;
    case Cause::kInputOutput: form->headline = main + "did I/O" + in; break;
    case Cause::kRuntime:
      *form = {main + "waited for the garbage collector", "Main was {state}{place}",
               "Allocate less{in}, and look at what other threads allocate."};
      break;
    case Cause::kWork:
      *form = {main + (subject.place != nullptr ? "was running {name}" : "was in native code"),
               "Main was running{place}",
               "Compare with other ANRs: if {method} recurs, move it off the main thread."};
      if (subject.place != nullptr && subject.place->drawing != Drawing::kNone)
        form->step = "If {method} recurs in other ANRs, " +
                     StepOfDrawing(subject.place->drawing, "it") + ".";
      if (subject.place == nullptr) {
        form->sentence = "Main was in native code: its stack has no Java frame";
        form->step = "Look at its native frames below.";
      }
      break;
    default:
      form->headline = main + "was waiting" + (verdict.chain.threads.empty() ? in : "");
      break;
  }
}

// The largest part of messages that were not only held up; null: none is worth a look.
const Contributor* OwnPart(const Verdict& verdict) {
  constexpr uint64_t kLongNs = 1'000'000'000;
  for (const Contributor& row : verdict.contributors) {
    const bool is_own = row.message && !IsSystemWide(row.cause) && row.cause != Cause::kUnseen;
    if (is_own)
      return row.ns >= kLongNs || row.ns * 100 >= verdict.window_ns * kWorthNamingPercent ? &row
                                                                                          : nullptr;
  }
  return nullptr;
}

Form FormOfFrozen(const Verdict& verdict) {
  Form form = {"The process was frozen for {t}",
               "None of its threads ran, so its messages look long",
               "Look at other dumps: the code is not to blame."};
  const Contributor* own = OwnPart(verdict);
  if (own == nullptr) return form;
  const std::string time = Seconds(own->ns);
  form.headline += ", and a message took " + time;
  form.step = "Look at other dumps for the freeze; ";
  if (own->place) {
    form.headline = "The process was frozen for {t}, {name} took " + time;
    form.name = own->place->method;
    form.step += "shorten {name} too: it took " + time + ".";
  } else {
    form.step += "shorten {own} too: it took " + time + ".";
  }
  return form;
}

Form FormOf(const Verdict& verdict, const Subject& subject) {
  if (auto form = FormOfDevice(verdict)) return *std::move(form);
  const Contributor* lead = verdict.LeadRow();
  switch (verdict.kind) {
    case Kind::kNothingSlow:
      return {verdict.named_ns == 0 ? "No slow message was seen"
                                    : "Nothing slow: the longest message took {t}",
              "No message kept the main thread for long", "Nothing to do in this dump."};
    case Kind::kNotEnoughData: return FormOfNotEnough(verdict);
    case Kind::kNoSamples:
      return {"The main thread ran a message for {t}, but no samples were taken",
              "No sample tells which method it was{during}",
              "See why it has no samples, and take another dump."};
    case Kind::kSpread:
      return {"Many methods kept the main thread busy for {t}",
              "No single method has half of the time{during}",
              "Split the message, or look in the flame graph for what its methods share."};
    case Kind::kEarlier: {
      Form form = FormOfSubject(verdict, subject);
      form.sentence = "{earlier}";
      if (verdict.lead_reason == LeadReason::kTogether)
        form.headline = "{messages} earlier messages took {t}";
      return form;
    }
    case Kind::kFlood:
      return {verdict.named_ns == 0 ? "The queue is flooded: {late_messages} messages were waiting"
              : verdict.late_messages == 0 ? "{messages} short messages {kept} {t}"
                                           : "{messages} short messages {kept} {t}; "
                                             "{late_messages} more waited",
              verdict.named_ns == 0 || lead == nullptr ? "{late}"
              : lead->message                          ? "{quick}, ran"
                                                       : "{quick} ran",
              "Remove pending{flooding} messages before posting new ones."};
    case Kind::kLeakedBarrier:
      return {"A sync barrier blocked the message queue for {t}",
              "It was never removed, and {held}",
              "Find code that changes views off the main thread, or posts a sync barrier without "
              "removing it."};
    case Kind::kStarved:
      return {"The main thread was ready to run but got no CPU for {t}",
              verdict.is_rival_known ? "Thread {rival} used the CPU while main waited for one"
                                     : "It waited for a CPU while it was ready to run",
              verdict.is_rival_known ? "Give thread {rival} less work or a lower priority."
                                     : "Look at other dumps first: other processes used the CPUs."};
    case Kind::kShortOfMemory:
      return {"The system was short of memory; slow messages took {t}",
              "The slow messages hardly used the CPU",
              "Look at other dumps first; use less memory on small devices."};
    case Kind::kProcessFrozen: return FormOfFrozen(verdict);
    case Kind::kIdle:
      if (!verdict.after_anr.empty())
        return {"The main thread was idle {after_anr} after the ANR", "Main waited for messages",
                "Take a bug report right after an ANR, or give FS/data/anr/anr_* of its zip."};
      return {
          "At the dump the main thread was idle",
          "Main waited for messages: the stall was over before the traces were taken, or it was "
          "not main's",
          "Look at other ANRs of this kind; a recording with Stillframe also has the past."};
    case Kind::kRuntimeWait:
      if (verdict.is_at_dump) break;
      return {lead->state == ThreadState::kCollecting ? "The main thread collected garbage for {t}"
              : lead->state == ThreadState::kWaitingForGc
                  ? "The main thread waited {t} for the garbage collector"
                  : "The runtime kept the main thread waiting for {t}",
              "Main was {doing}{lead_place}",
              lead->place ? "Allocate less in {lead_method}."
                          : "Allocate less while the main thread is busy."};
    case Kind::kDeadlock: return FormOfDeadlock(verdict.chain);
    case Kind::kMethod:
    case Kind::kStandstill:
    case Kind::kBlocked:
    case Kind::kBinderCall:
    case Kind::kInputOutput: break;
  }
  Form form = FormOfSubject(verdict, subject);
  if (verdict.is_at_dump) SetAtDump(verdict, subject, &form);
  if (subject.place != nullptr && subject.place->is_library && subject.cause != Cause::kLock)
    form.step = "Find what calls {method}, which is a library's code; update the library.";
  if (!verdict.awaited.empty())
    return {"At the dump the main thread waited for " + verdict.awaited,
            "Main waited for {known} in {known_in}{known_worker}", verdict.awaited_step};
  return form;
}

// Makes the texts that replace a form's names in braces.
class PartMaker {
 public:
  explicit PartMaker(const Verdict& verdict) : verdict_(verdict) {}

  Args ArgsOf(const Subject& subject) const {
    Args args;
    const auto put = [&args](std::string_view name, std::string value) {
      args[name] = std::move(value);
    };
    const Contributor* lead = verdict_.LeadRow();
    const std::string method = subject.place != nullptr ? subject.place->method : "";
    const auto* late = Find<evidence::Late>(verdict_);
    std::string late_text = late == nullptr ? "Many messages wait." : EvidenceText(verdict_, *late);
    late_text.pop_back();
    put("who", subject.who);
    put("Who", Capital(subject.who));
    put("t", Seconds(verdict_.named_ns));
    put("after_anr", verdict_.after_anr);
    put("known", verdict_.awaited);
    put("known_in", KnownPlace());
    put("known_worker", KnownWorker());
    put("window", Seconds(verdict_.window_ns));
    put("method", method);
    put("in", method.empty() ? "" : " in " + method);
    put("place", InCulprit());
    put("ran", Ran());
    put("during", During());
    put("chain", Chain());
    put("holders", Holders());
    put("deadlock", Deadlock());
    put("state", std::string(index::TextOf(verdict_.culprit ? verdict_.culprit->state
                                                            : ThreadState::kUnknown)));
    put("awaited", verdict_.chain.threads.empty() ? "" : WaitsFor(verdict_.chain.threads[0]));
    put("thread", verdict_.ThreadsOfChain() > 1 ? verdict_.chain.threads[1].thread
                  : !verdict_.holders.empty()   ? verdict_.holders[0].name
                  : lead != nullptr             ? lead->owner.name
                                                : "");
    put("holder_count", std::to_string(verdict_.holders.size() + verdict_.more_holders));
    put("more", verdict_.holders.size() < 2
                    ? ""
                    : format(" and {} more", verdict_.holders.size() - 1 + verdict_.more_holders));
    if (verdict_.ThreadsOfChain() > 2) {
      const Waiter& last = verdict_.chain.threads[verdict_.ThreadsOfChain() - 1];
      put("last", last.thread);
      put("last_frame", last.own_frame.empty() ? "" : ": " + last.own_frame);
    }
    const std::string& held_in =
        verdict_.holder_frame.empty() ? verdict_.holder_ran : verdict_.holder_frame;
    put("frame", held_in.empty() ? "" : ": " + held_in);
    put("line", Line(subject));
    put("earlier", lead == nullptr ? "" : Earlier(*lead));
    put("message", lead != nullptr && lead->message ? MessageName(*lead->message) : "");
    put("quick", lead == nullptr ? "" : QuickText(*lead));
    put("late", late_text);
    put("flooding", lead != nullptr && lead->message ? " " + MessageName(*lead->message) : "");
    put("held", Counted(verdict_.late_messages, "message") + " behind it " +
                    (verdict_.late_messages == 1 ? "waits" : "wait"));
    put("messages", Grouped(verdict_.messages));
    put("kept", Find<evidence::QuickCpu>(verdict_) != nullptr ? "held the main thread for"
                                                              : "kept the main thread busy for");
    put("late_messages", (late != nullptr && late->queued > late->all_messages ? "at least " : "") +
                             Grouped(verdict_.late_messages));
    const size_t rivals = verdict_.threads.size();
    put("rival", rivals == 0
                     ? ""
                     : verdict_.threads.front() +
                           (rivals > 1 ? format(" and {}", Counted(rivals - 1, "other")) : ""));
    const Contributor* own = OwnPart(verdict_);
    put("own", own == nullptr ? "" : MessageName(*own->message));
    put("doing", lead == nullptr ? "" : Doing(*lead));
    put("lead_place",
        lead != nullptr && lead->place ? " in " + Where(*lead->place, lead->cause) : "");
    put("lead_method", lead != nullptr && lead->place ? lead->place->method : "");
    return args;
  }

 private:
  std::string Part(uint64_t ns) const { return Share(ns, verdict_.window_ns); }

  std::string During() const {
    if (!verdict_.message) return "";
    const index::Dispatch& message = *verdict_.message;
    const bool is_itself = verdict_.culprit && verdict_.culprit->method == message.segment.method;
    const bool is_known = !message.target.empty() || !message.callback.empty() || message.segment;
    const bool is_unnamed = message.segment && message.segment.method.empty();
    const std::string name = is_itself || is_unnamed ? WithArticle(message.segment.kind)
                             : is_known              ? MessageName(message)
                                                     : "an unidentified message";
    return format(" during {}{}", name, verdict_.is_running ? ", which was still running" : "");
  }

  // ", shared by app.Feed.sort 40%": a share of the time in question, like all in the sentence.
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

  // "android.app.SharedPreferencesImpl.awaitLoadedLocked, called from app.Prefs.get (Prefs.java:4)"
  std::string KnownPlace() const {
    std::string caller = verdict_.culprit ? At(verdict_.culprit->method, verdict_.culprit->place)
                         : verdict_.chain.threads.empty() ? ""
                                                          : verdict_.chain.threads[0].own_frame;
    const std::string_view method = verdict_.awaited_in;
    if (caller.empty() || !verdict_.is_awaited_by_culprit ||
        method.starts_with(caller.substr(0, caller.find(" ("))))
      return verdict_.awaited_in;
    return format("{}, called from {}", method.substr(0, method.find(" (")), caller);
  }

  std::string KnownWorker() const {
    if (verdict_.awaited.empty() || verdict_.chain.candidates.empty()) return "";
    const Waiter& worker = verdict_.chain.candidates[0];
    const std::string& where =
        !worker.own_frame.empty() || worker.stack.empty() ? worker.own_frame : worker.stack[0];
    return where.empty() ? "" : format("; {} was in {}", worker.thread, where);
  }

  std::string Ran() const {
    if (!verdict_.culprit) return "";
    const std::string shared = Shared(*verdict_.culprit);
    return format("{}{}{}ran", Where(*verdict_.culprit, Cause::kWork), shared,
                  IsInLeaf(*verdict_.culprit) || !shared.empty() ? ", " : " ");
  }

  std::string InCulprit() const {
    // One look does not tell what was mostly done.
    if (verdict_.culprit && verdict_.is_at_dump && IsWorkCause(verdict_.cause) &&
        IsInLeaf(*verdict_.culprit))
      return format(" in {}, which called {}", verdict_.culprit->method, verdict_.culprit->leaf) +
             Shared(*verdict_.culprit);
    if (verdict_.culprit)
      return " in " + Where(*verdict_.culprit, verdict_.cause) + Shared(*verdict_.culprit);
    // For a single stack at the dump: where the main thread was.
    if (!verdict_.is_at_dump || verdict_.chain.threads.empty()) return "";
    const Waiter& main = verdict_.chain.threads[0];
    const std::string& inner = main.stack.empty() ? main.own_frame : main.stack.front();
    if (inner.empty()) return "";
    return main.own_frame.empty() || inner == main.own_frame
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
                     : i == 2                                        ? " waits for "
                                                                     : ", which waits for ",
                     waiter.thread, has_frame ? " was in " + waiter.own_frame : "");
      const bool has_it = i == 1 && !has_frame && verdict_.ThreadsOfChain() == 2;
      if (has_it) text += " has it";
      if (i + 1 == verdict_.ThreadsOfChain()) text += InOutside(waiter, has_frame || has_it);
    }
    if (verdict_.is_chain_later) return text;
    if (chain.is_timed_circle()) text += ", waiting for main until a timeout";
    if (!chain.in_queue.empty())
      text += format(", perhaps waiting for {} in this queue", chain.in_queue);
    return text;
  }

  std::string Deadlock(bool has_frames = true) const {
    const WaitChain& chain = verdict_.chain;
    std::string text;
    for (size_t i = 0; chain.is_circle() && i < std::min<size_t>(chain.threads.size(), 3); ++i) {
      const Waiter& waiter = chain.threads[i];
      const size_t next = i + 1 < chain.threads.size() ? i + 1 : chain.loop;
      text += format(
          "{}{} waits{}{} for {}, held by {}", i == 0 ? "" : "; ", i == 0 ? "Main" : waiter.thread,
          waiter.own_frame.empty() || !has_frames ? "" : " in ", has_frames ? waiter.own_frame : "",
          WaitsFor(waiter), next == 0 ? "main" : chain.threads[next].thread);
    }
    text += ". It will never end";
    return has_frames && WordsOf(text) > kMostWords ? Deadlock(false) : text;
  }

  // Where the last thread of a chain waits: "in a binder call".
  static std::string InOutside(const Waiter& waiter, bool has_verb) {
    const std::string_view what = waiter.outside == index::Outside::kBinder        ? "a binder call"
                                  : waiter.outside == index::Outside::kInputOutput ? "I/O"
                                                                                   : "";
    return what.empty() ? "" : format("{}{}", has_verb ? ", in " : ", which was in ", what);
  }

  // "; db-writer held it 60%, cache 20% and 2 others"
  std::string Holders() const {
    if (verdict_.ThreadsOfChain() > 1 && verdict_.holders.size() < 2) {
      const std::string& last = verdict_.chain.threads[1].thread;
      const bool is_other =
          !verdict_.still_holds && !verdict_.holders.empty() && verdict_.holders[0].name != last;
      return is_other ? format("; {} held it, {} at the dump", verdict_.holders[0].name, last)
                      : Chain();
    }
    if (verdict_.holders.empty()) return "";
    uint64_t named_ns = 0;
    uint64_t first_ns = 0;
    for (const Contributor& row : verdict_.contributors) {
      named_ns += row.is_named ? row.ns : 0;
      if (row.is_named && row.owner == verdict_.holders[0]) first_ns = row.ns;
    }
    // Unless others held it too, or its holder is unknown for part of the time.
    if (verdict_.holders.size() == 1 && verdict_.more_holders == 0 &&
        (first_ns == 0 || first_ns * 10 >= named_ns * 9))
      return format("; {} {}", verdict_.holders[0].name,
                    !verdict_.holder_frame.empty() ? "was in " + verdict_.holder_frame
                    : verdict_.still_holds         ? "holds it"
                    : verdict_.holder_ran.empty()  ? "held it"
                                                   : "held it in " + verdict_.holder_ran);
    std::string text;
    size_t named = 0;
    for (const Contributor& row : verdict_.contributors) {
      if (!row.is_named || named == verdict_.holders.size() || !row.owner.is_known()) continue;
      text += format("{} {}{} {}", named == 0 ? ";" : ",", row.owner.name,
                     named == 0 ? " held it" : "", Part(row.ns));
      ++named;
    }
    return verdict_.more_holders == 0
               ? text
               : format("{} and {}", text, Counted(verdict_.more_holders, "other"));
  }

  std::string Earlier(const Contributor& lead) const {
    const bool has_leaf = lead.place && IsInLeaf(*lead.place) && IsWorkCause(lead.cause) &&
                          lead.stacks_us * 2'000 >= lead.ns;
    const std::string first = (Doing(lead).empty() || verdict_.messages > 1 ? "" : "it was ") +
                              Brief(lead, false) + (lead.place ? Shared(*lead.place) : "") +
                              (has_leaf ? ", mostly in " + lead.place->leaf : "");
    const std::string count = Counted(verdict_.messages, "slow message") + " had ended, mostly ";
    if (verdict_.lead_reason == LeadReason::kTogether)
      return format("{}{} {}", count, first, Part(lead.ns));
    return verdict_.messages <= 1 && !Doing(lead).empty() ? "I" + first.substr(1)
           : verdict_.messages <= 1                       ? first
                                                          : count + first;
  }

  std::string Line(const Subject& subject) const {
    const bool has_line = subject.place != nullptr && subject.place->held_us > 0 &&
                          subject.place->place.find(':') != std::string::npos;
    return has_line ? format(" Hottest line: {} ({} of its time).", subject.place->place,
                             Share(subject.place->line_us, subject.place->held_us))
                    : "";
  }

  const Verdict& verdict_;
};

// "libapm.so", which installed its own handler over the sampler's: src/sampling/signal_delivery.cc.
// "": not known.
std::string TakerOfSignals(const Verdict& verdict) {
  const std::string_view trouble = verdict.trouble;
  const size_t end = trouble.find(" installed its own handler for SIGPROF");
  if (end == std::string_view::npos) return "";
  const std::string_view before = trouble.substr(0, end);
  return std::string(before.substr(before.find_last_of(" /") + 1));
}

// If the sampler's trouble hides what ran, it comes first. "": it does not.
std::string StepOfSampler(const Verdict& verdict) {
  const bool hides =
      verdict.kind == Kind::kNoSamples || Find<evidence::Unsampled>(verdict) != nullptr;
  if (!hides || verdict.trouble.empty()) return "";
  const std::string taker = TakerOfSignals(verdict);
  return taker.empty()
             ? "See why the sampler had no signals, then take another dump."
             : format("Switch off what takes SIGPROF in {}, then take another dump.", taker);
}

// Writes the sentence, its share of the time in question, and the others with a fifth or more.
class SentenceWriter {
 public:
  SentenceWriter(const Verdict& verdict, std::string text)
      : verdict_(verdict), text_(std::move(text)) {}

  std::string Write() {
    AddShare();
    AddUnsampled();
    AddOthers();
    while (WordsOf(text_) > kMostWords) text_.resize(text_.rfind(' '));
    while (!text_.empty() && (text_.back() == ',' || text_.back() == ';')) text_.pop_back();
    return text_ + ".";
  }

 private:
  bool Add(const std::string& more) {
    const bool fits =
        WordsOf(text_) + WordsOf(more) - (more.starts_with(' ') ? 1 : 0) <= kMostWords;
    if (fits) text_ += more;
    return fits;
  }

  std::string Part(uint64_t ns) const { return Share(ns, verdict_.window_ns); }

  void AddShare() {
    if (verdict_.window_ns == 0 || verdict_.named_ns == 0 || verdict_.kind == Kind::kNothingSlow ||
        verdict_.kind == Kind::kDeadlock)
      return;
    const bool is_all = verdict_.named_ns * 1000 >= verdict_.window_ns * 995;
    // Recorded calls have exact times.
    const std::string share =
        verdict_.is_recorded
            ? format(": {} of {}", index::DurationUs(verdict_.named_ns / 1000),
                     index::DurationUs(verdict_.window_ns / 1000))
            : format(": {}the {}{}", is_all ? "all of " : Part(verdict_.named_ns) + " of ",
                     verdict_.is_cut ? "last " : "", Seconds(verdict_.window_ns));
    const std::string waiting =
        verdict_.waiting ? format(" that {} waited", MessageName(*verdict_.waiting)) : "";
    if (!Add(share + waiting)) Add(share);
  }

  bool IsSameMessage(const Contributor& row) const {
    return verdict_.kind != Kind::kEarlier && verdict_.token && row.tokens.size() == 1 &&
           row.tokens[0] == *verdict_.token && row.message && verdict_.message &&
           MessageName(*row.message) == MessageName(*verdict_.message);
  }

  // Names who took the signals, if that is known.
  void AddUnsampled() {
    const auto* fact = Find<evidence::Unsampled>(verdict_);
    if (fact == nullptr) return;
    const std::string taker = TakerOfSignals(verdict_);
    const std::string part = format("; {} was not sampled", Share(fact->time.ns, fact->time.of_ns));
    if (taker.empty() || !Add(format("{}: {} took SIGPROF", part, taker))) Add(part);
  }

  void AddOthers() {
    size_t others = 0;
    size_t small = 0;
    uint64_t small_ns = 0;
    for (const Contributor& row : verdict_.contributors) {
      if (row.is_named || row.cause == Cause::kUnseen) continue;
      if (row.ns * 100 < verdict_.window_ns * kWorthNamingPercent || others == kMostOthers) {
        const bool is_earlier = row.message && !row.is_running && !IsSystemWide(row.cause) &&
                                verdict_.kind != Kind::kEarlier;
        small += is_earlier ? 1 : 0;
        small_ns += is_earlier ? row.ns : 0;
        continue;
      }
      const bool is_part =
          verdict_.lead_reason == LeadReason::kTogether || verdict_.kind == Kind::kShortOfMemory;
      if (Add(format("{} {} {}",
                     others > 0 ? ","
                     : is_part  ? ", including"
                                : ". Then",
                     Brief(row, IsSameMessage(row)), Part(row.ns))))
        ++others;
    }
    if (small > 1 && small_ns * 100 >= verdict_.window_ns * kWorthNamingPercent)
      Add(format("{} the other earlier messages {} together", others == 0 ? ". Then" : ",",
                 Part(small_ns)));
  }

  const Verdict& verdict_;
  std::string text_;
};

std::string ConfidenceText(const Verdict& verdict) {
  const std::string samples =
      verdict.samples < verdict.all_samples
          ? format("{} of {}", Grouped(verdict.samples), Counted(verdict.all_samples, "sample"))
          : Counted(verdict.samples, "sample");
  const std::string part = Share(verdict.named_ns, verdict.window_ns);
  const auto why = [&]() -> std::string {
    switch (verdict.confidence_reason) {
      case ConfidenceReason::kExplained:
        return format("{}{} of the time explained", verdict.samples == 0 ? "" : samples + ", ",
                      part);
      case ConfidenceReason::kCertain: return "it was seen, and not estimated";
      case ConfidenceReason::kSmallShare: return format("it has {} of the time only", part);
      case ConfidenceReason::kRecorded:
        return "another tool recorded calls, without stacks between";
      case ConfidenceReason::kFewSamples:
        if (verdict.is_recorded) return "no method has most of its calls' time";
        return format("{}, too few or too different", samples);
      case ConfidenceReason::kEstimate: return "estimated, the kernel did not count it";
      case ConfidenceReason::kNamesMissing: return "too many methods have no names";
      case ConfidenceReason::kOneLook: return "one look at the stacks, no measurement";
      case ConfidenceReason::kUnseen: return "too little was recorded";
      case ConfidenceReason::kNoStacks: return "the system's figures only, without a stack";
    }
    return "";
  };
  return format("{}: {}", index::NameOf(verdict.confidence), why());
}

}  // namespace

std::string ThreadText(const Thread& thread) {
  if (thread.tid == 0) return thread.name.empty() ? "" : "thread " + thread.name;
  return thread.name.empty() ? format("thread {}", thread.tid)
                             : format("thread {} (tid {})", thread.name, thread.tid);
}

std::string WaitsFor(const Waiter& waiter) {
  const std::string_view text = index::TextOf(waiter.wait);
  const size_t bar = text.find('|');
  if (waiter.wait_class.empty()) return std::string(text.substr(bar + 1));
  return format(fmt::runtime(text.substr(0, bar)), waiter.wait_class);
}

std::string Label(const Contributor& contributor, uint64_t window_ns) {
  if (contributor.folded > 0) return Counted(contributor.folded, "further message");
  if (contributor.cause == Cause::kQuick) return QuickText(contributor);
  std::string doing = Doing(contributor);
  if (!contributor.message || contributor.cause == Cause::kNoCpu ||
      contributor.cause == Cause::kFrozen)
    return doing;
  std::string text = contributor.cause == Cause::kRuntime ? "" : MessagesText(contributor);
  if (!doing.empty()) text += (text.empty() ? "" : ": ") + doing;
  if (!contributor.place) return text;
  const std::string where =
      Where(*contributor.place, contributor.cause) + BesidesText(contributor, window_ns);
  const bool is_half = contributor.stacks_us * 2'000 >= contributor.ns;
  return doing.empty() && is_half ? format("{}: {}", text, where)
         : is_half
             ? format("{} in {}", text, where)
             : format("{} ({} of it in {})", text, Seconds(contributor.stacks_us * 1000), where);
}

namespace {

// A thread without a name is called by its number: "thread 12".
std::string WithoutDoubled(std::string text) {
  for (const std::string_view doubled : {"thread thread ", "Thread thread "})
    for (size_t at = text.find(doubled); at != std::string::npos; at = text.find(doubled))
      text.erase(at + 7, 7);
  return text;
}

void Replace(std::string_view from, std::string_view to, std::string* text) {
  for (size_t at = text->find(from); at != std::string::npos; at = text->find(from, at + to.size()))
    text->replace(at, from.size(), to);
}

// For a stack of any thread: what blocks the user interface may be right elsewhere.
void CallItAThread(Words* words) {
  const auto rename = [](std::string* text) {
    Replace("the main thread", "the thread", text);
    Replace("The main thread", "The thread", text);
    if (text->starts_with("Main ")) text->replace(0, 4, "The thread");
    Replace("; main ", "; the thread ", text);
  };
  rename(&words->headline);
  rename(&words->sentence);
  std::ranges::for_each(words->evidence, [&rename](std::string& text) { rename(&text); });
  std::string& step = words->next_step;
  Replace("the main thread", "it", &step);
  if (!step.empty() && step[0] >= 'A' && step[0] <= 'Z')
    step[0] = static_cast<char>(step[0] - 'A' + 'a');
  step.insert(0, "Find out which thread this is. If it draws the app's windows: ");
}

}  // namespace

Words Explain(const Verdict& verdict) {
  const Subject subject = SubjectOf(verdict);
  Form form = FormOf(verdict, subject);
  if (!verdict.after_anr.empty() && verdict.is_at_dump)
    form.sentence = "The stacks were taken {after_anr} after the ANR. " + form.sentence;
  const Args args = PartMaker(verdict).ArgsOf(subject);
  const std::string method = subject.place != nullptr ? subject.place->method : "";
  Words words;
  words.headline =
      WithoutDoubled(Filled(form.headline, form.name.empty() ? method : form.name, true, args,
                            form.name.empty() ? NameKind::kMethod : form.name_kind));
  words.sentence =
      WithoutDoubled(SentenceWriter(verdict, Filled(form.sentence, method, false, args)).Write());
  words.next_step = WithoutDoubled(
      Filled(form.step, verdict.kind == Kind::kProcessFrozen ? form.name : method, false, args));
  if (const std::string taken = StepOfSampler(verdict); !taken.empty()) words.next_step = taken;
  words.confidence = ConfidenceText(verdict);
  for (const Evidence& each : verdict.evidence)
    words.evidence.push_back(WithoutDoubled(EvidenceText(verdict, each)));
  if (verdict.is_unnamed) CallItAThread(&words);
  return words;
}

}  // namespace stillframe::judge
