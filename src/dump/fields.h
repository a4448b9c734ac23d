// SPDX-License-Identifier: Apache-2.0
// The fields of a dump in file order: the only description of each field. Writing, reading,
// redacting, cleaning, retracing and JSON output walk these lines with an `Io` of their own. So do
// the schema and the tables of docs/reference/fields.md. Rows are in row.h.
//
// A field's type determines its encoding: unsigned, bool and enum as varint, signed as zigzag, text
// as string. Changing the type changes the format. Fields are only appended.
//
// Members of an Io, with T const if it changes nothing:
//   Of<T>               T, or const T
//   io(row, field)      a field
//   Enum(row, value)    an enum alone; false if this version does not know its value
//   NotReadable(text)   replaces a field that cannot be read after an unknown enum value
//   Bits(row, flag, row, flag)  two bools as bits of one varint, the first is bit 0
//   Numbers(row, list)  a count and that many varints
//   Record(row, item)   a record
//   AsRecord(item)      a record in the file; elsewhere its fields are inline
//   List(row, items)    a count and that many records
//   Maybe(row, item)    a count of 0 or 1 and that many records, for an optional
//   Payload(row, item)  a section with one optional struct
//   Group(row, fields)  fields that belong together; not a record in the file
// Context: any thread, one at a time
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include <stillframe/dump_format.h>
#include <stillframe/token.h>

#include "src/dump/row.h"
#include "src/model/dump.h"
#include "src/model/frame.h"

namespace stillframe::dump {

template <typename Io, typename T>
using FieldsOf = typename Io::template Of<T>;

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::Identity>& id) {
  io(Row("process_name", "As /proc has it").Omit(omit::kProcess), id.process_name);
  io(Row("pid", "Process id"), id.pid);
  io(Row("uid", "User id").Omit(omit::kProcess), id.uid);
  io(Row("abi", "x86_64, arm64, ..."), id.abi);
  io(Row("art_release", "As the layout table calls it"), id.art_release);
  io(Row("art_build_id", "Build id of libart, in hex"), id.art_build_id);
  io(Row("profiler_version", "0.1.0"), id.profiler_version);
  io(Row("sampler_state", "on, or why it is off"), id.sampler_state);
  io(Row("tap", "observer, printer, probe or none"), id.tap);
  io(Row("process_start_ns", "When the profiler was loaded"), id.process_start_ns);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::Occasion>& occasion) {
  io(Row("trigger", "sigquit, api, exit, long-message, heartbeat or unknown"), occasion.trigger);
  io(Row("sequence", "Dumps of this process before this one"), occasion.sequence);
  io(Row("taken_monotonic_ns", "When it was written"), occasion.taken_monotonic_ns);
  io(Row("taken_realtime_ns", "When it was written, in Unix time"), occasion.taken_realtime_ns);
  io(Row("trigger_detail", "The limit or the signal"), occasion.trigger_detail);
  io(Row("trigger_confirmed", "The sign by which the signal was an ANR"),
     occasion.trigger_confirmed);
  io(Row("system_reason", "The reason that the system gave").Omit(omit::kReason),
     occasion.system_reason);
  io(Row("system_component", "The activity that the system named").Omit(omit::kReason),
     occasion.system_component);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::NamedText>& entry) {
  io(Row("name", "The variable, without STILLFRAME_"), entry.name);
  io(Row("value", "The value in force")
         .Note("`process`: `dump_dir`, `config`; `threads`: `loopers`; the others stay"),
     entry.value);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::NamedCount>& counter) {
  io(Row("name", "With its unit"), counter.name);
  io(Row("value", "Value of the counter"), counter.value);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::LockWait>& wait) {
  io(Row("from_us", "Since the message's start"), wait.from_us);
  io(Row("until_us", "Since the message's start"), wait.until_us);
  io(Row("blocked_us", "Time blocked, within it"), wait.blocked_us);
  io(Row("owner_tid", "Thread that held it; 0: not known"), wait.owner_tid);
  io(Row("owner", "Name of the owner").Omit(omit::kThreads), wait.owner);
  io(Row("lock_class", "Class of the object; empty when not known").Omit(omit::kStacks).Class(),
     wait.lock_class);
}

