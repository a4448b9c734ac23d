// SPDX-License-Identifier: Apache-2.0
// Rows of the verdict for `inspect --json` and the page, like src/dump/fields.h for the dump. They
// generate JSON and schema.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "src/dump/fields.h"
#include "tools/stillframe/index/trace_sections.h"
#include "tools/stillframe/judge/verdict.h"
#include "tools/stillframe/render/evidence_fields.h"
#include "tools/stillframe/words/contributor_text.h"
#include "tools/stillframe/words/known_texts.h"
#include "tools/stillframe/words/wording.h"

namespace stillframe::judge {

using dump::FieldsOf;
using dump::Row;

template <typename Io>
void Fields(Io& io, FieldsOf<Io, Thread>& thread) {
  io(Row("thread", "Name of the thread"), thread.name);
  io(Row("tid", "The kernel's id"), thread.tid);
}

// The subject of headline and sentence.
struct Subject {
  Verdict verdict = {};
};

template <typename Io>
void Fields(Io& io, FieldsOf<Io, Subject>& subject) {
  const Verdict& verdict = subject.verdict;
  const auto text = [](const std::optional<index::Dispatch>& message) {
    return message ? index::DispatchText(*message) : std::string();
  };
  io(Row("cause", "As in the list of contributors"), verdict.cause);
  io(Row("method", "The culprit's, or empty"),
     verdict.culprit ? verdict.culprit->method : std::string());
  io(Row("message", "During which it was, or empty"), text(verdict.message));
  io(Row("messages", "Number of messages in this row"), verdict.messages);
  io(Row("running", "That message was still running"), verdict.is_running);
  io(Row("waiting", "The message that has waited longest, or empty"), text(verdict.waiting));
  io.List(Row("lock_holders", "The longest first"), verdict.holders);
  io(Row("holder_frame", "The holder's code that has the lock, or empty"), verdict.holder_frame);
  io(Row("holder_frame_is_guess",
         "It is the innermost of the application, not known to be the one"),
     verdict.is_holder_guess && !verdict.holder_frame.empty());
  io(Row("row", "The contributor that leads"), verdict.lead);
  io(Row("row_reason", "Why this one was chosen"), verdict.lead_reason);
}

// A time of the headline's subject, and the whole that it is a share of.
struct Span {
  std::string name;
  uint64_t ns = 0;
  std::string base;
  uint64_t base_ns = 0;
};

template <typename Io>
void Fields(Io& io, FieldsOf<Io, Span>& span) {
  io(Row("name", "The subject, method or line that has the time"), span.name);
  io(Row("ns", "The time"), span.ns);
  io(Row("base", "The whole of the share: window or method"), span.base);
  io(Row("base_ns", "The time of that"), span.base_ns);
}

inline std::vector<Span> SpansOf(const Verdict& verdict) {
  std::vector<Span> spans = {{"subject", verdict.named_ns, "window", verdict.window_ns}};
  if (!verdict.culprit) return spans;
  const uint64_t held_ns = verdict.culprit->held_us * 1000;
  spans.push_back({"method", held_ns, "window", verdict.window_ns});
  spans.push_back({"line", verdict.culprit->line_us * 1000, "method", held_ns});
  return spans;
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, Culprit>& culprit) {
  io(Row("method", "class.method"), culprit.method);
  io(Row("place", "File:line"), culprit.place);
  io(Row("held_us", "That it held the thread"), culprit.held_us);
  io(Row("line_us", "At that line"), culprit.line_us);
  io(Row("state", "State of the thread for most of that time"), culprit.state);
  io(Row("state_us", "Time in that state"), culprit.state_us);
  io(Row("leaf", "Innermost method, for most of the time"), culprit.leaf);
  io(Row("leaf_place", "File:line"), culprit.leaf_place);
  io.Numbers(Row("callees",
                 "Methods below it that share its time, with microseconds, where none "
                 "has half of it"),
             culprit.callees);
  io(Row("caller", "The application's method above it"), culprit.caller);
  io(Row("caller_place", "File:line"), culprit.caller_place);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, Waiter>& waiter) {
  io(Row("tid", "Thread id"), waiter.tid);
  io(Row("thread", "Name of the thread"), waiter.thread);
  io(Row("waits_for", "Empty when it waits for nothing that is known"), words::WaitsFor(waiter));
  io(Row("own_frame", "The innermost frame of the application"), waiter.own_frame);
  io.Numbers(Row("stack", "Innermost first"), waiter.stack);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, WaitChain>& chain) {
  const auto loop_if = [&chain](bool is_so) {
    return is_so ? std::optional<uint64_t>(chain.loop) : std::nullopt;
  };
  io.List(Row("threads", "The main thread first, each waits for the next"), chain.threads);
  io(Row("deadlock_from", "The last of them waits for the one of this index"),
     loop_if(chain.is_deadlock()));
  io(Row("timed_circle_from", "Likewise, but one of their waits has a time limit"),
     loop_if(chain.is_timed_circle()));
  io(Row("in_queue",
         "Message in the main thread's queue that the last of them may wait for; empty when "
         "unknown"),
     chain.in_queue);
  io.List(Row("candidates", "A thread that may end the wait of the last one"), chain.candidates);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, MethodTime>& time) {
  io(Row("method", "class.method"), time.method);
  io(Row("place", "File:line"), time.place);
  io(Row("self_us",
         "Samples of stacks in which it is the innermost own method, or the "
         "innermost one of a stack without"),
     time.us);
}

// A contributor, and the time in question as the whole of its share.
struct Share {
  Contributor contributor = {};
  uint64_t window_ns = 0;
};

template <typename Io>
void Fields(Io& io, FieldsOf<Io, Share>& share) {
  const Contributor& contributor = share.contributor;
  io(Row("cause", "Kind of its time"), contributor.cause);
  io(Row("ns", "That it took"), contributor.ns);
  io(Row("text", "For a person"), words::Label(contributor, share.window_ns));
  io(Row("running", "For the most part within the running message"), contributor.is_running);
  io(Row("owner", "The thread that held the lock, or empty"), contributor.owner.name);
  io(Row("messages", "Number of its messages"), contributor.messages);
  io.Numbers(Row("tokens", "Its messages, the costliest first"), contributor.tokens);
  io.List(Row("methods", "The method with most own time, in the costliest messages"),
          contributor.methods);
}

inline std::vector<Share> SharesOf(const Verdict& verdict) {
  std::vector<Share> shares;
  for (const Contributor& contributor : verdict.contributors)
    shares.push_back({contributor, verdict.window_ns});
  return shares;
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, Anr>& anr) {
  io(Row("kind", "input, broadcast, service, ..."), anr.kind);
  io(Row("source", "Source of the kind: system or waiting-message"), anr.source);
  io(Row("reason", "The system's own, or the message that waits"), anr.reason);
  io(Row("component", "com.example/.SyncService, or empty"), anr.component);
  io(Row("limit", "Android's limit for it, or empty"), words::TextOf(anr.limit));
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, Verdict>& verdict) {
  const words::Words words = words::Explain(verdict);
  io(Row("kind", "Cause of the hang: method, blocked, queue-flood, ..."), verdict.kind);
  io(Row("confidence", "How sure it is"), verdict.confidence);
  io(Row("confidence_reason", "Why: explained, few-samples, ..."), verdict.confidence_reason);
  io(Row("samples", "Samples of its subject"), verdict.samples);
  io(Row("headline", "For a person, at most 80 characters"), words.headline);
  io(Row("sentence", "For a person, at most 40 words"), words.sentence);
  io(Row("next_step", "Advice for a person"), words.next_step);
  io.Numbers(Row("evidence", "One sentence each"), words.evidence);
  io.List(
      Row("facts", "The evidence as facts, in the same order; the kind decides about the members"),
      verdict.evidence);
  io.Record(Row("subject", "Subject of headline and sentence"), Subject{verdict});
  io.List(Row("spans", "A time of the subject, with what it is a share of"), SpansOf(verdict));
  io(Row("token", "The message it is about"), verdict.token);
  io.Numbers(Row("tokens", "All messages it is about"), verdict.tokens);
  io.Numbers(Row("threads", "Threads it is about"), verdict.threads);
  io.Maybe(Row("culprit", "The method to blame"), verdict.culprit);
  io.Record(Row("chain", "For whom the main thread waited at the dump"), verdict.chain);
  io(Row("window_ns", "The time in question"), verdict.window_ns);
  io.List(Row("contributors",
              "One that took it, the largest first; together window_ns, or none where that is 0"),
          SharesOf(verdict));
  io.Maybe(Row("anr", "The ANR that was declared, or null where none is known of"), verdict.anr);
}

}  // namespace stillframe::judge

