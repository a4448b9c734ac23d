// SPDX-License-Identifier: Apache-2.0
// A trace tree merged by method, with times. Flame graphs, tables and the verdict use it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <stillframe/token.h>

#include "src/model/frame_table.h"
#include "src/model/trace_tree.h"

namespace stillframe::index {

// Native frames are at the innermost end of stacks.
bool HasNativeFrames(const model::FrameTable& frames, const model::TraceTree& tree);

// The same samples on stacks without native frames. A tree without any method keeps those that have
// names, which stand for methods.
model::TraceTree WithoutNativeFrames(const model::FrameTable& frames, const model::TraceTree& tree);

constexpr size_t kStateCount = 13;
using StateWeights = std::array<uint64_t, kStateCount>;  // microseconds, by model::ThreadState

using MethodId = uint32_t;
constexpr uint32_t kNone = UINT32_MAX;

// A method in all its places. A stack counts once, even if the method is on it several times.
struct Method {
  model::StringId class_name;
  model::StringId method_name;
  model::StringId signature;
  model::StringId source_file;
  bool is_truncation;
  model::FrameKind kind;  // of its first frame
  uint64_t total_us = 0;
  uint64_t self_us = 0;
  uint64_t guess_us = 0;  // own time that may belong to methods inlined into it
  // Line with the most time while it was the method's innermost frame.
  int32_t hottest_line = model::kLineUnknown;
  uint64_t hottest_line_us = 0;
};

// A method called through one particular sequence of methods.
struct CallNode {
  MethodId method;  // kNone in the root
  uint32_t parent;  // kNone in the root
  uint32_t first_child;
  uint32_t next_sibling;  // children are ordered by CallTree::SampledUs, largest first
  uint32_t depth;         // 0: the root
  uint32_t samples;
  uint32_t first_sample;  // makes the order stable
  uint64_t total_us;
  uint64_t self_us;
  StateWeights state_us;  // of all samples through this node
};

class CallTree {
 public:
  // Takes O(nodes x log(nodes) + samples). `frames` must outlive the tree.
  CallTree(const model::FrameTable& frames, const model::TraceTree& tree);

  const model::FrameTable& frames() const { return *frame_table_; }
  Token token() const { return token_; }
  // In the order of first appearance. [0] is the root; parents precede children.
  const std::vector<CallNode>& nodes() const { return nodes_; }
  const CallNode& root() const { return nodes_[0]; }
  const std::vector<Method>& methods() const { return methods_; }
  // The node's time without its own, if it is a truncation: nothing says which method had that.
  uint64_t SampledUs(uint32_t node) const;
  // The whole time without that of samples without a method: empty stacks, and truncations alone.
  uint64_t sampled_us() const;
  // Ids of all methods, largest own time first. Truncations are not among them.
  std::vector<MethodId> HottestMethods() const;

  std::string_view ClassName(MethodId id) const {
    return frame_table_->String(methods_[id].class_name);
  }
  // Clean text, see MethodName() in method_name.h.
  std::string NameOf(MethodId id, size_t max_characters = 1000) const;
  // "Bar.java:12" of the method's hottest line.
  std::string PlaceOf(MethodId id) const;

 private:
  class Builder;
  const model::FrameTable* frame_table_;
  Token token_;
  std::vector<CallNode> nodes_;
  std::vector<Method> methods_;
};

// The state with the largest weight.
model::ThreadState DominantState(const StateWeights& weights);

}  // namespace stillframe::index