// Handler and callback of a message.
template <typename Io, typename Text>
[[gnu::always_inline]] inline void HandlerFields(Io& io, Text& target, Text& callback) {
  io(Row("target", "Class of the Handler").Omit(omit::kMessages).Class(), target);
  io(Row("callback", "Class of the Runnable; of a segment its method")
         .Omit(omit::kMessages)
         .OmitOfSegments(omit::kStacks)
         .Class(),
     callback);
}

// After HandlerFields: for a segment, the reader's callback is the segment's method.
template <typename Io, typename Message>
[[gnu::always_inline]] inline void SegmentField(Io& io, const Row& row, Message& message) {
  io(row, message.segment.kind);
  if constexpr (!std::is_const_v<Message>)
    if (message.segment && message.segment.method.empty())
      message.segment.method.swap(message.callback);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::Message>& message) {
  io(Row("token", "Names it within the process; as in trees"), message.token);
  io(Row("start_ns", "CLOCK_MONOTONIC"), message.start_ns);
  io(Row("wait_ns", "Between due and dispatched").OrUnknown(), message.wait_ns);
  io(Row("wall_ns", "From dispatch to end").OrUnknown(), message.wall_ns);
  io(Row("cpu_ns", "CPU time of its thread meanwhile").OrUnknown(), message.cpu_ns);
  io(Row("samples", "Taken during it"), message.samples);
  io(Row("flags", "Bits, see message.h"), message.flags);
  io(Row("what", "Message.what"), message.what);
  HandlerFields(io, message.target, model::CallbackOrMethod(message));
  io(Row("looper", "Index into loopers"), message.looper);
  io(Row("runqueue_wait_ns", "Ready to run, without a CPU").OrUnknown(), message.runqueue_wait_ns);
  io(Row("blocked_ns", "At monitors, by its samples").OrUnknown(), message.blocked_ns);
  io(Row("system_name", "Name of a message of ActivityThread$H, or empty").Omit(omit::kMessages),
     message.system_name);
  io(Row("frame_stage", "The longest stage of a frame; empty for other messages"), message.stage);
  io(Row("lock_owner_tid", "Thread that held its lock the longest; 0: none is known"),
     message.lock_owner_tid);
  io(Row("lock_owner", "Name of the lock's owner").Omit(omit::kThreads), message.lock_owner);
  SegmentField(
      io, Row("segment", "Kind of code outside messages: idle-handler, ...; empty for a message"),
      message);
  io.List(Row("lock_waits", "A stretch of time in which one thread held the locks that blocked it"),
          message.lock_waits);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::MessageObject>& object) {
  io(Row("arg1", "Message.arg1"), object.arg1);
  io(Row("arg2", "Message.arg2"), object.arg2);
  io(Row("type", "Class of Message.obj; empty when there is none"), object.type);
  io(Row("text", "Its toString(), the first 200 bytes; empty when that did not answer in time"),
     object.text);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::PendingMessage>& message) {
  io(Row("delay_ms", "When minus now; negative is overdue"), message.delay_ms);
  io(Row("what", "Message.what"), message.what);
  io.Bits(Row("asynchronous", "Passes barriers"), message.is_asynchronous,
          Row("barrier", "A sync barrier"), message.is_barrier);
  io(Row("target", "Class of the Handler").Omit(omit::kMessages).Class(), message.target);
  io(Row("callback", "Class of the Runnable").Omit(omit::kMessages).Class(), message.callback);
  io(Row("age_ms", "Since it was posted; known for barriers").OrUnknown(), message.age_ms);
  io(Row("system_name", "As in a message").Omit(omit::kMessages), message.system_name);
  io(Row("component",
         "Subject of a message of the system: an intent's action and component, a service, a "
         "transaction's items; empty when not known")
         .Omit(omit::kMessages),
     message.component);
  io.Maybe(
      Row("object", "Its object as text, with STILLFRAME_MESSAGE_OBJECTS").Omit(omit::kMessages),
      message.object);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::Looper>& looper) {
  io(Row("thread", "Name of the thread").Note("`threads`; `main` stays"), looper.thread);
  io(Row("tid", "Thread id"), looper.tid);
  io(Row("tap", "How it is watched"), looper.tap);
  io(Row("messages", "Begun so far"), looper.messages);
  io.Maybe(Row("running", "Its running message, if it is not the main Looper"), looper.running);
}

