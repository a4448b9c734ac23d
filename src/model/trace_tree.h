// SPDX-License-Identifier: Apache-2.0
// Merges the stacks of one message, in sampling order, into a tree of bounded size.
// Context: any thread, one at a time; allocates until it has grown to its bounds
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <stillframe/token.h>

#include "src/model/frame.h"

namespace stillframe::model {

struct TreeLimits {
  uint32_t max_samples = 4096;  // at least 2
  uint32_t max_nodes = 8192;    // at least 16, the root included
};

// The host reads trees of any size that a file may hold.
constexpr TreeLimits kHostTreeLimits = {.max_samples = 1U << 23, .max_nodes = 1U << 26};

using NodeId = uint32_t;
constexpr NodeId kNoNode = UINT32_MAX;
constexpr NodeId kRootNode = 0;

// A frame at one place of the stack during the samples [offset, offset + count) of the tree.
struct Node {
  FrameId frame;  // meaningless in the root
  NodeId parent;  // kNoNode in the root
  NodeId first_child;
  NodeId last_child;
  NodeId next_sibling;
  uint32_t count;
  uint32_t offset;
  uint32_t depth;  // 0: root, 1: outermost frame

  uint32_t end() const { return offset + count; }
};

// A node in a file: depth in preorder instead of links.
struct PreorderNode {
  FrameId frame;
  uint32_t depth;  // from 1
  uint32_t offset;
  uint32_t count;
};

// The trace tree of the message `token`.
//
// The root is virtual: it has no frame and counts all samples, so stacks may be empty, or begin
// with different frames. Consecutive samples with the same frame under the same parent share a
// node. A sample whose stack ends at the parent ends the run. So every node covers a contiguous
// range of samples, and the sequence of stacks is restored exactly.
//
// Invariants: nodes()[0] is the root. nodes() is in preorder: a node's subtree follows it directly,
// and a parent's id is less than its children's. Siblings are ordered by offset and do not overlap.
// A node's range is within its parent's.
//
// At a bound, or on demand, the tree halves: two neighbouring samples become one. It has the stack
// and state of the first, the times of the second, and the sum of their weights. So the tree still
// covers the whole message, and the sum of weights is unchanged. interval_scale() doubles: the
// caller samples that much less often.
class TraceTree {
 public:
  explicit TraceTree(Token token = Token::kNone, const TreeLimits& limits = {});

  // Discards all samples and takes a new token. Keeps its memory.
  void Reset(Token token);

  // Adds a sample. `stack` is outermost first and is copied. Costs O(depth), or O(tree) when the
  // tree halves. Above max_depth() the innermost frames are dropped, and truncated_stacks() counts
  // it.
  void Add(std::span<const FrameId> stack, const Sample& sample);

  // Adds a sample with the last sample's stack (empty if there is none). Costs O(depth), without
  // comparing frames.
  void AddRepeat(const Sample& sample);
  // The same, in a frame that the last stack called, or was in. Without it where it has no space.
  void AddRepeatIn(FrameId innermost, const Sample& sample);

  // Halves on demand; the last sample keeps its stack.
  void Coarsen();

  // Ends the message: adds the time from the last sample to `wall_us` to that sample's weight. The
  // weights then add up to the message's wall time. Without samples, or with an earlier `wall_us`,
  // does nothing.
  void CloseAt(uint32_t wall_us);

  // Moves all samples in time. `moved` maps microseconds since the message's start; it must not
  // decrease.
  template <typename Moved>
  void MoveTimes(const Moved& moved) {
    for (Sample& sample : samples_) {
      const uint32_t from_us = moved(sample.wall_us - std::min(sample.weight_us, sample.wall_us));
      sample.wall_us = moved(sample.wall_us);
      sample.weight_us = sample.wall_us - from_us;
    }
  }

  Token token() const { return token_; }
  uint32_t sample_count() const { return static_cast<uint32_t>(samples_.size()); }
  bool empty() const { return samples_.empty(); }
  std::span<const Sample> samples() const { return samples_; }

  // All nodes in preorder, the root first. Valid until the next change.
  std::span<const Node> nodes() const { return nodes_; }
  const Node& At(NodeId id) const { return nodes_[id]; }

  // Nodes of the last sample's stack, outermost first. Valid until the next change.
  std::span<const NodeId> newest_stack() const { return path_; }

  // Original sampling intervals per sample: 1, 2, 4, ...
  uint32_t interval_scale() const { return interval_scale_; }
  // Samples added since the last Reset, including merged ones.
  uint64_t samples_added() const { return samples_added_; }
  // Samples that lost their innermost frames.
  uint64_t truncated_stacks() const { return truncated_stacks_; }
  // A quarter of max_nodes: two stacks always fit, and halving always ends.
  uint32_t max_depth() const { return limits_.max_nodes / 4; }

  // Calls visit(index, std::span<const FrameId> stack, const Sample&) for each sample in order.
  // Costs O(nodes + samples).
  template <typename Visit>
  void ForEachStack(Visit&& visit) const;

  // Microseconds covered by the samples of `node`. Costs O(count).
  uint64_t WeightUs(const Node& node) const;

  // Bytes allocated.
  size_t memory_bytes() const;

  // A tree from its file form: `nodes` in preorder without the root. Checks all invariants above,
  // and that each frame id is below `frame_count`. On a violation returns nothing, and sets `*why`
  // to a static text and `*bad_node`, if given, to the node's index.
  static std::optional<TraceTree> FromPreorder(Token token, std::span<const PreorderNode> nodes,
                                               std::span<const Sample> samples,
                                               uint32_t frame_count, const char** why,
                                               size_t* bad_node = nullptr);
  // Restores figures from the file; for readers.
  void SetHistory(uint32_t interval_scale, uint64_t samples_added, uint64_t truncated_stacks);

 private:
  NodeId Append(NodeId parent, FrameId frame, uint32_t offset, uint32_t count);
  void MakeSpace(std::span<const FrameId> stack);
  uint32_t SharedPrefix(std::span<const FrameId> stack) const;
  void Halve();

  Token token_;
  TreeLimits limits_;
  uint32_t interval_scale_ = 1;
  uint64_t samples_added_ = 0;
  uint64_t truncated_stacks_ = 0;
  std::vector<Node> nodes_;
  std::vector<Sample> samples_;
  std::vector<NodeId> path_;       // the nodes of the last sample's stack, outermost first
  std::vector<FrameId> repeated_;  // copy of the stack for AddRepeat while the tree halves
};

template <typename Visit>
void TraceTree::ForEachStack(Visit&& visit) const {
  std::vector<FrameId> stack;
  std::vector<uint32_t> ends;
  size_t next = kRootNode + 1;
  for (uint32_t index = 0; index < sample_count(); ++index) {
    while (!ends.empty() && ends.back() <= index) {
      ends.pop_back();
      stack.pop_back();
    }
    for (; next < nodes_.size() && nodes_[next].offset == index; ++next) {
      stack.push_back(nodes_[next].frame);
      ends.push_back(nodes_[next].end());
    }
    visit(index, std::span<const FrameId>(stack), samples_[index]);
  }
}

}  // namespace stillframe::model
