// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/index/call_tree.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/model/evil_stack.h"
#include "tools/stillframe/index/method_name.h"

namespace stillframe::index {
namespace {

// The same limits as the reader's.
struct MethodKey {
  model::StringId class_name;
  model::StringId method_name;
  model::StringId signature;
  bool is_truncation;
  bool operator==(const MethodKey&) const = default;
};

struct Hash {
  size_t operator()(const MethodKey& key) const {
    uint64_t hash = key.class_name;
    hash = hash * 0x9E3779B97F4A7C15U + key.method_name;
    hash = hash * 0x9E3779B97F4A7C15U + key.signature;
    return static_cast<size_t>((hash * 0x9E3779B97F4A7C15U + (key.is_truncation ? 1U : 0U)) >> 7U);
  }
  size_t operator()(uint64_t key) const {
    return static_cast<size_t>((key * 0x9E3779B97F4A7C15U) >> 7U);
  }
};

uint64_t Pair(uint32_t high, uint32_t low) { return (static_cast<uint64_t>(high) << 32U) | low; }

}  // namespace

bool HasNativeFrames(const model::FrameTable& frames, const model::TraceTree& tree) {
  return std::any_of(
      tree.nodes().begin(), tree.nodes().end(),
      [&](const model::Node& node) {
        return node.depth > 0 && frames.At(node.frame).kind == model::FrameKind::kNative;
      });
}

model::TraceTree WithoutNativeFrames(const model::FrameTable& frames,
                                     const model::TraceTree& tree) {
  model::TraceTree managed(tree.token(), model::kHostTreeLimits);
  const bool is_native = model::HasOnlyNativeFrames(tree, frames);
  std::vector<model::FrameId> stack;
  tree.ForEachStack(
      [&](uint32_t, std::span<const model::FrameId> mixed, const model::Sample& sample) {
        stack.clear();
        for (const model::FrameId id : mixed)
          if (frames.At(id).kind != model::FrameKind::kNative ||
              (is_native && model::IsNamedNative(frames, id)))
            stack.push_back(id);
        managed.Add(stack, sample);
      });
  managed.SetHistory(tree.interval_scale(), tree.samples_added(), tree.truncated_stacks());
  return managed;
}

// Walks the trace tree in preorder with an explicit stack of open nodes, so that deep trees need no
// recursion.
class CallTree::Builder {
 public:
  Builder(CallTree* out, const model::TraceTree& tree) : out_(out), tree_(tree) {}

  void Build() {
    SumWeights();
    out_->nodes_.reserve(tree_.nodes().size());
    children_.reserve(tree_.nodes().size());
    AddNode(kNone, kNone, 0);
    Credit(0, 0, tree_.sample_count());
    open_.push_back({.call = 0, .end = tree_.sample_count(), .covered = 0});
    const std::span<const model::Node> nodes = tree_.nodes();
    for (size_t i = 1; i < nodes.size(); ++i) {
      while (open_.size() > nodes[i].depth) Close();
      Open(nodes[i]);
    }
    while (!open_.empty()) Close();
    PickLines();
    SortChildren();
  }

 private:
  struct OpenNode {
    uint32_t call;
    uint32_t end;      // of its samples
    uint32_t covered;  // samples before it are in children, or counted as own
    MethodId method = kNone;
    bool is_guess = false;
    uint32_t outer_line_holder = kNone;  // index in open_ of the method's next outer frame
    uint64_t line_key = 0;
  };

  void SumWeights() {
    const std::span<const model::Sample> samples = tree_.samples();
    weight_before_.reserve(samples.size() + 1);
    weight_before_.push_back(0);
    for (const model::Sample& sample : samples)
      weight_before_.push_back(weight_before_.back() + sample.weight_us);
    run_end_.resize(samples.size());
    for (size_t i = samples.size(); i-- > 0;) {
      const bool continues = i + 1 < samples.size() && samples[i].state == samples[i + 1].state;
      run_end_[i] = continues ? run_end_[i + 1] : static_cast<uint32_t>(i + 1);
    }
  }

