// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/words/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/judge/culprit.h"
#include "tools/stillframe/words/contributor_text.h"
#include "tools/stillframe/words/evidence_text.h"
#include "tools/stillframe/words/known_texts.h"
#include "tools/stillframe/words/sentence.h"

namespace stillframe::words {
namespace {

namespace evidence = judge::evidence;
using fmt::format;
using index::Counted;
using index::Grouped;
using index::Seconds;
using index::Share;
using judge::Cause;
using judge::Contributor;
using judge::Culprit;
using judge::Find;
using judge::Kind;
using judge::LeadReason;
using judge::Verdict;
using judge::WaitChain;
using judge::Waiter;
using model::ThreadState;

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
    put("known", Known());
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
    const auto& chain = verdict_.chain.threads;
    put("thread", verdict_.ThreadsOfChain() > 1 ? NameOrId({chain[1].thread, chain[1].tid})
                  : !verdict_.holders.empty()   ? NameOrId(verdict_.holders[0])
                  : lead != nullptr             ? NameOrId(lead->owner)
                                                : "");
    put("holder_count", std::to_string(verdict_.holders.size() + verdict_.more_holders));
    put("more", verdict_.holders.size() < 2
                    ? ""
                    : format(" and {} more", verdict_.holders.size() - 1 + verdict_.more_holders));
    if (verdict_.ThreadsOfChain() > 2) {
      const Waiter& last = verdict_.chain.threads[verdict_.ThreadsOfChain() - 1];
      put("last", NameOrId({last.thread, last.tid}));
      put("last_frame", last.own_frame.empty() ? "" : ": " + last.own_frame);
    }
    const std::string& held_in = verdict_.spent                  ? verdict_.spent->frame
                                 : verdict_.holder_frame.empty() ? verdict_.holder_ran
                                                                 : verdict_.holder_frame;
    put("spent", verdict_.spent ? SpentText(*verdict_.spent) : "");
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
    std::string caller = verdict_.culprit
                             ? judge::MethodAt(verdict_.culprit->method, verdict_.culprit->place)
                         : verdict_.chain.threads.empty() ? ""
                                                          : verdict_.chain.threads[0].own_frame;
    const std::string_view method = verdict_.awaited_in;
    if (caller.empty() || !verdict_.is_awaited_by_culprit ||
        method.starts_with(caller.substr(0, caller.find(" ("))))
      return verdict_.awaited_in;
    return format("{}, called from {}", method.substr(0, method.find(" (")), caller);
  }

  std::string Known() const {
    const AwaitedText* text = TextOf(verdict_.awaited);
    return text == nullptr ? "" : text->purpose;
  }

  std::string KnownWorker() const {
    if (verdict_.awaited == judge::Awaited::kUnknown || verdict_.chain.candidates.empty())
      return "";
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
                                  : waiter.outside == index::Outside::kMemory      ? "a page fault"
                                                                                   : "";
    return what.empty() ? "" : format("{}{}", has_verb ? ", in " : ", which was in ", what);
  }

  // "; db-writer held it 60%, cache 20% and 2 others"
  std::string Holders() const {
    if (verdict_.spent)
      return format("; {} spent {} in {}", NameOrId(verdict_.holders[0]),
                    SpentText(*verdict_.spent), verdict_.spent->frame);
    if (verdict_.ThreadsOfChain() > 1 && verdict_.holders.size() < 2) {
      const Waiter& next = verdict_.chain.threads[1];
      const std::string last = NameOrId({next.thread, next.tid});
      const bool is_other = !verdict_.still_holds && !verdict_.holders.empty() &&
                            NameOrId(verdict_.holders[0]) != last;
      return is_other ? format("; {} held it, {} at the dump", NameOrId(verdict_.holders[0]), last)
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
      return format("; {} {}", NameOrId(verdict_.holders[0]),
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

}  // namespace

Args PartsOf(const Verdict& verdict, const Subject& subject) {
  return PartMaker(verdict).ArgsOf(subject);
}

}  // namespace stillframe::words
