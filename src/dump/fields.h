// SPDX-License-Identifier: Apache-2.0
// What a section and a record hold, field by field, in the order of dump_format.h. The writer and
// the reader both follow these lines, each with an `Io` of its own: Encoder and Decoder.
//
// The type of a field says how it is stored: unsigned, bool and enum as varint, signed as zigzag,
// text as string; a field of another type is another format. Fields are only ever appended, behind
// Io::More(), which is false where a file of an older version ends the record.
//
// An Io has, with T const in the Encoder:
//   Of<T>             T, or const T
//   io(fields...)     the fields one after another
//   More()            there are fields of a newer version
//   Enum(value)       an enum alone; false if its value is not known to this version
//   NotReadable(text) what stands for a field that an unknown enum keeps from being read
//   Bits(flags...)    bools as bits of one varint, the first is bit 0
//   Numbers(list)     a count and so many varints
//   AsRecord(item)    a record
//   List(items)       a count and so many records
//   Maybe(item)       the same for an optional
//   Payload(item)     a section that is all about one optional struct
// Context: any thread, one at a time
#pragma once

#include <array>
#include <cstdint>

#include "include/stillframe/dump_format.h"
#include "src/model/dump.h"
#include "src/trace/frame.h"

namespace stillframe::dump {

template <typename Io, typename T>
using FieldsOf = typename Io::template Of<T>;

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::Identity>& id) {
  io(id.process_name, id.pid, id.uid, id.abi, id.art_release, id.art_build_id);
  io(id.profiler_version, id.sampler_state, id.tap, id.process_start_ns);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::Occasion>& occasion) {
  io(occasion.trigger, occasion.sequence, occasion.taken_monotonic_ns, occasion.taken_realtime_ns);
  if (io.More()) io(occasion.trigger_detail, occasion.trigger_confirmed);
  if (io.More()) io(occasion.system_reason, occasion.system_component);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::NamedText>& entry) {
  io(entry.name, entry.value);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::NamedCount>& counter) {
  io(counter.name, counter.value);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::LockWait>& wait) {
  io(wait.from_us, wait.until_us, wait.blocked_us, wait.owner_tid, wait.owner, wait.lock_class);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::Message>& message) {
  io(message.token, message.start_ns, message.wait_ns, message.wall_ns, message.cpu_ns);
  io(message.samples, message.flags, message.what, message.target, message.callback);
  if (io.More()) {
    io(message.looper, message.runqueue_wait_ns, message.blocked_ns, message.system_name);
    io(message.stage, message.lock_owner_tid, message.lock_owner);
  }
  if (io.More()) io(message.segment);
  if (io.More()) io.List(message.lock_waits);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::MessageObject>& object) {
  io(object.arg1, object.arg2, object.type, object.text);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::PendingMessage>& message) {
  io(message.delay_ms, message.what);
  io.Bits(message.is_asynchronous, message.is_barrier);
  io(message.target, message.callback);
  if (io.More()) io(message.age_ms, message.system_name);
  if (io.More()) io(message.component);
  if (io.More()) io.Maybe(message.object);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::Looper>& looper) {
  io(looper.thread, looper.tid, looper.tap, looper.messages);
  io.Maybe(looper.running);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::HistoryGroup>& group) {
  io(group.looper, group.kind, group.start_ns, group.span_ns, group.wall_ns, group.cpu_ns);
  io(group.messages);
  io.Numbers(group.tokens);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::HistoryRecord>& record) {
  io(record.looper, record.kind, record.start_ns, record.span_ns, record.wall_ns, record.cpu_ns);
  io(record.messages, record.token, record.what, record.target, record.callback);
  io(record.system_name);
  if (io.More()) io(record.segment);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::Jank>& jank) {
  io(jank.absent, jank.refresh_interval_ns, jank.frames, jank.missed, jank.watched_ns);
  if (io.More()) io(jank.due_unknown);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::FrozenFrame>& frame) {
  io(frame.token, frame.start_ns, frame.duration_ns, frame.stage, frame.scene);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::SceneShare>& share) {
  io(share.scene, share.shown_ns, share.frozen_ns, share.frames, share.missed);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::ContextEntry>& entry) {
  io(entry.group, entry.name);
  if (!io.Enum(entry.state))
    io.NotReadable(entry.text);
  else if (entry.state == model::ContextEntry::State::kNumber)
    io(entry.number);
  else
    io(entry.text);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::ThreadRow>& row) {
  io(row.tid, row.name, row.state, row.user_ms, row.system_ms, row.interval_ms, row.nice);
  io(row.runqueue_wait_ms);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::NativeFrame>& frame) {
  io(frame.module, frame.address, frame.symbol, frame.place, frame.is_inlined);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::ThreadStack>& stack) {
  io(stack.tid, stack.name, stack.source, stack.absent, stack.state, stack.cpu_ns);
  io(stack.wait, stack.wait_class, stack.wait_object, stack.wait_tid);
  io.Numbers(stack.frames);
  if (io.More()) {
    io(stack.native_absent, stack.native_is_truncated);
    io.List(stack.native);
  }
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::Module>& module) {
  io(module.path, module.build_id, module.begin, module.end, module.bias);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::TraceEvent>& event) {
  io(event.at_ns, event.kind, event.value, event.name, event.track);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::LooperSections>& sections) {
  io(sections.looper, sections.lost);
  io.List(sections.events);
}

