// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/export/chosen_trees.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/method_name.h"

namespace stillframe::exports {

std::vector<ChosenTree> ChooseTrees(const index::DumpIndex& index, std::optional<Token> token) {
  std::vector<ChosenTree> chosen;
  for (const model::TraceTree& tree : index.document().trees) {
    if (token && tree.token() != *token) continue;
    ChosenTree& entry = chosen.emplace_back();
    entry.tree = &tree;
    entry.message = index.MessageOf(tree.token());
    entry.title =
        fmt::format("message {}: {}", NumberOf(tree.token()), MessageTitle(index, *entry.message));
    entry.start_ns = entry.message->start_ns != 0 ? entry.message->start_ns
                                                  : index.document().identity.process_start_ns;
    for (const model::Sample& sample : tree.samples()) entry.weight_us += sample.weight_us;
  }
  std::stable_sort(chosen.begin(), chosen.end(), [](const ChosenTree& a, const ChosenTree& b) {
    return a.start_ns < b.start_ns;
  });
  return chosen;
}

uint64_t FramesInStacks(const index::DumpIndex& index, std::optional<Token> token) {
  uint64_t frames = 0;
  for (const model::TraceTree& tree : index.document().trees) {
    if (token && tree.token() != *token) continue;
    for (const model::Node& node : tree.nodes().subspan(1)) frames += node.count;
  }
  return frames;
}

std::vector<const model::Message*> ChooseMessages(const index::DumpIndex& index,
                                                  std::optional<Token> token) {
  std::vector<const model::Message*> chosen;
  const model::Document& document = index.document();
  const auto add = [&](const model::Message& message) {
    if (message.start_ns != 0 && (!token || message.token == *token)) chosen.push_back(&message);
  };
  std::for_each(document.history.begin(), document.history.end(), add);
  if (document.running) add(*document.running);
  // Outer messages precede those that ran inside them.
  std::stable_sort(
      chosen.begin(), chosen.end(), [](const model::Message* a, const model::Message* b) {
        return a->start_ns != b->start_ns ? a->start_ns < b->start_ns : a->wall_ns > b->wall_ns;
      });
  return chosen;
}

uint64_t EndNs(const model::Message& message) {
  const auto wall_ns = static_cast<uint64_t>(std::max<int64_t>(message.wall_ns, 0));
  return message.start_ns + std::min(wall_ns, UINT64_MAX - message.start_ns);
}

std::string MessageTitle(const index::DumpIndex& index, const model::Message& message) {
  return index::DispatchText(index.DispatchFor(message));
}

std::string FrameName(const model::FrameTable& frames, model::FrameId id) {
  return index::MethodName(frames.ClassName(id), frames.MethodName(id), frames.At(id).kind);
}

std::string FrameFile(const model::FrameTable& frames, model::FrameId id) {
  return index::Truncated(frames.String(frames.At(id).source_file), 200);
}

std::vector<uint32_t> StackNumbers::Add(const model::TraceTree& tree) {
  const std::span<const model::Node> nodes = tree.nodes();
  std::vector<uint32_t> of_node = {0};
  of_node.reserve(nodes.size());
  for (const model::Node& node : nodes.subspan(1)) {
    const uint32_t parent = of_node[node.parent];
    const auto [entry, is_new] = numbers_.try_emplace((uint64_t{parent} << 32U) | node.frame,
                                                      static_cast<uint32_t>(stacks_.size()));
    if (is_new) stacks_.push_back({parent, node.frame});
    of_node.push_back(entry->second);
  }
  std::vector<uint32_t> of_sample;
  std::vector<model::NodeId> open = {model::kRootNode};
  size_t next = 1;
  for (uint32_t sample = 0; sample < tree.sample_count(); ++sample) {
    while (open.size() > 1 && nodes[open.back()].end() <= sample) open.pop_back();
    for (; next < nodes.size() && nodes[next].offset == sample; ++next)
      open.push_back(static_cast<model::NodeId>(next));
    of_sample.push_back(of_node[open.back()]);
  }
  return of_sample;
}

}  // namespace stillframe::exports
