// SPDX-License-Identifier: Apache-2.0
// Builds each stack anew.
#include "tools/stillframe/calltree/managed_tree.h"

#include <algorithm>
#include <span>
#include <vector>

namespace stillframe::calltree {
namespace {

// As large as the reader's.
constexpr trace::TreeLimits kTreeLimits = {.max_samples = 1U << 23, .max_nodes = 1U << 26};

}  // namespace

bool HasNativeFrames(const trace::FrameTable& frames, const trace::TraceTree& tree) {
  return std::any_of(
      tree.nodes().begin(), tree.nodes().end(),
      [&](const trace::Node& node) {
        return node.depth > 0 && frames.At(node.frame).kind == trace::FrameKind::kNative;
      });
}

trace::TraceTree WithoutNativeFrames(const trace::FrameTable& frames,
                                     const trace::TraceTree& tree) {
  trace::TraceTree managed(tree.token(), kTreeLimits);
  std::vector<trace::FrameId> stack;
  tree.ForEachStack(
      [&](uint32_t, std::span<const trace::FrameId> mixed, const trace::Sample& sample) {
        stack.clear();
        for (const trace::FrameId id : mixed)
          if (frames.At(id).kind != trace::FrameKind::kNative) stack.push_back(id);
        managed.Add(stack, sample);
      });
  managed.SetHistory(tree.interval_scale(), tree.samples_added(), tree.truncated_stacks());
  return managed;
}

}  // namespace stillframe::calltree
