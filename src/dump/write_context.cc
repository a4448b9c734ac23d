// The sections about the process, the device, and the profiler itself.
// Context: any thread, one at a time; no JNI, no locks
#include "src/dump/section_writers.h"

namespace stillframe::dump {

void AddOccasion(const model::Occasion& occasion, SectionWriter* out) {
  out->Add(SectionKind::kTrigger, [&](Record* record, Deflater* payload) {
    record->Varint(static_cast<uint64_t>(occasion.trigger)).Varint(occasion.sequence);
    record->Varint(occasion.taken_monotonic_ns).Varint(occasion.taken_realtime_ns);
    record->String(occasion.trigger_detail).String(occasion.trigger_confirmed).FinishTo(payload);
  });
}

void AddFacts(const model::Dump& dump, SectionWriter* out) {
  const model::Identity& id = dump.identity;
  out->Add(SectionKind::kIdentity, [&](Record* record, Deflater* payload) {
    record->String(id.process_name).Varint(id.pid).Varint(id.uid).String(id.abi);
    record->String(id.art_release).String(id.art_build_id).String(id.profiler_version);
    record->String(id.sampler_state).String(id.tap).Varint(id.process_start_ns).FinishTo(payload);
  });
  AddOccasion(dump, out);
  out->Add(SectionKind::kConfiguration, [&](Record* record, Deflater* payload) {
    payload->Varint(dump.configuration.size());
    for (const model::NamedText& entry : dump.configuration) {
      record->String(entry.name).String(entry.value).FinishTo(payload);
    }
  });
  out->Add(SectionKind::kCounters, [&](Record* record, Deflater* payload) {
    payload->Varint(dump.counters.size());
    for (const model::NamedCount& counter : dump.counters) {
      record->String(counter.name).Varint(counter.value).FinishTo(payload);
    }
  });
}

namespace {

void AddEntries(std::span<const model::ContextEntry> entries, SectionWriter* out) {
  out->Add(SectionKind::kContext, [&](Record* record, Deflater* payload) {
    payload->Varint(entries.size());
    for (const model::ContextEntry& entry : entries) {
      record->String(entry.group).String(entry.name).Varint(static_cast<uint64_t>(entry.state));
      if (entry.state == model::ContextEntry::State::kNumber) {
        record->Zigzag(entry.number);
      } else {
        record->String(entry.text);
      }
      record->FinishTo(payload);
    }
  });
}

void AddThreads(const model::ThreadTable& table, SectionWriter* out) {
  out->Add(SectionKind::kThreads, [&](Record* record, Deflater* payload) {
    payload->String(table.absent);
    payload->Varint(table.threads);
    payload->Varint(table.rows.size());
    for (const model::ThreadRow& row : table.rows) {
      record->Varint(row.tid).String(row.name).Varint(static_cast<uint8_t>(row.state));
      record->Zigzag(row.user_ms).Zigzag(row.system_ms).Varint(row.interval_ms).Zigzag(row.nice);
      record->Zigzag(row.runqueue_wait_ms).FinishTo(payload);
    }
  });
}

void AddAnnotations(const model::Annotations& annotations, SectionWriter* out) {
  out->Add(SectionKind::kAnnotations, [&](Record* record, Deflater* payload) {
    payload->String(annotations.scene);
    payload->Varint(annotations.scene_since_ns);
    payload->Varint(annotations.entries.size());
    for (const model::Annotation& entry : annotations.entries) {
      record->String(entry.name).String(entry.value).Varint(entry.set_ns).FinishTo(payload);
    }
  });
}

}  // namespace

void AddContext(const model::Dump& dump, SectionWriter* out) {
  if (!dump.context.empty()) {
    AddEntries(dump.context, out);
  }
  if (dump.threads) {
    AddThreads(*dump.threads, out);
  }
  if (!dump.annotations.scene.empty() || !dump.annotations.entries.empty()) {
    AddAnnotations(dump.annotations, out);
  }
  if (dump.signal_catcher) AddSignalCatcher(*dump.signal_catcher, out);
}

void AddSignalCatcher(const model::SignalCatcherText& captured, SectionWriter* out) {
  out->Add(SectionKind::kSignalCatcher, [&captured](Record* /*record*/, Deflater* payload) {
    payload->String(captured.source);
    payload->String(captured.absent);
    payload->Varint(captured.full_bytes);
    payload->String(captured.text);
  });
}

}  // namespace stillframe::dump