  uint64_t Weight(uint32_t begin, uint32_t end) const {
    return weight_before_[end] - weight_before_[begin];
  }

  uint32_t AddNode(uint32_t parent, MethodId method, uint32_t first_sample) {
    const auto id = static_cast<uint32_t>(out_->nodes_.size());
    out_->nodes_.push_back({.method = method,
                            .parent = parent,
                            .first_child = kNone,
                            .next_sibling = kNone,
                            .depth = parent == kNone ? 0 : out_->nodes_[parent].depth + 1,
                            .samples = 0,
                            .first_sample = first_sample,
                            .total_us = 0,
                            .self_us = 0,
                            .state_us = {}});
    if (parent != kNone) {
      out_->nodes_[id].next_sibling = out_->nodes_[parent].first_child;
      out_->nodes_[parent].first_child = id;
    }
    return id;
  }

  // Adds the samples [begin, end) to a node, one run of equal states at a time.
  void Credit(uint32_t call, uint32_t begin, uint32_t end) {
    CallNode& node = out_->nodes_[call];
    node.samples += end - begin;
    node.total_us += Weight(begin, end);
    while (begin < end) {
      const uint32_t stop = std::min(end, run_end_[begin]);
      const auto state = static_cast<size_t>(tree_.samples()[begin].state);
      node.state_us[std::min(state, kStateCount - 1)] += Weight(begin, stop);
      begin = stop;
    }
  }

  MethodId FindMethod(const model::Frame& frame) {
    const bool is_truncation = frame.kind == model::FrameKind::kTruncated;
    const MethodKey key = {frame.class_name, frame.method_name, frame.signature, is_truncation};
    const auto [entry, is_new] =
        method_ids_.try_emplace(key, static_cast<MethodId>(out_->methods_.size()));
    if (is_new) {
      Method method{};
      method.class_name = frame.class_name;
      method.method_name = frame.method_name;
      method.signature = frame.signature;
      method.source_file = frame.source_file;
      method.is_truncation = is_truncation;
      method.kind = frame.kind;
      method.hottest_line = frame.line;
      out_->methods_.push_back(method);
      innermost_open_.push_back(kNone);
    }
    return entry->second;
  }

  void OwnTime(OpenNode* node, uint32_t until) {
    if (until > node->covered) {
      const uint64_t own_us = Weight(node->covered, until);
      out_->nodes_[node->call].self_us += own_us;
      if (node->method != kNone) {
        out_->methods_[node->method].self_us += own_us;
        out_->methods_[node->method].guess_us += node->is_guess ? own_us : 0;
      }
      node->covered = until;
    }
  }

  void Open(const model::Node& node) {
    OpenNode& parent = open_.back();
    OwnTime(&parent, node.offset);
    parent.covered = node.end();
    const model::Frame& frame = out_->frame_table_->At(node.frame);
    const MethodId method = FindMethod(frame);
    const auto [entry, is_new] = children_.try_emplace(Pair(parent.call, method), 0);
    if (is_new) entry->second = AddNode(parent.call, method, node.offset);
    const uint32_t call = entry->second;
    Credit(call, node.offset, node.end());
    const uint64_t weight_us = Weight(node.offset, node.end());
    const uint64_t line_key = Pair(method, static_cast<uint32_t>(frame.line));
    const uint32_t outer = innermost_open_[method];
    line_us_[line_key] += weight_us;
    if (outer == kNone)
      out_->methods_[method].total_us += weight_us;
    else
      line_us_[open_[outer].line_key] -= weight_us;
    innermost_open_[method] = static_cast<uint32_t>(open_.size());
    open_.push_back({.call = call,
                     .end = node.end(),
                     .covered = node.offset,
                     .method = method,
                     .is_guess = frame.kind == model::FrameKind::kCompiledOrInlined,
                     .outer_line_holder = outer,
                     .line_key = line_key});
  }

  void Close() {
    OpenNode node = open_.back();
    OwnTime(&node, node.end);
    if (node.method != kNone) innermost_open_[node.method] = node.outer_line_holder;
    open_.pop_back();
  }

