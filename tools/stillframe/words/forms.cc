// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/words/forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/words/contributor_text.h"
#include "tools/stillframe/words/device_words.h"
#include "tools/stillframe/words/known_texts.h"

namespace stillframe::words {
namespace {

using fmt::format;
using index::Grouped;
using index::Seconds;
using judge::Cause;
using judge::Contributor;
using judge::Drawing;
using judge::Kind;
using judge::LeadReason;
using judge::Thread;
using judge::Verdict;
using judge::WaitChain;
using judge::Waiter;
using model::ThreadState;

constexpr size_t kLongestOwner = 16;  // in a headline with its method

// "an earlier message", "2 earlier messages", "an earlier idle handler", "code before the loop".
std::string EarlierText(const Contributor& row) {
  if (row.messages > 1) return format("{} earlier messages", Grouped(row.messages));
  const model::SegmentKind kind =
      row.message ? row.message->segment.kind : model::SegmentKind::kNone;
  if (kind == model::SegmentKind::kNone) return "an earlier message";
  const std::string text = WithArticle(kind);
  return text.starts_with("a") ? format("an earlier {}", index::TextOf(kind)) : text;
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
      if (verdict.spent && index::CharacterCount(holder.name) <= kLongestOwner)
        return {"Main waited {t} for a lock held by {thread}, {spent} in {name}",
                "Main waited{place}{during}{holders}",
                "Shorten what {thread} does while it holds the lock{frame}.",
                verdict.spent->frame.substr(0, verdict.spent->frame.find(" ("))};
      const bool has_last = verdict.ThreadsOfChain() > 2 && !verdict.chain.is_circle();
      return {"{Who} waited {t} for a lock held by thread {name}{more}",
              "Main waited{place}{during}{holders}",
              has_last ? "Shorten what {last} does while others wait for it{last_frame}."
                       : "Shorten what {thread} does while it holds the lock{frame}.",
              NameOrId(holder), NameKind::kThread};
    }
    case Cause::kBinder:
      return {"A binder call" + in + " kept {who} waiting for {t}",
              "Main waited for another process{place}{during}",
              "Make the binder call{in} from another thread, or cache its result."};
    case Cause::kInputOutput:
      return {"I/O" + in + " kept {who} waiting for {t}", "Main did I/O{place}{during}",
              "Move the I/O{in} off the main thread."};
    case Cause::kMemory:
      return {"Page faults" + in + " kept {who} waiting for {t}",
              "Main waited for pages of memory{place}{during}",
              "Load the pages{in} on another thread first; use less memory if it was short."};
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

// Another Looper was not well. `is_main_known`: the main thread was.
Form FormOfOtherLooper(const judge::evidence::OtherLooper& other, bool is_main_known) {
  const std::string method = other.frame.substr(0, other.frame.find(" ("));
  const std::string thread = index::Truncated(NameOrId(other.thread), 24);
  return {format("{} {} hung for {}{}", is_main_known ? "Main was well; thread" : "Thread", thread,
                 Seconds(other.took_ns), method.empty() ? "" : " in {name}"),
          format("{} {} ran {}",
                 is_main_known ? "No message kept the main thread for long; thread" : "Thread",
                 thread, index::Truncated(other.message_text, 80)),
          method.empty() ? "See what " + thread + " does: it has no stacks here."
                         : "See why " + method + " takes so long on thread " + thread + ".",
          method};
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
    case Cause::kMemory: form->headline = main + "waited for pages of memory" + in; break;
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

Form FormOfEarlier(const Verdict& verdict, const Subject& subject) {
  Form form = FormOfSubject(verdict, subject);
  form.sentence = "{earlier}";
  if (verdict.lead_reason == LeadReason::kTogether)
    form.headline = "{messages} earlier messages took {t}";
  return form;
}

Form FormOfFlood(const Verdict& verdict, const Contributor* lead) {
  return {verdict.named_ns == 0 ? "The queue is flooded: {late_messages} messages were waiting"
          : verdict.late_messages == 0 ? "{messages} short messages {kept} {t}"
                                       : "{messages} short messages {kept} {t}; "
                                         "{late_messages} more waited",
          verdict.named_ns == 0 || lead == nullptr ? "{late}"
          : lead->message                          ? "{quick}, ran"
                                                   : "{quick} ran",
          "Remove pending{flooding} messages before posting new ones."};
}

Form FormOfStarvedMain(const Verdict& verdict) {
  return {"The main thread was ready to run but got no CPU for {t}",
          verdict.is_rival_known ? "Thread {rival} used the CPU while main waited for one"
                                 : "It waited for a CPU while it was ready to run",
          verdict.is_rival_known ? "Give thread {rival} less work or a lower priority."
                                 : "Look at other dumps first: other processes used the CPUs."};
}

Form FormOfIdle(const Verdict& verdict) {
  if (!verdict.after_anr.empty())
    return {"The main thread was idle {after_anr} after the ANR", "Main waited for messages",
            "Take a bug report right after an ANR, or give FS/data/anr/anr_* of its zip."};
  return {"At the dump the main thread was idle",
          "Main waited for messages: the stall was over before the traces were taken, or it was "
          "not main's",
          "Look at other ANRs of this kind; a recording with Stillframe also has the past."};
}

Form FormOfRuntimeWait(const Contributor& lead) {
  return {lead.state == ThreadState::kCollecting ? "The main thread collected garbage for {t}"
          : lead.state == ThreadState::kWaitingForGc
              ? "The main thread waited {t} for the garbage collector"
              : "The runtime kept the main thread waiting for {t}",
          "Main was {doing}{lead_place}",
          lead.place ? "Allocate less in {lead_method}."
                     : "Allocate less while the main thread is busy."};
}

}  // namespace

Subject SubjectOf(const Verdict& verdict) {
  const Contributor* lead = verdict.LeadRow();
  if (verdict.kind == Kind::kEarlier && lead != nullptr)
    return {lead->cause, lead->place ? &*lead->place : nullptr, EarlierText(*lead)};
  return {verdict.cause, verdict.culprit ? &*verdict.culprit : nullptr, "the main thread"};
}

Form FormOf(const Verdict& verdict, const Subject& subject) {
  if (auto form = FormOfDevice(verdict)) return *std::move(form);
  const Contributor* lead = verdict.LeadRow();
  switch (verdict.kind) {
    case Kind::kNothingSlow:
      if (verdict.other_looper)
        return FormOfOtherLooper(*verdict.other_looper, verdict.is_main_known);
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
    case Kind::kEarlier: return FormOfEarlier(verdict, subject);
    case Kind::kFlood: return FormOfFlood(verdict, lead);
    case Kind::kLeakedBarrier:
      return {"A sync barrier blocked the message queue for {t}",
              "It was never removed, and {held}",
              "Find code that changes views off the main thread, or posts a sync barrier without "
              "removing it."};
    case Kind::kStarved: return FormOfStarvedMain(verdict);
    case Kind::kShortOfMemory:
      return {"The system was short of memory; slow messages took {t}",
              "The slow messages hardly used the CPU",
              "Look at other dumps first; use less memory on small devices."};
    case Kind::kProcessFrozen: return FormOfFrozen(verdict);
    case Kind::kIdle: return FormOfIdle(verdict);
    case Kind::kRuntimeWait:
      if (verdict.is_at_dump) break;
      return FormOfRuntimeWait(*lead);
    case Kind::kDeadlock: return FormOfDeadlock(verdict.chain);
    case Kind::kMethod:
    case Kind::kStandstill:
    case Kind::kBlocked:
    case Kind::kBinderCall:
    case Kind::kInputOutput:
    case Kind::kPageFaults: break;
  }
  Form form = FormOfSubject(verdict, subject);
  if (verdict.is_at_dump) SetAtDump(verdict, subject, &form);
  if (subject.place != nullptr && subject.place->is_library && subject.cause != Cause::kLock)
    form.step = "Find what calls {method}, which is a library's code; update the library.";
  if (const AwaitedText* awaited = TextOf(verdict.awaited))
    return {"At the dump the main thread waited for {known}",
            "Main waited for {known} in {known_in}{known_worker}", awaited->step};
  return form;
}

}  // namespace stillframe::words