// Common start of groups and records of the history.
template <typename Io, typename Span>
[[gnu::always_inline]] inline void SpanFields(Io& io, Span& span) {
  io(Row("looper", "Index into loopers"), span.looper);
  io(Row("kind", "quick, mixed, slow, normal, system, frame, idle, frozen, lost, outside, blind"),
     span.kind);
  io(Row("start_ns", "CLOCK_MONOTONIC"), span.start_ns);
  io(Row("span_ns", "From the first start to the last end"), span.span_ns);
  io(Row("wall_ns", "Wall time of its messages"), span.wall_ns);
  io(Row("cpu_ns", "CPU time of its messages").OrUnknown(), span.cpu_ns);
  io(Row("messages", "How many"), span.messages);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::HistoryGroup>& group) {
  SpanFields(io, group);
  io.Numbers(Row("tokens", "Slow ones among its messages"), group.tokens);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::HistoryRecord>& record) {
  SpanFields(io, record);
  io(Row("token", "Token of the last message"), record.token);
  io(Row("what", "`what` of the last message; the next fields are its own, too"), record.what);
  HandlerFields(io, record.target, model::CallbackOrMethod(record));
  io(Row("system_name", "As in a message").Omit(omit::kMessages), record.system_name);
  SegmentField(io, Row("segment", "As in a message, for code outside messages"), record);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::Jank>& jank) {
  io(Row("absent", "Why there is nothing here; else empty"), jank.absent);
  io(Row("refresh_interval_ns", "Time between two frames of the display"),
     jank.refresh_interval_ns);
  io(Row("frames", "Drawn"), jank.frames);
  io(Row("missed", "Refresh intervals without the frame that was due"), jank.missed);
  io(Row("watched_ns", "The time that all this is about"), jank.watched_ns);
  io(Row("due_unknown", "Frames of which only the start is known, not when they were due"),
     jank.due_unknown);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::FrozenFrame>& frame) {
  io(Row("token", "Token of its message"), frame.token);
  io(Row("start_ns", "CLOCK_MONOTONIC"), frame.start_ns);
  io(Row("duration_ns", "Time from due to drawn"), frame.duration_ns);
  io(Row("stage", "The longest stage"), frame.stage);
  io(Row("scene", "Scene on the screen").Omit(omit::kAnnotations).Class(), frame.scene);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::SceneShare>& share) {
  io(Row("scene", "As the application named it").Omit(omit::kAnnotations).Class(), share.scene);
  io(Row("shown_ns", "Time on the screen, within watched_ns"), share.shown_ns);
  io(Row("frozen_ns", "Time in frozen frames"), share.frozen_ns);
  io(Row("frames", "Drawn in it"), share.frames);
  io(Row("missed", "Refresh intervals without the frame that was due"), share.missed);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::ContextEntry>& entry) {
  io(Row("group", "device, process, cpu, memory, io or gc"), entry.group);
  io(Row("name", "With its unit"), entry.name);
  const Row text = Row("text", "The value, or why it is absent")
                       .Note(
                           "`context`; the application's also `process`, the main thread's stack "
                           "and native code also `stacks`");
  if (!io.Enum(Row("state", "absent, text or number"), entry.state))
    io.NotReadable(entry.text);
  else if (entry.state == model::ContextEntry::State::kNumber)
    io(Row("number", "The value"), entry.number);
  else
    io(text, entry.text);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::ThreadRow>& row) {
  io(Row("tid", "Thread id"), row.tid);
  io(Row("name", "As /proc has it"), row.name);
  io(Row("state", "A letter, as /proc has it"), row.state);
  io(Row("user_ms", "Within the interval").OrUnknown(), row.user_ms);
  io(Row("system_ms", "Within the interval").OrUnknown(), row.system_ms);
  io(Row("interval_ms", "That the times are about; 0: since the thread began"), row.interval_ms);
  io(Row("nice", "Its nice value"), row.nice);
  io(Row("runqueue_wait_ms", "Within the interval, ready to run without a CPU").OrUnknown(),
     row.runqueue_wait_ms);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::NativeFrame>& frame) {
  io(Row("module", "Index into modules; null: code of no library").OneMore(), frame.module);
  io(Row("address", "Offset in the library's file of the instruction, or of a call's last byte"),
     frame.address);
  io(Row("symbol", "Symbol of the library; empty when none contains the address"), frame.symbol);
  io(Row("place", "file:line, by symbol files; empty when not known")
         .Note("not in a dump of a device"),
     frame.place);
  io(Row("inlined", "Into the frame that follows"), frame.is_inlined);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::ThreadStack>& stack) {
  io(Row("tid", "Thread id"), stack.tid);
  io(Row("name", "Name of the thread"), stack.name);
  io(Row("source", "stood-still, running or none"), stack.source);
  io(Row("absent", "Reason for a missing stack, or empty"), stack.absent);
  io(Row("state", "When it was taken"), stack.state);
  io(Row("cpu_ns", "Reading of its CPU clock"), stack.cpu_ns);
  io(Row("wait", "Kind of its wait: monitor, object, ..., or none"), stack.wait);
  io(Row("wait_class", "Class of the object that it waits for or at").Class(), stack.wait_class);
  io(Row("wait_object", "Equal numbers are the same object; 0: none"), stack.wait_object);
  io(Row("wait_tid", "Thread that can end the wait; 0: not known"), stack.wait_tid);
  io.Numbers(Row("frames", "Indexes into frames, innermost first"), stack.frames);
  io(Row("native_absent", "Reason for missing native frames, or empty"), stack.native_absent);
  io(Row("native_truncated", "The outermost of these were not found"), stack.native_is_truncated);
  io.List(Row("native", "A frame of native code, innermost first"), stack.native);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::OtherThread>& other) {
  io(Row("during", "Token of the main thread's message"), other.during);
  io(Row("tree", "Token of the tree with its stacks; 0: none"), other.tree);
  io(Row("tid", "Thread id"), other.tid);
  io(Row("name", "Name of the thread"), other.name);
  io(Row("role", "ends-the-wait, ends-its-wait or used-cpu"), other.role);
  io(Row("from_us", "First look, since the message's start"), other.from_us);
  io(Row("until_us", "Last look, since the message's start"), other.until_us);
  io(Row("followed_us", "Time that the looks stand for"), other.followed_us);
  io(Row("cpu_us", "CPU time from the first look to the last"), other.cpu_us);
  io(Row("looks", "Looks with a stack"), other.looks);
  io(Row("missed", "Looks without a stack"), other.missed);
  io(Row("absent", "Reason for looks without a stack, or empty"), other.absent);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::Module>& module) {
  io(Row("path", "Path of its file").Note("`stacks` or `threads`; its folders also `process`"),
     module.path);
  io(Row("build_id", "Hex; empty when it has none"), module.build_id);
  io(Row("begin", "Address in the process"), module.begin);
  io(Row("end", "Address in the process"), module.end);
  io(Row("bias", "Address in the process minus address as the file counts"), module.bias);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::TraceEvent>& event) {
  io(Row("at_ns", "CLOCK_MONOTONIC"), event.at_ns);
  io(Row("kind", "begin, end, async-begin, async-end, counter or instant"), event.kind);
  io(Row("value", "Value of a counter; id that pairs an asynchronous begin and end"), event.value);
  io(Row("name", "As it was written"), event.name);
  io(Row("track", "Track of asynchronous events and instants, where they have one"), event.track);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::LooperSections>& sections) {
  io(Row("looper", "Index into loopers"), sections.looper);
  io(Row("lost", "Events before the first, and such as could not be kept"), sections.lost);
  io.List(Row("events", "Events that the thread wrote to the trace marker, oldest first"),
          sections.events);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::Annotation>& annotation) {
  io(Row("name", "As the application gave it"), annotation.name);
  io(Row("value", "As the application gave it"), annotation.value);
  io(Row("set_ns", "When it was set"), annotation.set_ns);
}

