// The sections about messages: past, present, future, and the frames they drew.
// Context: host tools and tests, any thread
#include "src/dump/section_readers.h"

namespace stillframe::dump {
namespace {

model::SpanKind ReadSpanKind(FieldCursor* fields) {
  return KnownOr(fields->Varint(), model::SpanKind::kLost, model::SpanKind::kUnknown);
}

model::FrameStage ReadStage(FieldCursor* fields) {
  return KnownOr(fields->Varint(), model::FrameStage::kCommit, model::FrameStage::kUnknown);
}

model::Message ReadMessage(FieldCursor* fields) {
  model::Message message;
  message.token = fields->Varint();
  message.start_ns = fields->Varint();
  message.wait_ns = fields->Zigzag();
  message.wall_ns = fields->Zigzag();
  message.cpu_ns = fields->Zigzag();
  message.samples = fields->VarintOf<uint32_t>();
  message.flags = fields->VarintOf<uint32_t>();
  message.what = fields->Zigzag32();
  message.target = fields->String();
  message.callback = fields->String();
  if (!fields->AtEnd()) {
    message.looper = fields->VarintOf<uint32_t>();
    message.runqueue_wait_ns = fields->Zigzag();
    message.blocked_ns = fields->Zigzag();
    message.system_name = fields->String();
    message.stage = ReadStage(fields);
    message.lock_owner_tid = fields->VarintOf<uint32_t>();
    message.lock_owner = fields->String();
  }
  return message;
}

model::PendingMessage ReadPendingMessage(FieldCursor* fields) {
  model::PendingMessage message;
  message.delay_ms = fields->Zigzag();
  message.what = fields->Zigzag32();
  const uint64_t bits = fields->Varint();
  message.is_asynchronous = (bits & 1U) != 0;
  message.is_barrier = (bits & 2U) != 0;
  message.target = fields->String();
  message.callback = fields->String();
  if (!fields->AtEnd()) {
    message.age_ms = fields->Zigzag();
    message.system_name = fields->String();
  }
  return message;
}

}  // namespace

bool ReadHistory(FieldCursor* list, uint32_t max_records, model::Document* document) {
  const uint64_t lost = list->Varint();
  if (!ReadList(list, max_records, &document->history, ReadMessage)) {
    return false;
  }
  document->history_lost = lost;
  return true;
}

bool ReadRunning(FieldCursor* list, uint32_t /*max_records*/, model::Document* document) {
  std::vector<model::Message> messages;
  if (!ReadList(list, 1, &messages, ReadMessage)) {
    return false;
  }
  if (!messages.empty()) {
    document->running = std::move(messages[0]);
  }
  return true;
}

bool ReadPending(FieldCursor* list, uint32_t max_records, model::Document* document) {
  std::string source = list->String();
  std::string absent = list->String();
  std::vector<model::PendingMessage> messages;
  if (!ReadList(list, max_records, &messages, ReadPendingMessage)) {
    return false;
  }
  const uint64_t total = list->AtEnd() ? 0 : list->Varint();
  const bool is_truncated = !list->AtEnd() && list->Varint() != 0;
  if (list->ok()) {
    document->pending_source = std::move(source);
    document->pending_absent = std::move(absent);
    document->pending = std::move(messages);
    document->pending_total = total;
    document->pending_is_truncated = is_truncated;
  }
  return list->ok();
}

bool ReadLoopers(FieldCursor* list, uint32_t max_records, model::Document* document) {
  return ReadList(list, max_records, &document->loopers, [](FieldCursor* fields) {
    model::Looper looper;
    looper.thread = fields->String();
    looper.tid = fields->VarintOf<uint32_t>();
    looper.tap = fields->String();
    looper.messages = fields->Varint();
    std::vector<model::Message> running;
    ReadList(fields, 1, &running, ReadMessage);
    if (!running.empty()) {
      looper.running = std::move(running[0]);
    }
    return looper;
  });
}

bool ReadGroups(FieldCursor* list, uint32_t max_records, model::Document* document) {
  const uint64_t lost = list->Varint();
  const bool is_whole =
      ReadList(list, max_records, &document->groups, [max_records](FieldCursor* fields) {
        model::HistoryGroup group;
        group.looper = fields->VarintOf<uint32_t>();
        group.kind = ReadSpanKind(fields);
        group.start_ns = fields->Varint();
        group.span_ns = fields->Varint();
        group.wall_ns = fields->Varint();
        group.cpu_ns = fields->Zigzag();
        group.messages = fields->Varint();
        const uint32_t tokens = fields->Count(max_records);
        for (uint32_t i = 0; i < tokens && fields->ok(); ++i) {
          group.tokens.push_back(fields->Varint());
        }
        return group;
      });
  if (is_whole) {
    document->groups_lost = lost;
  }
  return is_whole;
}

bool ReadRecords(FieldCursor* list, uint32_t max_records, model::Document* document) {
  const uint64_t lost = list->Varint();
  const bool is_whole = ReadList(list, max_records, &document->records, [](FieldCursor* fields) {
    model::HistoryRecord record;
    record.looper = fields->VarintOf<uint32_t>();
    record.kind = ReadSpanKind(fields);
    record.start_ns = fields->Varint();
    record.span_ns = fields->Varint();
    record.wall_ns = fields->Varint();
    record.cpu_ns = fields->Zigzag();
    record.messages = fields->Varint();
    record.token = fields->Varint();
    record.what = fields->Zigzag32();
    record.target = fields->String();
    record.callback = fields->String();
    record.system_name = fields->String();
    return record;
  });
  if (is_whole) {
    document->records_lost = lost;
  }
  return is_whole;
}

bool ReadJank(FieldCursor* fields, uint32_t max_records, model::Document* document) {
  model::Jank jank;
  FieldCursor head = fields->Record();
  jank.absent = head.String();
  jank.refresh_interval_ns = head.Varint();
  jank.frames = head.Varint();
  jank.missed = head.Varint();
  jank.watched_ns = head.Varint();
  jank.due_unknown = head.AtEnd() ? 0 : head.Varint();
  fields->Require(head);
  const bool is_whole = ReadList(fields, max_records, &jank.frozen,
                                 [](FieldCursor* record) {
                                   model::FrozenFrame frame;
                                   frame.token = record->Varint();
                                   frame.start_ns = record->Varint();
                                   frame.duration_ns = record->Varint();
                                   frame.stage = ReadStage(record);
                                   frame.scene = record->String();
                                   return frame;
                                 }) &&
                        ReadList(fields, max_records, &jank.scenes, [](FieldCursor* record) {
                          model::SceneShare share;
                          share.scene = record->String();
                          share.shown_ns = record->Varint();
                          share.frozen_ns = record->Varint();
                          share.frames = record->Varint();
                          share.missed = record->Varint();
                          return share;
                        });
  if (is_whole) {
    document->jank = std::move(jank);
  }
  return is_whole;
}

}  // namespace stillframe::dump
