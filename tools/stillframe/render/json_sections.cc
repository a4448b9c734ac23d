// SPDX-License-Identifier: Apache-2.0
// One function for each section.
#include "tools/stillframe/render/json_sections.h"

#include "tools/stillframe/index/names.h"

namespace stillframe::render {

using nlohmann::ordered_json;

ordered_json KnownTime(int64_t time) {
  return time < 0 ? ordered_json(nullptr) : ordered_json(time);
}

ordered_json ContributorsJson(const verdict::Verdict& verdict) {
  ordered_json list = ordered_json::array();
  for (const verdict::Contributor& contributor : verdict.contributors) {
    ordered_json methods = ordered_json::array();
    for (const verdict::MethodTime& method : contributor.methods)
      methods.push_back(
          {{"method", method.method}, {"place", method.place}, {"self_us", method.us}});
    list.push_back({{"cause", verdict::CauseName(contributor.cause)},
                    {"ns", contributor.ns},
                    {"text", contributor.text},
                    {"running", contributor.is_running},
                    {"tokens", contributor.tokens},
                    {"methods", std::move(methods)}});
  }
  return list;
}

namespace {

ordered_json WaitersJson(const std::vector<verdict::Waiter>& waiters) {
  ordered_json list = ordered_json::array();
  for (const verdict::Waiter& waiter : waiters) {
    list.push_back({{"tid", waiter.tid},
                    {"thread", waiter.thread},
                    {"waits_for", waiter.waits_for},
                    {"own_frame", waiter.own_frame},
                    {"stack", waiter.stack}});
  }
  return list;
}

}  // namespace

ordered_json ChainJson(const verdict::Verdict& verdict) {
  const verdict::WaitChain& chain = verdict.chain;
  return {{"threads", WaitersJson(chain.threads)},
          {"deadlock_from", chain.is_deadlock() ? ordered_json(chain.loop) : ordered_json(nullptr)},
          {"timed_circle_from",
           chain.is_timed_circle() ? ordered_json(chain.loop) : ordered_json(nullptr)},
          {"in_queue", chain.in_queue},
          {"candidates", WaitersJson(chain.candidates)}};
}

ordered_json GroupsJson(const model::Document& document) {
  ordered_json list = ordered_json::array();
  for (const model::HistoryGroup& group : document.groups) {
    list.push_back({{"looper", group.looper},
                    {"kind", index::SpanKindName(group.kind)},
                    {"start_ns", group.start_ns},
                    {"span_ns", group.span_ns},
                    {"wall_ns", group.wall_ns},
                    {"cpu_ns", KnownTime(group.cpu_ns)},
                    {"messages", group.messages},
                    {"tokens", group.tokens}});
  }
  return {{"lost", document.groups_lost}, {"groups", std::move(list)}};
}

ordered_json RecordsJson(const model::Document& document) {
  ordered_json list = ordered_json::array();
  for (const model::HistoryRecord& record : document.records) {
    list.push_back({{"looper", record.looper},
                    {"kind", index::SpanKindName(record.kind)},
                    {"start_ns", record.start_ns},
                    {"span_ns", record.span_ns},
                    {"wall_ns", record.wall_ns},
                    {"cpu_ns", KnownTime(record.cpu_ns)},
                    {"messages", record.messages},
                    {"token", record.token},
                    {"what", record.what},
                    {"target", record.target},
                    {"callback", record.callback},
                    {"system_name", record.system_name},
                    {"segment", index::SegmentName(record.segment)}});
  }
  return {{"lost", document.records_lost}, {"records", std::move(list)}};
}

ordered_json JankJson(const model::Document& document) {
  if (!document.jank) return nullptr;
  const model::Jank& jank = *document.jank;
  ordered_json frozen = ordered_json::array();
  for (const model::FrozenFrame& frame : jank.frozen) {
    frozen.push_back({{"token", frame.token},
                      {"start_ns", frame.start_ns},
                      {"duration_ns", frame.duration_ns},
                      {"stage", index::StageName(frame.stage)},
                      {"scene", frame.scene}});
  }
  ordered_json scenes = ordered_json::array();
  for (const model::SceneShare& share : jank.scenes) {
    scenes.push_back({{"scene", share.scene},
                      {"shown_ns", share.shown_ns},
                      {"frozen_ns", share.frozen_ns},
                      {"frames", share.frames},
                      {"missed", share.missed}});
  }
  return {{"absent", jank.absent},         {"refresh_interval_ns", jank.refresh_interval_ns},
          {"frames", jank.frames},         {"missed", jank.missed},
          {"watched_ns", jank.watched_ns}, {"due_unknown", jank.due_unknown},
          {"frozen", std::move(frozen)},   {"scenes", std::move(scenes)}};
}

ordered_json ContextJson(const model::Document& document) {
  using State = model::ContextEntry::State;
  ordered_json list = ordered_json::array();
  for (const model::ContextEntry& entry : document.context) {
    ordered_json json = {{"group", entry.group}, {"name", entry.name}};
    if (entry.state == State::kNumber)
      json["value"] = entry.number;
    else
      json[entry.state == State::kText ? "value" : "absent"] = entry.text;
    list.push_back(std::move(json));
  }
  return list;
}

ordered_json ThreadsJson(const model::Document& document) {
  if (!document.threads) return nullptr;
  ordered_json rows = ordered_json::array();
  for (const model::ThreadRow& row : document.threads->rows) {
    rows.push_back({{"tid", row.tid},
                    {"name", row.name},
                    {"state", std::string(1, row.state)},
                    {"user_ms", KnownTime(row.user_ms)},
                    {"system_ms", KnownTime(row.system_ms)},
                    {"interval_ms", row.interval_ms},
                    {"nice", row.nice},
                    {"runqueue_wait_ms", KnownTime(row.runqueue_wait_ms)}});
  }
  return {{"absent", document.threads->absent},
          {"threads", document.threads->threads},
          {"rows", std::move(rows)}};
}

namespace {

ordered_json NativeFramesJson(const model::ThreadStack& stack) {
  ordered_json list = ordered_json::array();
  for (const model::NativeFrame& frame : stack.native) {
    list.push_back(
        {{"module", frame.module == 0 ? ordered_json(nullptr) : ordered_json(frame.module - 1)},
         {"address", frame.address},
         {"symbol", frame.symbol},
         {"place", frame.place},
         {"inlined", frame.is_inlined}});
  }
  return list;
}

}  // namespace

ordered_json ModulesJson(const model::Document& document) {
  ordered_json list = ordered_json::array();
  for (const model::Module& module : document.modules) {
    list.push_back({{"path", module.path},
                    {"build_id", module.build_id},
                    {"begin", module.begin},
                    {"end", module.end},
                    {"bias", module.bias}});
  }
  return list;
}

ordered_json TraceSectionsJson(const model::Document& document, const index::TraceSlices& slices) {
  if (!document.sections) return nullptr;
  ordered_json list = ordered_json::array();
  for (const index::TraceSlice& slice : slices.all()) {
    list.push_back({{"name", slice.name},
                    {"looper", slice.looper},
                    {"begin_ns", slice.begin_ns},
                    {"end_ns", slice.end_ns},
                    {"depth", slice.depth},
                    {"async", slice.is_async},
                    {"open", slice.is_open}});
  }
  ordered_json values = ordered_json::array();
  uint64_t lost = 0;
  for (const model::LooperSections& sections : document.sections->loopers) {
    lost += sections.lost;
    for (const model::TraceEvent& event : sections.events) {
      const bool is_counter = event.kind == model::TraceEventKind::kCounter;
      if (!is_counter && event.kind != model::TraceEventKind::kInstant) continue;
      values.push_back({{"name", event.name},
                        {"looper", sections.looper},
                        {"at_ns", event.at_ns},
                        {"value", is_counter ? ordered_json(event.value) : ordered_json(nullptr)}});
    }
  }
  return {{"absent", document.sections->absent},
          {"lost", lost},
          {"sections", std::move(list)},
          {"values", std::move(values)}};
}

ordered_json ThreadStacksJson(const model::Document& document) {
  if (!document.thread_stacks) return nullptr;
  const model::ThreadStacks& stacks = *document.thread_stacks;
  ordered_json list = ordered_json::array();
  for (const model::ThreadStack& stack : stacks.stacks) {
    list.push_back({{"tid", stack.tid},
                    {"name", stack.name},
                    {"source", index::SourceName(stack.source)},
                    {"absent", stack.absent},
                    {"state", index::StateName(stack.state)},
                    {"cpu_ns", stack.cpu_ns},
                    {"wait", index::WaitName(stack.wait)},
                    {"wait_class", stack.wait_class},
                    {"wait_object", stack.wait_object},
                    {"wait_tid", stack.wait_tid},
                    {"frames", stack.frames},
                    {"native_absent", stack.native_absent},
                    {"native_truncated", stack.native_is_truncated},
                    {"native", NativeFramesJson(stack)}});
  }
  return {{"absent", stacks.absent},
          {"threads", stacks.threads},
          {"begin_ns", stacks.begin_ns},
          {"duration_ns", stacks.duration_ns},
          {"stacks", std::move(list)}};
}

ordered_json AnnotationsJson(const model::Document& document) {
  ordered_json entries = ordered_json::array();
  for (const model::Annotation& entry : document.annotations.entries)
    entries.push_back({{"name", entry.name}, {"value", entry.value}, {"set_ns", entry.set_ns}});
  return {{"scene", document.annotations.scene},
          {"scene_since_ns", document.annotations.scene_since_ns},
          {"entries", std::move(entries)}};
}

ordered_json SignalCatcherJson(const model::Document& document) {
  if (!document.signal_catcher) return nullptr;
  const model::SignalCatcherText& captured = *document.signal_catcher;
  return {{"source", captured.source},
          {"absent", captured.absent},
          {"full_bytes", captured.full_bytes},
          {"text", captured.text}};
}

}  // namespace stillframe::render