// Sections with one struct.

template <typename Io>
void PayloadOf(Io& io, FieldsOf<Io, model::Jank>& jank) {
  io.AsRecord(jank);
  io.List(Row("frozen", "A frozen frame, oldest first"), jank.frozen);
  io.List(Row("scenes", "A scene's share").Omit(omit::kAnnotations), jank.scenes);
}

template <typename Io>
void PayloadOf(Io& io, FieldsOf<Io, model::ThreadTable>& table) {
  io(Row("absent", "Reason for missing rows, or empty").NamesOmission(omit::kThreads),
     table.absent);
  io(Row("threads", "Threads of the process; there may be fewer rows"), table.threads);
  io.List(Row("rows", "A thread, the busiest first").Omit(omit::kThreads), table.rows);
}

template <typename Io>
void PayloadOf(Io& io, FieldsOf<Io, model::ThreadStacks>& stacks) {
  constexpr uint16_t kOmit = omit::kStacks | omit::kThreads;
  io(Row("absent", "Why there is nothing here; else empty").NamesOmission(kOmit), stacks.absent);
  io(Row("threads", "That the runtime knew; there may be fewer stacks"), stacks.threads);
  io(Row("begin_ns", "CLOCK_MONOTONIC").Omit(kOmit), stacks.begin_ns);
  io(Row("duration_ns", "Time that taking them took").Omit(kOmit), stacks.duration_ns);
  io.List(Row("stacks", "A thread's, the main one first, then those that it waits for").Omit(kOmit),
          stacks.stacks);
}