namespace stillframe::index {

template <typename Io>
void Fields(Io& io, dump::FieldsOf<Io, TraceSlice>& slice) {
  using dump::Row;
  io(Row("name", "As it was written"), slice.name);
  io(Row("looper", "Index into loopers"), slice.looper);
  io(Row("begin_ns", "CLOCK_MONOTONIC"), slice.begin_ns);
  io(Row("end_ns", "CLOCK_MONOTONIC; of an open one, the dump"), slice.end_ns);
  io(Row("depth", "Sections of its thread around it"), slice.depth);
  io(Row("async", "It has a beginning and an end of its own"), slice.is_async);
  io(Row("open", "It had not ended"), slice.is_open);
}

// A counter's value, or an instant event.
struct TraceValue {
  std::string name;
  uint32_t looper = 0;
  uint64_t at_ns = 0;
  std::optional<int64_t> value;
};

template <typename Io>
void Fields(Io& io, dump::FieldsOf<Io, TraceValue>& value) {
  using dump::Row;
  io(Row("name", "As it was written"), value.name);
  io(Row("looper", "Index into loopers"), value.looper);
  io(Row("at_ns", "CLOCK_MONOTONIC"), value.at_ns);
  io(Row("value", "null: an instant"), value.value);
}

// Sections and values assembled from the events. JSON has them instead of the events.
struct TraceSummary {
  std::string absent;
  uint64_t lost = 0;
  std::vector<TraceSlice> sections;
  std::vector<TraceValue> values;
};

template <typename Io>
void Fields(Io& io, dump::FieldsOf<Io, TraceSummary>& summary) {
  using dump::Row;
  io(Row("absent", "Why nothing was captured; empty when it was"), summary.absent);
  io(Row("lost", "Events before the first, and such as could not be kept"), summary.lost);
  io.List(Row("sections", "A section; one whose beginning was lost is left out"), summary.sections);
  io.List(Row("values", "A counter's value, or an instant"), summary.values);
}

}  // namespace stillframe::index
