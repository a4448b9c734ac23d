// SPDX-License-Identifier: Apache-2.0
// What all exports share: which trees, where they lie in time, and what frames are called.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/stillframe/index/dump_index.h"

namespace stillframe::exports {

struct ChosenTree {
  const trace::TraceTree* tree;
  const model::Message* message;
  std::string title;  // "message 17: Runnable com.foo.Sync"
  uint64_t
      start_ns;  // CLOCK_MONOTONIC; when the profiler started if the message's start is not known
  uint64_t weight_us = 0;  // of all samples
};

// Oldest first.
std::vector<ChosenTree> ChooseTrees(const index::DumpIndex& index, std::optional<uint64_t> token);

// All messages of the dump that have a start, oldest first, the running one included; with `token`
// only that one.
std::vector<const model::Message*> ChooseMessages(const index::DumpIndex& index,
                                                  std::optional<uint64_t> token);

// When a message ended, or the dump was taken; its start if that is not known.
uint64_t EndNs(const model::Message& message);

// "Runnable com.foo.Sync to com.foo.MainHandler"
std::string MessageTitle(const index::DumpIndex& index, const model::Message& message);

// "com.foo.Bar.baz" or "[cut: reason]", and "Bar.java" or nothing.
std::string FrameName(const trace::FrameTable& frames, trace::FrameId id);
std::string FrameFile(const trace::FrameTable& frames, trace::FrameId id);

// Numbers distinct stacks in the order in which they are met, each as its parent and its innermost
// frame; 0 is the empty stack.
class StackNumbers {
 public:
  struct Stack {
    uint32_t parent;
    trace::FrameId frame;
  };

  // The numbers of the stacks of the nodes of `tree`, by node.
  std::vector<uint32_t> Add(const trace::TraceTree& tree);
  // [0] is the empty stack, whose entry means nothing; a parent comes before its children.
  std::span<const Stack> stacks() const { return stacks_; }

 private:
  std::vector<Stack> stacks_ = {{0, 0}};
  std::unordered_map<uint64_t, uint32_t> numbers_;  // by parent and frame
};

// The innermost node of each sample, by sample.
std::vector<trace::NodeId> InnermostNodes(const trace::TraceTree& tree);

}  // namespace stillframe::exports