template <typename Io>
void PayloadOf(Io& io, FieldsOf<Io, model::SignalCatcherText>& captured) {
  io(Row("source", "How it was captured"), captured.source);
  io(Row("absent", "Why it was not captured; else empty"), captured.absent);
  io(Row("full_bytes", "Before it was shortened"), captured.full_bytes);
  io(Row("text", "The traces")
         .Lines()
         .Note("`stacks`, `threads`, `process`, or `STILLFRAME_COPY_TRACES=0`"),
     captured.text);
}

template <typename Io>
void PayloadOf(Io& io, FieldsOf<Io, model::TraceSections>& sections) {
  constexpr uint16_t kOmit = omit::kStacks | omit::kMessages | omit::kThreads | omit::kAnnotations;
  io(Row("absent", "Why nothing was captured; else empty").NamesOmission(kOmit), sections.absent);
  io.List(Row("loopers", "A watched thread").Omit(kOmit), sections.loopers);
}

// The payload of a section, except kFrames, kTree, kThreadTree and kEnd.
template <typename Io>
void SectionFields(Io& io, SectionKind kind, FieldsOf<Io, model::Dump>& dump) {
  switch (kind) {
    case SectionKind::kIdentity:
      return io.Record(Row("identity", "The process and its profiler"), dump.identity);
    case SectionKind::kTrigger:
      return io.AsRecord(static_cast<FieldsOf<Io, model::Occasion>&>(dump));
    case SectionKind::kConfiguration:
      io.List(Row("configuration", "A setting"), dump.configuration);
      io(Row("slow_ns", "A message that runs this long is slow, as it was set; 0: not known"),
         dump.slow_ns);
      io(Row("interval_ns", "Between samples, as it was set; 0: not known"), dump.interval_ns);
      return;
    case SectionKind::kCounters:
      return io.List(Row("counters", "A counter of the profiler's cost or losses"), dump.counters);
    case SectionKind::kHistory:
      io(Row("history_lost", "Older ones that the bound pushed out"), dump.history_lost);
      return io.List(Row("history", "A slow message that ended, oldest first"), dump.history);
    case SectionKind::kRunning:
      return io.Maybe(Row("running", "The message that ran at the dump"), dump.running);
    case SectionKind::kPending:
      return io.Group(Row("pending", "The queue at the dump"), [&](auto& queue) {
        queue(Row("source", "How it was read; empty when it was not"), dump.pending_source);
        queue(Row("absent", "Why it was not read; else empty").NamesOmission(omit::kQueue),
              dump.pending_absent);
        queue.List(Row("messages", "One of the queue, first in the queue first").Omit(omit::kQueue),
                   dump.pending);
        queue(Row("total", "Messages in it; 0 is not known").Omit(omit::kQueue),
              dump.pending_total);
        queue(Row("cut", "There may be more than total: the reading took too long")
                  .Omit(omit::kQueue),
              dump.pending_is_truncated);
      });
    case SectionKind::kLoopers:
      return io.List(Row("loopers", "A watched Looper, the main one first"), dump.loopers);
    case SectionKind::kGroups:
      return io.Group(Row("history_groups", "The history in groups of about 300 ms"),
                      [&](auto& view) {
                        view(Row("lost", "Older ones that the bound pushed out"), dump.groups_lost);
                        view.List(Row("groups", "A group, oldest first"), dump.groups);
                      });
    case SectionKind::kRecords:
      return io.Group(
          Row("history_records", "The history by message, quick ones merged"), [&](auto& view) {
            view(Row("lost", "Older ones that the bound pushed out"), dump.records_lost);
            view.List(Row("records", "A record, oldest first"), dump.records);
          });
    case SectionKind::kJank:
      return io.Payload(Row("jank", "Frames of the Choreographer"), dump.jank);
    case SectionKind::kContext:
      return io.List(Row("context", "A fact about device or process").Omit(omit::kContext),
                     dump.context);
    case SectionKind::kThreads:
      return io.Payload(Row("threads", "The threads of the process"), dump.threads);
    case SectionKind::kAnnotations:
      return io.Group(
          Row("annotations", "Names and values that the application set"), [&](auto& said) {
            said(Row("scene", "Such as the visible activity").Omit(omit::kAnnotations).Class(),
                 dump.annotations.scene);
            said(Row("scene_since_ns", "Since when").Omit(omit::kAnnotations),
                 dump.annotations.scene_since_ns);
            said.List(Row("entries", "An annotation").Omit(omit::kAnnotations),
                      dump.annotations.entries);
          });
    case SectionKind::kSignalCatcher:
      return io.Payload(Row("signal_catcher", "ART's own traces"), dump.signal_catcher);
    case SectionKind::kThreadStacks:
      return io.Payload(Row("thread_stacks", "Stacks of the runtime's threads"),
                        dump.thread_stacks);
    case SectionKind::kModules:
      return io.List(
          Row("modules", "A library that is loaded").Omit(omit::kStacks | omit::kThreads),
          dump.modules);
    case SectionKind::kTraceSections:
      return io.Payload(Row("trace_sections", "Events that threads wrote to the trace marker"),
                        dump.sections);
    case SectionKind::kOtherThreads:
      return io.List(Row("other_threads",
                         "A thread that was followed while the main thread waited in a message")
                         .Omit(omit::kStacks | omit::kThreads),
                     dump.other_threads);
    case SectionKind::kFrames:
    case SectionKind::kTree:
    case SectionKind::kThreadTree:
    case SectionKind::kEnd: return;
  }
}

