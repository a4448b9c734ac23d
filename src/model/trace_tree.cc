// SPDX-License-Identifier: Apache-2.0
#include "src/model/trace_tree.h"

#include <algorithm>
#include <limits>

namespace stillframe::model {
namespace {

constexpr uint32_t kFewestSamples = 2;
constexpr uint32_t kFewestNodes = 16;

constexpr Node kEmptyRoot = {0, kNoNode, kNoNode, kNoNode, kNoNode, 0, 0, 0};

uint32_t SaturatingAdd(uint32_t a, uint32_t b) { return a > UINT32_MAX - b ? UINT32_MAX : a + b; }

// First sample of the halved sequence whose original is at or after `index`.
uint32_t HalvedIndex(uint32_t index) { return index / 2 + index % 2; }

// Grows by doubling, but never beyond `cap`.
template <typename T>
void ReserveOneMore(std::vector<T>* vector, size_t cap) {
  if (vector->size() == vector->capacity()) {
    vector->reserve(
        std::min(std::max<size_t>(vector->size() * 2, 64), std::max(cap, vector->size() + 1)));
  }
}

}  // namespace

TraceTree::TraceTree(Token token, const TreeLimits& limits) : token_(token), limits_(limits) {
  limits_.max_samples = std::max(limits_.max_samples, kFewestSamples);
  limits_.max_nodes = std::clamp(limits_.max_nodes, kFewestNodes, kNoNode);
  nodes_.push_back(kEmptyRoot);
}

void TraceTree::Reset(Token token) {
  token_ = token;
  interval_scale_ = 1;
  samples_added_ = 0;
  truncated_stacks_ = 0;
  nodes_.assign(1, kEmptyRoot);
  samples_.clear();
  path_.clear();
}

NodeId TraceTree::Append(NodeId parent, FrameId frame, uint32_t offset, uint32_t count) {
  const NodeId id = static_cast<NodeId>(nodes_.size());
  ReserveOneMore(&nodes_, limits_.max_nodes);
  nodes_.push_back(
      {frame, parent, kNoNode, kNoNode, kNoNode, count, offset, nodes_[parent].depth + 1});
  Node& above = nodes_[parent];
  (above.last_child == kNoNode ? above.first_child : nodes_[above.last_child].next_sibling) = id;
  above.last_child = id;
  return id;
}

uint32_t TraceTree::SharedPrefix(std::span<const FrameId> stack) const {
  uint32_t shared = 0;
  while (shared < stack.size() && shared < path_.size() &&
         nodes_[path_[shared]].frame == stack[shared])
    ++shared;
  return shared;
}

// Halves until a sample with `stack` fits. One sample of at most max_depth nodes always leaves
// space for a second. A sample from a file may be deeper; then the bound is exceeded by one stack.
void TraceTree::MakeSpace(std::span<const FrameId> stack) {
  while (samples_.size() > 1 &&
         (samples_.size() >= limits_.max_samples ||
          nodes_.size() + stack.size() - SharedPrefix(stack) > limits_.max_nodes))
    Halve();
}

void TraceTree::Add(std::span<const FrameId> stack, const Sample& sample) {
  if (stack.size() > max_depth()) {
    stack = stack.first(max_depth());
    ++truncated_stacks_;
  }
  MakeSpace(stack);
  const uint32_t index = sample_count();
  const uint32_t shared = SharedPrefix(stack);
  ++nodes_[kRootNode].count;
  for (uint32_t i = 0; i < shared; ++i) ++nodes_[path_[i]].count;
  path_.resize(shared);
  for (FrameId frame : stack.subspan(shared)) {
    const NodeId parent = path_.empty() ? kRootNode : path_.back();
    path_.push_back(Append(parent, frame, index, 1));
  }
  ReserveOneMore(&samples_, limits_.max_samples);
  samples_.push_back(sample);
  ++samples_added_;
}

void TraceTree::AddRepeat(const Sample& sample) {
  if (samples_.size() >= limits_.max_samples) {
    // Halving may replace the last sample's stack by the one before, so copy it.
    repeated_.clear();
    for (NodeId id : path_) repeated_.push_back(nodes_[id].frame);
    Add(repeated_, sample);
    return;
  }
  ++nodes_[kRootNode].count;
  for (NodeId id : path_) ++nodes_[id].count;
  ReserveOneMore(&samples_, limits_.max_samples);
  samples_.push_back(sample);
  ++samples_added_;
}

void TraceTree::Coarsen() {
  if (samples_.empty()) return;
  if (sample_count() % 2 == 0) {
    // A pair keeps the stack of its first sample, so the last one must not be second.
    Sample weightless = samples_.back();
    weightless.weight_us = 0;
    AddRepeat(weightless);
    --samples_added_;
  }
  Halve();
}

void TraceTree::AddRepeatIn(FrameId innermost, const Sample& sample) {
  AddRepeat(sample);
  if (path_.empty() || nodes_[path_.back()].frame == innermost || path_.size() >= max_depth() ||
      nodes_.size() >= limits_.max_nodes)
    return;
  const NodeId node = Append(path_.back(), innermost, sample_count() - 1, 1);
  path_.resize(path_.size() + 1);
  path_.back() = node;
}

void TraceTree::CloseAt(uint32_t wall_us) {
  if (!samples_.empty() && wall_us > samples_.back().wall_us) {
    Sample& last = samples_.back();
    last.weight_us = SaturatingAdd(last.weight_us, wall_us - last.wall_us);
  }
}

// One pass in preorder, in place. Nodes only vanish or merge, so writing never overtakes reading.
// path_ leads to the last written node: path_[depth - 1] is the new place of the read node's
// parent.
void TraceTree::Halve() {
  const std::vector<Node>& nodes = nodes_;
  const size_t old_size = nodes.size();
  const uint32_t new_count = HalvedIndex(sample_count());
  path_.clear();
  nodes_[kRootNode] = kEmptyRoot;
  nodes_[kRootNode].count = new_count;
  size_t written = 1;
  for (size_t read = 1; read < old_size; ++read) {
    const Node node = nodes[read];
    const uint32_t offset = HalvedIndex(node.offset);
    const uint32_t count = HalvedIndex(node.end()) - offset;
    if (count == 0) continue;  // its descendants vanish too
    path_.resize(node.depth - 1);
    const NodeId parent = path_.empty() ? kRootNode : path_.back();
    const NodeId sibling = nodes[parent].last_child;
    if (sibling != kNoNode && nodes[sibling].frame == node.frame &&
        nodes[sibling].end() == offset) {
      nodes_[sibling].count += count;
      path_.push_back(sibling);
      continue;
    }
    const NodeId id = static_cast<NodeId>(written++);
    nodes_[id] = {node.frame, parent, kNoNode, kNoNode, kNoNode, count, offset, node.depth};
    (sibling == kNoNode ? nodes_[parent].first_child : nodes_[sibling].next_sibling) = id;
    nodes_[parent].last_child = id;
    path_.push_back(id);
  }
  nodes_.resize(written, kEmptyRoot);
  // Cut path_ to the last sample's stack: the nodes that reach the end.
  while (!path_.empty() && nodes[path_.back()].end() != new_count) path_.pop_back();

  for (uint32_t i = 0; i < new_count; ++i) {
    Sample merged = samples_[2 * size_t{i}];
    if (2 * size_t{i} + 1 < samples_.size()) {
      const Sample& second = samples_[2 * size_t{i} + 1];
      merged.wall_us = second.wall_us;
      merged.cpu_us = second.cpu_us;
      merged.weight_us = SaturatingAdd(merged.weight_us, second.weight_us);
    }
    samples_[i] = merged;
  }
  samples_.resize(new_count);
  interval_scale_ = interval_scale_ > UINT32_MAX / 2 ? interval_scale_ : interval_scale_ * 2;
}

uint64_t TraceTree::WeightUs(const Node& node) const {
  uint64_t sum = 0;
  for (const Sample& sample : samples().subspan(node.offset, node.count)) sum += sample.weight_us;
  return sum;
}

size_t TraceTree::memory_bytes() const {
  return sizeof(*this) + nodes_.capacity() * sizeof(Node) + samples_.capacity() * sizeof(Sample) +
         (path_.capacity() + repeated_.capacity()) * sizeof(NodeId);
}

std::optional<TraceTree> TraceTree::FromPreorder(Token token, std::span<const PreorderNode> nodes,
                                                 std::span<const Sample> samples,
                                                 uint32_t frame_count, const char** why,
                                                 size_t* bad_node) {
  if (nodes.size() >= kNoNode - 1 || samples.size() > std::numeric_limits<uint32_t>::max()) {
    *why = "too many nodes or samples";
    return std::nullopt;
  }
  TraceTree tree(token, {std::max(static_cast<uint32_t>(samples.size()), kFewestSamples),
                         std::max(static_cast<uint32_t>(nodes.size()) + 1, kFewestNodes)});
  tree.nodes_.reserve(nodes.size() + 1);
  tree.nodes_[kRootNode].count = static_cast<uint32_t>(samples.size());
  for (const PreorderNode& node : nodes) {
    const char* wrong = nullptr;
    NodeId parent_id = kRootNode;
    if (node.depth == 0 || node.depth > tree.path_.size() + 1) {
      wrong = "a node's depth jumps";
    } else if (node.frame >= frame_count) {
      wrong = "a node's frame does not exist";
    } else if (node.count == 0) {
      wrong = "a node counts no sample";
    } else {
      tree.path_.resize(node.depth - 1);
      parent_id = tree.path_.empty() ? kRootNode : tree.path_.back();
      const Node& parent = tree.nodes_[parent_id];
      const uint32_t from =
          parent.last_child == kNoNode ? parent.offset : tree.nodes_[parent.last_child].end();
      if (node.offset < from || uint64_t{node.offset} + node.count > parent.end())
        wrong = "a node's samples are not its parent's, or are another node's";
    }
    if (wrong != nullptr) {
      *why = wrong;
      if (bad_node != nullptr) *bad_node = static_cast<size_t>(&node - nodes.data());
      return std::nullopt;
    }
    tree.path_.push_back(tree.Append(parent_id, node.frame, node.offset, node.count));
  }
  while (!tree.path_.empty() && tree.nodes_[tree.path_.back()].end() != samples.size())
    tree.path_.pop_back();
  tree.samples_.assign(samples.begin(), samples.end());
  tree.samples_added_ = samples.size();
  return tree;
}

void TraceTree::SetHistory(uint32_t interval_scale, uint64_t samples_added,
                           uint64_t truncated_stacks) {
  interval_scale_ = std::max(interval_scale, 1U);
  samples_added_ = samples_added;
  truncated_stacks_ = truncated_stacks;
}

}  // namespace stillframe::model
