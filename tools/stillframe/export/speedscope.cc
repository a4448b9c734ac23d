// SPDX-License-Identifier: Apache-2.0
// Writes a speedscope file with one profile for each message.
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "tools/stillframe/export/chosen_trees.h"
#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/words/wording.h"

namespace stillframe::exports {
namespace {

using nlohmann::ordered_json;

ordered_json ProfileJson(const ChosenTree& chosen, const std::vector<uint32_t>& shared_frame) {
  ordered_json samples = ordered_json::array();
  ordered_json weights = ordered_json::array();
  chosen.tree->ForEachStack(
      [&](uint32_t /*index*/, std::span<const model::FrameId> stack, const model::Sample& sample) {
        ordered_json& ids = samples.emplace_back(ordered_json::array());
        for (const model::FrameId id : stack) ids.push_back(shared_frame[id]);
        weights.push_back(sample.weight_us);
      });
  return {{"type", "sampled"},
          {"name", chosen.title},
          {"unit", "microseconds"},
          {"startValue", 0},
          {"endValue", chosen.weight_us},
          {"samples", std::move(samples)},
          {"weights", std::move(weights)}};
}

}  // namespace

std::string Speedscope(const index::DumpIndex& index, const judge::Verdict& verdict,
                       std::optional<Token> token, bool by_line) {
  const model::FrameTable& frames = index.document().frames;
  const std::vector<ChosenTree> trees = ChooseTrees(index, token);
  std::vector<uint32_t> shared_frame(frames.size(), UINT32_MAX);
  ordered_json shared = ordered_json::array();
  std::map<std::tuple<std::string, std::string, int32_t>, uint32_t> numbers;
  for (const ChosenTree& chosen : trees) {
    for (const model::Node& node : chosen.tree->nodes().subspan(1)) {
      uint32_t& number = shared_frame[node.frame];
      if (number != UINT32_MAX) continue;
      const int32_t line = by_line ? frames.At(node.frame).line : model::kLineUnknown;
      const std::string name = FrameName(frames, node.frame);
      const std::string file = FrameFile(frames, node.frame);
      const auto [entry, is_new] = numbers.try_emplace(
          {name, std::string(frames.String(frames.At(node.frame).signature)), line},
          static_cast<uint32_t>(shared.size()));
      number = entry->second;
      if (!is_new) continue;
      ordered_json& frame = shared.emplace_back(ordered_json{{"name", name}});
      if (!file.empty()) frame["file"] = file;
      if (line >= 0) frame["line"] = line;
    }
  }
  ordered_json json = {{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                       {"name", words::Explain(verdict).headline},
                       {"exporter", "stillframe"},
                       {"activeProfileIndex", 0},
                       {"shared", {{"frames", std::move(shared)}}},
                       {"profiles", ordered_json::array()}};
  for (size_t i = 0; i < trees.size(); ++i) {
    json["profiles"].push_back(ProfileJson(trees[i], shared_frame));
    if (verdict.token == trees[i].tree->token()) json["activeProfileIndex"] = i;
  }
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace stillframe::exports