// Record of the section of frames. Texts are indices into the section's strings plus one; 0: "".
struct MethodRecord {
  uint64_t class_name = 0;
  uint64_t method_name = 0;
  uint64_t signature = 0;
  uint64_t source_file = 0;
};

template <typename Io>
void Fields(Io& io, FieldsOf<Io, MethodRecord>& method) {
  io(Row("class_name", "Index in the strings plus one"), method.class_name);
  io(Row("method_name", "Likewise"), method.method_name);
  io(Row("signature", "Likewise"), method.signature);
  io(Row("source_file", "Likewise"), method.source_file);
}

struct FrameRecord {
  uint64_t id_rise = 0;  // minus the previous id; the first: the id
  uint64_t method = 0;   // index into the section's methods
  int32_t line = 0;
  model::FrameKind kind = model::FrameKind::kInterpreted;
};

template <typename Io>
void Fields(Io& io, FieldsOf<Io, FrameRecord>& frame) {
  io(Row("id_rise", "Minus the id before it"), frame.id_rise);
  io(Row("method", "Index in the methods"), frame.method);
  io(Row("line", "Line in the source file"), frame.line);
  io(Row("kind", "Kind of the frame"), frame.kind);
}

// Precedes a tree's columns.
struct TreeHead {
  Token token = Token::kNone;
  uint32_t interval_scale = 0;
  uint64_t samples_added = 0;
  uint64_t truncated_stacks = 0;
  uint64_t samples = 0;
  uint64_t nodes = 0;  // without the root
  uint64_t frames = 0;
  uint32_t sample_version = kSampleVersion;  // of the columns that follow
};

template <typename Io>
void Fields(Io& io, FieldsOf<Io, TreeHead>& head) {
  io(Row("token", "Token of its message"), head.token);
  io(Row("interval_scale", "Intervals that a sample stands for"), head.interval_scale);
  io(Row("samples_added", "Those included that were merged since"), head.samples_added);
  io(Row("truncated_stacks", "Too deep for the tree"), head.truncated_stacks);
  io(Row("samples", "How many"), head.samples);
  io(Row("nodes", "Without the root"), head.nodes);
  io(Row("frames", "How many"), head.frames);
  io(Row("sample_version", "Version of the columns of samples"), head.sample_version);
}

}  // namespace stillframe::dump
