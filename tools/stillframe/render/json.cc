// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/json.h"

#include <nlohmann/json.hpp>

#include "src/model/document.h"
#include "tools/stillframe/calltree/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/index/trace_sections.h"
#include "tools/stillframe/verdict/wording.h"

namespace stillframe::render {
namespace {

using nlohmann::ordered_json;

// The sections of a dump that need no messages beside them, as JSON.

ordered_json WaitersJson(const std::vector<verdict::Waiter>& waiters) {
  ordered_json list = ordered_json::array();
  for (const verdict::Waiter& waiter : waiters) {
    list.push_back({{"tid", waiter.tid},
                    {"thread", waiter.thread},
                    {"waits_for", verdict::WaitsFor(waiter)},
                    {"own_frame", waiter.own_frame},
                    {"stack", waiter.stack}});
  }
  return list;
}

// null for a time that is not known.
ordered_json KnownTime(int64_t time) {
  return time < 0 ? ordered_json(nullptr) : ordered_json(time);
}

// What took the time that the verdict is about, the largest first.
ordered_json ContributorsJson(const verdict::Verdict& verdict) {
  ordered_json list = ordered_json::array();
  for (const verdict::Contributor& contributor : verdict.contributors) {
    ordered_json methods = ordered_json::array();
    for (const verdict::MethodTime& method : contributor.methods)
      methods.push_back(
          {{"method", method.method}, {"place", method.place}, {"self_us", method.us}});
    list.push_back({{"cause", verdict::CauseName(contributor.cause)},
                    {"ns", contributor.ns},
                    {"text", verdict::Label(contributor, verdict.window_ns)},
                    {"running", contributor.is_running},
                    {"owner", contributor.owner.name},
                    {"messages", contributor.messages},
                    {"tokens", contributor.tokens},
                    {"methods", std::move(methods)}});
  }
  return list;
}

// For whom the main thread waited, and who waited for whom.
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

// null when the dump does not have it, as below.
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

bool Has(const model::Message& message, uint32_t flag) { return (message.flags & flag) != 0; }

ordered_json LockWaitsJson(const model::Message& message) {
  ordered_json waits = ordered_json::array();
  for (const model::LockWait& wait : message.lock_waits)
    waits.push_back({{"from_us", wait.from_us},
                     {"until_us", wait.until_us},
                     {"blocked_us", wait.blocked_us},
                     {"owner_tid", wait.owner_tid},
                     {"owner", wait.owner},
                     {"lock_class", wait.lock_class}});
  return waits;
}

ordered_json MessageJson(const index::DumpIndex& index, const model::Message& message) {
  const index::Dispatch dispatch = index.DispatchFor(message);
  return {{"token", message.token},
          {"start_ns", message.start_ns},
          {"wait_ns", KnownTime(message.wait_ns)},
          {"wall_ns", KnownTime(message.wall_ns)},
          {"cpu_ns", KnownTime(message.cpu_ns)},
          {"samples", message.samples},
          {"what", message.what},
          {"target", message.target},
          {"callback", message.callback},
          {"threw", Has(message, model::kMessageThrew)},
          {"nested", Has(message, model::kMessageNested)},
          {"has_tree", Has(message, model::kMessageHasTree)},
          {"identity_unknown", Has(message, model::kMessageIdentityUnknown)},
          {"flags", message.flags},
          {"looper", message.looper},
          {"runqueue_wait_ns", KnownTime(message.runqueue_wait_ns)},
          {"blocked_ns", KnownTime(message.blocked_ns)},
          {"system_name", message.system_name},
          {"frame_stage", index::StageName(message.stage)},
          {"lock_owner_tid", message.lock_owner_tid},
          {"lock_owner", message.lock_owner},
          {"lock_waits", LockWaitsJson(message)},
          {"segment", index::SegmentName(message.segment)},
          {"text", index::DispatchText(dispatch)}};
}

ordered_json IdentityJson(const model::Identity& identity) {
  return {{"process_name", identity.process_name},
          {"pid", identity.pid},
          {"uid", identity.uid},
          {"abi", identity.abi},
          {"art_release", identity.art_release},
          {"art_build_id", identity.art_build_id},
          {"profiler_version", identity.profiler_version},
          {"sampler_state", identity.sampler_state},
          {"tap", identity.tap},
          {"process_start_ns", identity.process_start_ns}};
}

// Times of what the headline is about, each with what it is a share of.
ordered_json SpansJson(const verdict::Verdict& verdict) {
  ordered_json spans = ordered_json::array();
  const auto add = [&spans](const char* name, uint64_t ns, const char* base, uint64_t of_ns) {
    spans.push_back({{"name", name}, {"ns", ns}, {"base", base}, {"base_ns", of_ns}});
  };
  add("subject", verdict.told_ns, "window", verdict.window_ns);
  if (!verdict.culprit) return spans;
  add("method", verdict.culprit->held_us * 1000, "window", verdict.window_ns);
  add("line", verdict.culprit->line_us * 1000, "method", verdict.culprit->held_us * 1000);
  return spans;
}

ordered_json SubjectJson(const verdict::Verdict& verdict) {
  ordered_json holders = ordered_json::array();
  for (const verdict::Thread& holder : verdict.holders)
    holders.push_back({{"thread", holder.name}, {"tid", holder.tid}});
  return {{"cause", verdict::CauseName(verdict.cause)},
          {"method", verdict.culprit ? verdict.culprit->method : ""},
          {"message", verdict.message ? index::DispatchText(*verdict.message) : ""},
          {"messages", verdict.messages},
          {"running", verdict.is_running},
          {"waiting", verdict.waiting ? index::DispatchText(*verdict.waiting) : ""},
          {"lock_holders", std::move(holders)},
          {"holder_frame", verdict.holder_frame},
          {"holder_frame_is_guess", verdict.is_holder_guess && !verdict.holder_frame.empty()},
          {"row", verdict.lead ? ordered_json(*verdict.lead) : ordered_json(nullptr)},
          {"row_reason", verdict::LeadReasonName(verdict.lead_reason)}};
}

ordered_json EvidenceJson(const verdict::Verdict& verdict) {
  ordered_json facts = ordered_json::array();
  for (const verdict::Evidence& each : verdict.evidence)
    facts.push_back({{"kind", verdict::EvidenceName(each.kind)},
                     {"name", each.name},
                     {"other", each.other},
                     {"ns", each.ns},
                     {"of_ns", each.of_ns},
                     {"count", each.count},
                     {"of_count", each.of_count},
                     {"state", index::StateName(each.state)}});
  return facts;
}

ordered_json VerdictJson(const verdict::Verdict& verdict) {
  verdict::Words words = verdict::Tell(verdict);
  ordered_json json = {
      {"kind", verdict::KindName(verdict.kind)},
      {"confidence", verdict::ConfidenceName(verdict.confidence)},
      {"confidence_reason", verdict::ConfidenceReasonName(verdict.confidence_reason)},
      {"samples", verdict.samples},
      {"headline", std::move(words.headline)},
      {"sentence", std::move(words.sentence)},
      {"next_step", std::move(words.next_step)},
      {"evidence", std::move(words.evidence)},
      {"facts", EvidenceJson(verdict)},
      {"subject", SubjectJson(verdict)},
      {"spans", SpansJson(verdict)},
      {"token", nullptr},
      {"tokens", verdict.tokens},
      {"threads", verdict.threads},
      {"culprit", nullptr},
      {"chain", ChainJson(verdict)},
      {"window_ns", verdict.window_ns},
      {"contributors", ContributorsJson(verdict)},
      {"anr", nullptr}};
  if (verdict.token) json["token"] = *verdict.token;
  if (verdict.culprit) {
    const verdict::Culprit& culprit = *verdict.culprit;
    json["culprit"] = {{"method", culprit.method},
                       {"place", culprit.place},
                       {"held_us", culprit.held_us},
                       {"line_us", culprit.line_us},
                       {"state", index::StateName(culprit.state)},
                       {"state_us", culprit.state_us},
                       {"leaf", culprit.leaf},
                       {"leaf_place", culprit.leaf_place},
                       {"callees", culprit.callees},
                       {"caller", culprit.caller},
                       {"caller_place", culprit.caller_place}};
  }
  if (verdict.anr) {
    const verdict::Anr& anr = *verdict.anr;
    json["anr"] = {{"kind", verdict::AnrKindName(anr.kind)},
                   {"source", verdict::AnrSourceName(anr.source)},
                   {"reason", anr.reason},
                   {"component", anr.component},
                   {"limit", anr.limit}};
  }
  return json;
}

ordered_json PendingJson(const model::Document& document) {
  ordered_json messages = ordered_json::array();
  for (const model::PendingMessage& message : document.pending) {
    messages.push_back({{"delay_ms", message.delay_ms},
                        {"what", message.what},
                        {"asynchronous", message.is_asynchronous},
                        {"barrier", message.is_barrier},
                        {"target", message.target},
                        {"callback", message.callback},
                        {"age_ms", KnownTime(message.age_ms)},
                        {"system_name", message.system_name},
                        {"component", message.component}});
    if (message.object) {
      messages.back()["object"] = {{"arg1", message.object->arg1},
                                   {"arg2", message.object->arg2},
                                   {"type", message.object->type},
                                   {"text", message.object->text}};
    }
  }
  return {{"source", document.pending_source},
          {"absent", document.pending_absent},
          {"total", document.pending_total},
          {"cut", document.pending_is_truncated},
          {"messages", std::move(messages)}};
}

ordered_json LoopersJson(const index::DumpIndex& index) {
  ordered_json list = ordered_json::array();
  for (const model::Looper& looper : index.document().loopers) {
    list.push_back({{"thread", looper.thread},
                    {"tid", looper.tid},
                    {"tap", looper.tap},
                    {"messages", looper.messages},
                    {"running", looper.running ? MessageJson(index, *looper.running)
                                               : ordered_json(nullptr)}});
  }
  return list;
}

ordered_json FramesJson(const trace::FrameTable& frames) {
  ordered_json list = ordered_json::array();
  for (trace::FrameId id = 0; id < frames.size(); ++id) {
    const trace::Frame& frame = frames.At(id);
    list.push_back({{"class", frames.String(frame.class_name)},
                    {"method", frames.String(frame.method_name)},
                    {"signature", frames.String(frame.signature)},
                    {"file", frames.String(frame.source_file)},
                    {"line", frame.line},
                    {"kind", calltree::KindText(frame.kind)}});
  }
  return list;
}

// Per sample the number of the section that was open, or null.
ordered_json SectionsOfSamples(const index::DumpIndex& index, const index::TraceSlices& slices,
                               const trace::TraceTree& tree) {
  ordered_json list = ordered_json::array();
  const model::Message* message = index.MessageOf(tree.token());
  if (slices.all().empty() || message == nullptr) return list;
  for (const std::optional<size_t> slice : slices.OfSamples(tree, message->start_ns))
    list.push_back(slice ? ordered_json(*slice) : ordered_json(nullptr));
  return list;
}

ordered_json TreeJson(const index::DumpIndex& index, const index::TraceSlices& slices,
                      const trace::TraceTree& tree) {
  ordered_json nodes = ordered_json::array();
  for (const trace::Node& node : tree.nodes().subspan(1))
    nodes.push_back(ordered_json::array({node.frame, node.depth, node.count, node.offset}));
  ordered_json samples = ordered_json::array();
  for (const trace::Sample& sample : tree.samples()) {
    samples.push_back(ordered_json::array(
        {sample.wall_us, sample.weight_us, sample.cpu_us, index::StateName(sample.state)}));
  }
  return {{"token", tree.token()},
          {"samples_taken", tree.samples_added()},
          {"interval_scale", tree.interval_scale()},
          {"cut_stacks", tree.truncated_stacks()},
          {"nodes", std::move(nodes)},
          {"samples", std::move(samples)},
          {"sections", SectionsOfSamples(index, slices, tree)}};
}

}  // namespace

std::string Json(const index::DumpIndex& index, const verdict::Verdict& verdict) {
  const model::Document& document = index.document();
  ordered_json json = {{"partial", !document.damage.empty()},
                       {"damage", document.damage},
                       {"format_version", document.format_version},
                       {"trigger", index::TriggerName(document.trigger)},
                       {"trigger_detail", document.trigger_detail},
                       {"trigger_confirmed", document.trigger_confirmed},
                       {"system_reason", document.system_reason},
                       {"system_component", document.system_component},
                       {"sequence", document.sequence},
                       {"taken_monotonic_ns", document.taken_monotonic_ns},
                       {"taken_realtime_ns", document.taken_realtime_ns},
                       {"verdict", VerdictJson(verdict)},
                       {"identity", IdentityJson(document.identity)}};
  json["configuration"] = ordered_json::array();
  for (const model::NamedText& setting : document.configuration)
    json["configuration"].push_back({{"name", setting.name}, {"value", setting.value}});
  json["counters"] = ordered_json::array();
  for (const model::NamedCount& counter : document.counters)
    json["counters"].push_back({{"name", counter.name}, {"value", counter.value}});
  json["history"] = ordered_json::array();
  for (const model::Message& message : document.history)
    json["history"].push_back(MessageJson(index, message));
  json["history_lost"] = document.history_lost;
  json["running"] =
      document.running ? MessageJson(index, *document.running) : ordered_json(nullptr);
  json["pending"] = PendingJson(document);
  json["loopers"] = LoopersJson(index);
  json["history_groups"] = GroupsJson(document);
  json["history_records"] = RecordsJson(document);
  json["jank"] = JankJson(document);
  json["context"] = ContextJson(document);
  json["threads"] = ThreadsJson(document);
  json["thread_stacks"] = ThreadStacksJson(document);
  json["modules"] = ModulesJson(document);
  const index::TraceSlices slices(document);
  json["trace_sections"] = TraceSectionsJson(document, slices);
  json["annotations"] = AnnotationsJson(document);
  json["signal_catcher"] = SignalCatcherJson(document);
  json["frames"] = FramesJson(document.frames);
  json["trees"] = ordered_json::array();
  for (const trace::TraceTree& tree : document.trees)
    json["trees"].push_back(TreeJson(index, slices, tree));
  return json.dump(1, ' ', true, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace stillframe::render