template <typename Io>
void Fields(Io& io, FieldsOf<Io, model::Annotation>& annotation) {
  io(annotation.name, annotation.value, annotation.set_ns);
}

// Sections that are all about one struct.

template <typename Io>
void PayloadOf(Io& io, FieldsOf<Io, model::Jank>& jank) {
  io.AsRecord(jank);
  io.List(jank.frozen);
  io.List(jank.scenes);
}

template <typename Io>
void PayloadOf(Io& io, FieldsOf<Io, model::ThreadTable>& table) {
  io(table.absent, table.threads);
  io.List(table.rows);
}

template <typename Io>
void PayloadOf(Io& io, FieldsOf<Io, model::ThreadStacks>& stacks) {
  io(stacks.absent, stacks.threads, stacks.begin_ns, stacks.duration_ns);
  io.List(stacks.stacks);
}

template <typename Io>
void PayloadOf(Io& io, FieldsOf<Io, model::SignalCatcherText>& captured) {
  io(captured.source, captured.absent, captured.full_bytes, captured.text);
}

template <typename Io>
void PayloadOf(Io& io, FieldsOf<Io, model::TraceSections>& sections) {
  io(sections.absent);
  io.List(sections.loopers);
}

// The payload of a section; kFrames, kTree and kEnd have none of this form.
template <typename Io>
void SectionFields(Io& io, SectionKind kind, FieldsOf<Io, model::Dump>& dump) {
  switch (kind) {
    case SectionKind::kIdentity: return io.AsRecord(dump.identity);
    case SectionKind::kTrigger:
      return io.AsRecord(static_cast<FieldsOf<Io, model::Occasion>&>(dump));
    case SectionKind::kConfiguration: return io.List(dump.configuration);
    case SectionKind::kCounters: return io.List(dump.counters);
    case SectionKind::kHistory: io(dump.history_lost); return io.List(dump.history);
    case SectionKind::kRunning: return io.Maybe(dump.running);
    case SectionKind::kPending:
      io(dump.pending_source, dump.pending_absent);
      io.List(dump.pending);
      if (io.More()) io(dump.pending_total);
      if (io.More()) io(dump.pending_is_truncated);
      return;
    case SectionKind::kLoopers: return io.List(dump.loopers);
    case SectionKind::kGroups: io(dump.groups_lost); return io.List(dump.groups);
    case SectionKind::kRecords: io(dump.records_lost); return io.List(dump.records);
    case SectionKind::kJank: return io.Payload(dump.jank);
    case SectionKind::kContext: return io.List(dump.context);
    case SectionKind::kThreads: return io.Payload(dump.threads);
    case SectionKind::kAnnotations:
      io(dump.annotations.scene, dump.annotations.scene_since_ns);
      return io.List(dump.annotations.entries);
    case SectionKind::kSignalCatcher: return io.Payload(dump.signal_catcher);
    case SectionKind::kThreadStacks: return io.Payload(dump.thread_stacks);
    case SectionKind::kModules: return io.List(dump.modules);
    case SectionKind::kTraceSections: return io.Payload(dump.sections);
    case SectionKind::kFrames:
    case SectionKind::kTree:
    case SectionKind::kEnd: return;
  }
}

// Of the frames' section. The texts are references: index in the section's strings plus one, 0 is
// the empty string.
struct MethodRecord {
  uint64_t class_name = 0;
  uint64_t method_name = 0;
  uint64_t signature = 0;
  uint64_t source_file = 0;
};

template <typename Io>
void Fields(Io& io, FieldsOf<Io, MethodRecord>& method) {
  io(method.class_name, method.method_name, method.signature, method.source_file);
}

struct FrameRecord {
  uint64_t id_rise = 0;  // minus the id before it; of the first, the id
  uint64_t method = 0;   // index in the section's methods
  int32_t line = 0;
  trace::FrameKind kind = trace::FrameKind::kInterpreted;
};

template <typename Io>
void Fields(Io& io, FieldsOf<Io, FrameRecord>& frame) {
  io(frame.id_rise, frame.method, frame.line, frame.kind);
}

// Before a tree's columns.
struct TreeHead {
  uint64_t token = 0;
  uint32_t interval_scale = 0;
  uint64_t samples_added = 0;
  uint64_t truncated_stacks = 0;
  uint64_t samples = 0;
  uint64_t nodes = 0;  // without the root
  uint64_t frames = 0;
  uint32_t sample_version = kSampleVersion;  // of the columns that follow; since 1.2
};

template <typename Io>
void Fields(Io& io, FieldsOf<Io, TreeHead>& head) {
  io(head.token, head.interval_scale, head.samples_added, head.truncated_stacks, head.samples);
  io(head.nodes, head.frames);
  if (io.More()) io(head.sample_version);
}

}  // namespace stillframe::dump
