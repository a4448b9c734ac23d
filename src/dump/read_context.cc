// The sections about the process, the device, and the profiler itself.
// Context: host tools and tests, any thread
#include "src/dump/section_readers.h"

namespace stillframe::dump {

bool ReadIdentity(FieldCursor* fields, uint32_t /*max_records*/, model::Document* document) {
  FieldCursor record = fields->Record();
  model::Identity id;
  id.process_name = record.String();
  id.pid = record.VarintOf<uint32_t>();
  id.uid = record.VarintOf<uint32_t>();
  id.abi = record.String();
  id.art_release = record.String();
  id.art_build_id = record.String();
  id.profiler_version = record.String();
  id.sampler_state = record.String();
  id.tap = record.String();
  id.process_start_ns = record.Varint();
  if (record.ok()) {
    document->identity = std::move(id);
  }
  return record.ok();
}

bool ReadTrigger(FieldCursor* fields, uint32_t /*max_records*/, model::Document* document) {
  FieldCursor record = fields->Record();
  const uint64_t trigger = record.Varint();
  const uint32_t sequence = record.VarintOf<uint32_t>();
  const uint64_t monotonic_ns = record.Varint();
  const uint64_t realtime_ns = record.Varint();
  std::string detail;
  std::string confirmed;
  if (!record.AtEnd()) {
    detail = record.String();
    confirmed = record.String();
  }
  if (record.ok()) {
    document->trigger = KnownOr(trigger, model::Trigger::kHeartbeat, model::Trigger::kUnknown);
    document->sequence = sequence;
    document->taken_monotonic_ns = monotonic_ns;
    document->taken_realtime_ns = realtime_ns;
    document->trigger_detail = std::move(detail);
    document->trigger_confirmed = std::move(confirmed);
  }
  return record.ok();
}

bool ReadConfiguration(FieldCursor* list, uint32_t max_records, model::Document* document) {
  return ReadList(list, max_records, &document->configuration, [](FieldCursor* fields) {
    model::NamedText entry;
    entry.name = fields->String();
    entry.value = fields->String();
    return entry;
  });
}

bool ReadCounters(FieldCursor* list, uint32_t max_records, model::Document* document) {
  return ReadList(list, max_records, &document->counters, [](FieldCursor* fields) {
    model::NamedCount counter;
    counter.name = fields->String();
    counter.value = fields->Varint();
    return counter;
  });
}

bool ReadContext(FieldCursor* list, uint32_t max_records, model::Document* document) {
  return ReadList(list, max_records, &document->context, [](FieldCursor* fields) {
    using State = model::ContextEntry::State;
    model::ContextEntry entry;
    entry.group = fields->String();
    entry.name = fields->String();
    const uint64_t state = fields->Varint();
    entry.state = KnownOr(state, State::kNumber, State::kAbsent);
    if (entry.state == State::kNumber) {
      entry.number = fields->Zigzag();
    } else if (state <= static_cast<uint64_t>(State::kNumber)) {
      entry.text = fields->String();
    } else {
      entry.text = "written in a way that this tool does not know";
    }
    return entry;
  });
}

bool ReadThreads(FieldCursor* list, uint32_t max_records, model::Document* document) {
  model::ThreadTable table;
  table.absent = list->String();
  table.threads = list->VarintOf<uint32_t>();
  const bool is_whole = ReadList(list, max_records, &table.rows, [](FieldCursor* fields) {
    model::ThreadRow row;
    row.tid = fields->VarintOf<uint32_t>();
    row.name = fields->String();
    const uint64_t state = fields->Varint();
    row.state = state > ' ' && state < 0x7F ? static_cast<char>(state) : '?';
    row.user_ms = fields->Zigzag();
    row.system_ms = fields->Zigzag();
    row.interval_ms = fields->Varint();
    row.nice = fields->Zigzag32();
    row.runqueue_wait_ms = fields->Zigzag();
    return row;
  });
  if (is_whole) {
    document->threads = std::move(table);
  }
  return is_whole;
}

bool ReadAnnotations(FieldCursor* list, uint32_t max_records, model::Document* document) {
  model::Annotations annotations;
  annotations.scene = list->String();
  annotations.scene_since_ns = list->Varint();
  const bool is_whole = ReadList(list, max_records, &annotations.entries, [](FieldCursor* fields) {
    model::Annotation annotation;
    annotation.name = fields->String();
    annotation.value = fields->String();
    annotation.set_ns = fields->Varint();
    return annotation;
  });
  if (is_whole) {
    document->annotations = std::move(annotations);
  }
  return is_whole;
}

bool ReadSignalCatcher(FieldCursor* fields, uint32_t /*max_records*/, model::Document* document) {
  model::SignalCatcherText captured;
  captured.source = fields->String();
  captured.absent = fields->String();
  captured.full_bytes = fields->Varint();
  captured.text = fields->String();
  if (fields->ok()) {
    document->signal_catcher = std::move(captured);
  }
  return fields->ok();
}

}  // namespace stillframe::dump
