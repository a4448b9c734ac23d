// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/json.h"

#include <nlohmann/json.hpp>

#include "src/model/document.h"
#include "tools/stillframe/calltree/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/index/trace_sections.h"
#include "tools/stillframe/render/assets.h"
#include "tools/stillframe/render/fields_json.h"
#include "tools/stillframe/verdict/wording.h"

namespace stillframe::render {
namespace {

using nlohmann::ordered_json;

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
                     {"state", index::NameOf(each.state)}});
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
                       {"state", index::NameOf(culprit.state)},
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

ordered_json FramesJson(const trace::FrameTable& frames) {
  ordered_json list = ordered_json::array();
  for (trace::FrameId id = 0; id < frames.size(); ++id) {
    const trace::Frame& frame = frames.At(id);
    list.push_back({{"class", frames.String(frame.class_name)},
                    {"method", frames.String(frame.method_name)},
                    {"signature", frames.String(frame.signature)},
                    {"file", frames.String(frame.source_file)},
                    {"line", frame.line},
                    {"kind", index::NameOf(frame.kind)}});
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
        {sample.wall_us, sample.weight_us, sample.cpu_us, index::NameOf(sample.state)}));
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
                       {"verdict", VerdictJson(verdict)}};
  AddFields(index, &json);
  const index::TraceSlices slices(document);
  json["trace_sections"] = TraceSectionsJson(document, slices);
  json["frames"] = FramesJson(document.frames);
  json["trees"] = ordered_json::array();
  for (const trace::TraceTree& tree : document.trees)
    json["trees"].push_back(TreeJson(index, slices, tree));
  return json.dump(1, ' ', true, ordered_json::error_handler_t::replace) + "\n";
}

std::string JsonSchema() {
  ordered_json schema = ordered_json::parse(assets::kDumpSchemaJson);
  AddFieldSchema(&schema);
  return schema.dump(1) + "\n";
}

}  // namespace stillframe::render
