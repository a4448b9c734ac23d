// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/page_threads.h"

#include <algorithm>
#include <span>
#include <string>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/render/page_states.h"

namespace stillframe::render {
namespace {

using nlohmann::ordered_json;

constexpr size_t kMostStretches = 400;  // of one thread
constexpr size_t kLongestPlace = 100;
constexpr uint64_t kRoundedUs = 5'000;  // a look comes a little late

// The innermost method of the application, else the innermost frame. `stack`: outermost first.
std::string PlaceOf(const index::DumpIndex& index, std::span<const model::FrameId> stack) {
  const model::FrameTable& frames = index.document().frames;
  if (stack.empty()) return "";
  model::FrameId chosen = stack.back();
  const auto own = std::find_if(stack.rbegin(), stack.rend(), [&](model::FrameId id) {
    return frames.At(id).kind != model::FrameKind::kNative && index.own().Has(frames.ClassName(id));
  });
  if (own != stack.rend()) chosen = *own;
  return index::Truncated(index::MethodName(frames.ClassName(chosen), frames.MethodName(chosen),
                                            frames.At(chosen).kind, kLongestPlace),
                          kLongestPlace);
}

ordered_json Stretches(const index::DumpIndex& index, const model::TraceTree& tree) {
  struct Stretch {
    uint64_t from_us;
    uint64_t until_us;
    std::string place;
    int state;
  };
  std::vector<Stretch> stretches;
  const std::string states = PageStates(index, tree);
  tree.ForEachStack(
      [&](uint32_t i, std::span<const model::FrameId> stack, const model::Sample& sample) {
        const uint64_t from_us = sample.wall_us - std::min(sample.weight_us, sample.wall_us);
        const int state = std::stoi(states.substr(i, 1), nullptr, 36);
        std::string place = PlaceOf(index, stack);
        if (sample.weight_us == 0) return;
        if (!stretches.empty() && stretches.back().place == place &&
            stretches.back().state == state && from_us <= stretches.back().until_us + kRoundedUs)
          stretches.back().until_us = sample.wall_us;
        else if (stretches.size() < kMostStretches)
          stretches.push_back({from_us, sample.wall_us, std::move(place), state});
      });
  ordered_json json = ordered_json::array();
  for (const Stretch& each : stretches)
    json.push_back({{"from_us", each.from_us},
                    {"us", each.until_us - each.from_us},
                    {"place", each.place},
                    {"state", each.state}});
  return json;
}

}  // namespace

ordered_json FollowedThreads(const index::DumpIndex& index) {
  ordered_json json = ordered_json::array();
  const model::Document& document = index.document();
  for (const model::OtherThread& row : document.other_threads) {
    const auto tree = std::ranges::find(document.thread_trees, row.tree, &model::TraceTree::token);
    const model::Message* message = index.MessageOf(row.during);
    if (tree == document.thread_trees.end() || message == nullptr || message->start_ns == 0)
      continue;
    json.push_back({{"tid", row.tid},
                    {"name", index::Truncated(row.name, kLongestPlace)},
                    {"role", kTableOf<model::ThreadRole>.Of(row.role).text},
                    {"start_ns", message->start_ns},
                    {"stretches", Stretches(index, *tree)}});
  }
  return json;
}

}  // namespace stillframe::render
