// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/json.h"

#include <nlohmann/json.hpp>

#include "src/model/document.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/index/trace_sections.h"
#include "tools/stillframe/render/assets.h"
#include "tools/stillframe/render/fields_json.h"
#include "tools/stillframe/words/wording.h"

namespace stillframe::render {
namespace {

using nlohmann::ordered_json;

ordered_json FramesJson(const model::FrameTable& frames) {
  ordered_json list = ordered_json::array();
  for (model::FrameId id = 0; id < frames.size(); ++id) {
    const model::Frame& frame = frames.At(id);
    list.push_back({{"class", frames.String(frame.class_name)},
                    {"method", frames.String(frame.method_name)},
                    {"signature", frames.String(frame.signature)},
                    {"file", frames.String(frame.source_file)},
                    {"line", frame.line},
                    {"kind", index::NameOf(frame.kind)}});
  }
  return list;
}

// By sample: number of the open section, or null.
ordered_json SectionsOfSamples(const index::DumpIndex& index, const index::TraceSlices& slices,
                               const model::TraceTree& tree) {
  ordered_json list = ordered_json::array();
  const model::Message* message = index.MessageOf(tree.token());
  if (slices.all().empty() || message == nullptr) return list;
  for (const std::optional<size_t> slice : slices.OfSamples(tree, message->start_ns))
    list.push_back(slice ? ordered_json(*slice) : ordered_json(nullptr));
  return list;
}

ordered_json TreeJson(const index::DumpIndex& index, const index::TraceSlices& slices,
                      const model::TraceTree& tree) {
  ordered_json nodes = ordered_json::array();
  for (const model::Node& node : tree.nodes().subspan(1))
    nodes.push_back(ordered_json::array({node.frame, node.depth, node.count, node.offset}));
  ordered_json samples = ordered_json::array();
  for (const model::Sample& sample : tree.samples()) {
    samples.push_back(ordered_json::array(
        {sample.wall_us, sample.weight_us, sample.cpu_us, index::NameOf(sample.state)}));
  }
  return {{"token", NumberOf(tree.token())},
          {"samples_taken", tree.samples_added()},
          {"interval_scale", tree.interval_scale()},
          {"cut_stacks", tree.truncated_stacks()},
          {"nodes", std::move(nodes)},
          {"samples", std::move(samples)},
          {"sections", SectionsOfSamples(index, slices, tree)}};
}

}  // namespace

std::string Json(const index::DumpIndex& index, const judge::Verdict& verdict) {
  const model::Document& document = index.document();
  ordered_json json = {{"partial", !document.damage.empty()},
                       {"damage", document.damage},
                       {"format_version", document.format_version}};
  AddFields(index, verdict, &json, nullptr);
  const index::TraceSlices slices(document);
  json["frames"] = FramesJson(document.frames);
  json["trees"] = ordered_json::array();
  for (const model::TraceTree& tree : document.trees)
    json["trees"].push_back(TreeJson(index, slices, tree));
  json["thread_trees"] = ordered_json::array();
  for (const model::TraceTree& tree : document.thread_trees)
    json["thread_trees"].push_back(TreeJson(index, slices, tree));
  return json.dump(1, ' ', true, ordered_json::error_handler_t::replace) + "\n";
}

std::string JsonSchema() {
  ordered_json schema = ordered_json::parse(assets::kDumpSchemaJson);
  AddFieldSchema(&schema);
  return schema.dump(1) + "\n";
}

}  // namespace stillframe::render