  void PickLines() {
    for (const auto& [key, weight_us] : line_us_) {
      Method& method = out_->methods_[key >> 32U];
      const auto line = static_cast<int32_t>(key & UINT32_MAX);
      const bool is_smaller = weight_us == method.hottest_line_us && line < method.hottest_line;
      if (weight_us > method.hottest_line_us || is_smaller) {
        method.hottest_line = line;
        method.hottest_line_us = weight_us;
      }
    }
  }

  void SortChildren() {
    std::vector<CallNode>& nodes = out_->nodes_;
    std::vector<uint32_t> children;
    for (CallNode& node : nodes) {
      children.clear();
      for (uint32_t child = node.first_child; child != kNone; child = nodes[child].next_sibling)
        children.push_back(child);
      std::sort(children.begin(), children.end(), [this, &nodes](uint32_t a, uint32_t b) {
        const uint64_t a_us = out_->SampledUs(a);
        const uint64_t b_us = out_->SampledUs(b);
        if (a_us != b_us) return a_us > b_us;
        return nodes[a].first_sample != nodes[b].first_sample
                   ? nodes[a].first_sample < nodes[b].first_sample
                   : a < b;
      });
      uint32_t next = kNone;
      for (size_t i = children.size(); i-- > 0;) {
        nodes[children[i]].next_sibling = next;
        next = children[i];
      }
      node.first_child = next;
    }
  }

  CallTree* out_;
  const model::TraceTree& tree_;
  std::vector<uint64_t> weight_before_;  // weight of all samples before each index
  std::vector<uint32_t> run_end_;        // by sample: end of its run of equal states
  std::vector<OpenNode> open_;
  std::unordered_map<MethodKey, MethodId, Hash> method_ids_;
  std::vector<uint32_t> innermost_open_;                   // by method: index in open_
  std::unordered_map<uint64_t, uint32_t, Hash> children_;  // (call node, method)
  std::unordered_map<uint64_t, uint64_t, Hash> line_us_;   // (method, line)
};

CallTree::CallTree(const model::FrameTable& frames, const model::TraceTree& tree)
    : frame_table_(&frames), token_(tree.token()) {
  Builder(this, tree).Build();
}

uint64_t CallTree::SampledUs(uint32_t node) const {
  const CallNode& at = nodes_[node];
  const bool is_truncation = at.method != kNone && methods_[at.method].is_truncation;
  return at.total_us - (is_truncation ? at.self_us : 0);
}

uint64_t CallTree::sampled_us() const {
  uint64_t sampled_us = 0;
  for (uint32_t node = root().first_child; node != kNone; node = nodes_[node].next_sibling)
    sampled_us += SampledUs(node);
  return sampled_us;
}

std::vector<MethodId> CallTree::HottestMethods() const {
  std::vector<MethodId> ids(methods_.size());
  std::iota(ids.begin(), ids.end(), 0U);
  std::erase_if(ids, [this](MethodId id) { return methods_[id].is_truncation; });
  std::sort(ids.begin(), ids.end(), [this](MethodId a, MethodId b) {
    const Method& left = methods_[a];
    const Method& right = methods_[b];
    if (left.self_us != right.self_us) return left.self_us > right.self_us;
    return left.total_us != right.total_us ? left.total_us > right.total_us : a < b;
  });
  return ids;
}

std::string CallTree::NameOf(MethodId id, size_t max_characters) const {
  const Method& method = methods_[id];
  const model::FrameKind kind =
      method.is_truncation ? model::FrameKind::kTruncated : model::FrameKind::kCompiled;
  return MethodName(frame_table_->String(method.class_name),
                    frame_table_->String(method.method_name), kind, max_characters);
}

std::string CallTree::PlaceOf(MethodId id) const {
  return SourcePlace(frame_table_->String(methods_[id].source_file), methods_[id].hottest_line);
}

model::ThreadState DominantState(const StateWeights& weights) {
  const auto largest = std::max_element(weights.begin(), weights.end());
  return static_cast<model::ThreadState>(largest - weights.begin());
}

}  // namespace stillframe::index
