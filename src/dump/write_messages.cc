// The sections about messages: past, present, future, and the frames they drew.
// Context: any thread, one at a time; no JNI, no locks
#include "src/dump/section_writers.h"

namespace stillframe::dump {
namespace {

void Put(const model::Message& message, Record* record) {
  record->Varint(message.token).Varint(message.start_ns).Zigzag(message.wait_ns);
  record->Zigzag(message.wall_ns).Zigzag(message.cpu_ns).Varint(message.samples);
  record->Varint(message.flags).Zigzag(message.what).String(message.target);
  record->String(message.callback).Varint(message.looper).Zigzag(message.runqueue_wait_ns);
  record->Zigzag(message.blocked_ns).String(message.system_name);
  record->Varint(static_cast<uint64_t>(message.stage)).Varint(message.lock_owner_tid);
  record->String(message.lock_owner);
}

void AddPending(const model::Dump& dump, SectionWriter* out) {
  out->Add(SectionKind::kPending, [&](Record* record, Deflater* payload) {
    payload->String(dump.pending_source);
    payload->String(dump.pending_absent);
    payload->Varint(dump.pending.size());
    for (const model::PendingMessage& message : dump.pending) {
      record->Zigzag(message.delay_ms).Zigzag(message.what);
      record->Varint((message.is_asynchronous ? 1U : 0U) | (message.is_barrier ? 2U : 0U));
      record->String(message.target).String(message.callback).Zigzag(message.age_ms);
      record->String(message.system_name).FinishTo(payload);
    }
    payload->Varint(dump.pending_total);
    payload->Varint(dump.pending_is_truncated ? 1 : 0);
  });
}

void AddLoopers(std::span<const model::Looper> loopers, SectionWriter* out) {
  out->Add(SectionKind::kLoopers, [&](Record* record, Deflater* payload) {
    payload->Varint(loopers.size());
    for (const model::Looper& looper : loopers) {
      record->String(looper.thread).Varint(looper.tid).String(looper.tap).Varint(looper.messages);
      record->Varint(looper.running ? 1 : 0);
      if (looper.running) {
        Record running;
        Put(*looper.running, &running);
        record->Nested(&running);
      }
      record->FinishTo(payload);
    }
  });
}

void AddGroups(const model::Dump& dump, SectionWriter* out) {
  out->Add(SectionKind::kGroups, [&](Record* record, Deflater* payload) {
    payload->Varint(dump.groups_lost);
    payload->Varint(dump.groups.size());
    for (const model::HistoryGroup& group : dump.groups) {
      record->Varint(group.looper).Varint(static_cast<uint64_t>(group.kind));
      record->Varint(group.start_ns).Varint(group.span_ns).Varint(group.wall_ns);
      record->Zigzag(group.cpu_ns).Varint(group.messages).Varint(group.tokens.size());
      for (const uint64_t token : group.tokens) {
        record->Varint(token);
      }
      record->FinishTo(payload);
    }
  });
}

void AddRecords(const model::Dump& dump, SectionWriter* out) {
  out->Add(SectionKind::kRecords, [&](Record* fields, Deflater* payload) {
    payload->Varint(dump.records_lost);
    payload->Varint(dump.records.size());
    for (const model::HistoryRecord& record : dump.records) {
      fields->Varint(record.looper).Varint(static_cast<uint64_t>(record.kind));
      fields->Varint(record.start_ns).Varint(record.span_ns).Varint(record.wall_ns);
      fields->Zigzag(record.cpu_ns).Varint(record.messages).Varint(record.token);
      fields->Zigzag(record.what).String(record.target).String(record.callback);
      fields->String(record.system_name).FinishTo(payload);
    }
  });
}

void AddJank(const model::Jank& jank, SectionWriter* out) {
  out->Add(SectionKind::kJank, [&](Record* record, Deflater* payload) {
    record->String(jank.absent).Varint(jank.refresh_interval_ns).Varint(jank.frames);
    record->Varint(jank.missed).Varint(jank.watched_ns).Varint(jank.due_unknown).FinishTo(payload);
    payload->Varint(jank.frozen.size());
    for (const model::FrozenFrame& frame : jank.frozen) {
      record->Varint(frame.token).Varint(frame.start_ns).Varint(frame.duration_ns);
      record->Varint(static_cast<uint64_t>(frame.stage)).String(frame.scene).FinishTo(payload);
    }
    payload->Varint(jank.scenes.size());
    for (const model::SceneShare& share : jank.scenes) {
      record->String(share.scene).Varint(share.shown_ns).Varint(share.frozen_ns);
      record->Varint(share.frames).Varint(share.missed).FinishTo(payload);
    }
  });
}

}  // namespace

void AddMessages(const model::Dump& dump, SectionWriter* out) {
  out->Add(SectionKind::kRunning, [&](Record* record, Deflater* payload) {
    payload->Varint(dump.running ? 1 : 0);
    if (dump.running) {
      Put(*dump.running, record);
      record->FinishTo(payload);
    }
  });
  out->Add(SectionKind::kHistory, [&](Record* record, Deflater* payload) {
    payload->Varint(dump.history_lost);
    payload->Varint(dump.history.size());
    for (const model::Message& message : dump.history) {
      Put(message, record);
      record->FinishTo(payload);
    }
  });
  AddPending(dump, out);
  if (!dump.loopers.empty()) {
    AddLoopers(dump.loopers, out);
  }
  if (!dump.groups.empty()) {
    AddGroups(dump, out);
  }
  if (!dump.records.empty()) {
    AddRecords(dump, out);
  }
  if (dump.jank) {
    AddJank(*dump.jank, out);
  }
}

}  // namespace stillframe::dump
