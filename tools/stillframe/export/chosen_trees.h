// SPDX-License-Identifier: Apache-2.0
// Shared by all exports: the chosen trees, their place in time, and the names of frames.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <stillframe/token.h>

#include "tools/stillframe/index/dump_index.h"

namespace stillframe::exports {

struct ChosenTree {
  const model::TraceTree* tree;
  const model::Message* message;
  std::string title;  // "message 17: Runnable com.foo.Sync"
  uint64_t
      start_ns;  // CLOCK_MONOTONIC; when the profiler started if the message's start is not known
  uint64_t weight_us = 0;  // of all samples
};

// Oldest first.
std::vector<ChosenTree> ChooseTrees(const index::DumpIndex& index, std::optional<Token> token);

// All messages of the dump with a start, the running one included, oldest first. With `token`, only
// that message.
std::vector<const model::Message*> ChooseMessages(const index::DumpIndex& index,
                                                  std::optional<Token> token);

// When a message ended or the dump was taken. The message's start if neither is known.
uint64_t EndNs(const model::Message& message);

// "Runnable com.foo.Sync to com.foo.MainHandler"
std::string MessageTitle(const index::DumpIndex& index, const model::Message& message);

// "com.foo.Bar.baz" or "[cut: reason]", and "Bar.java" or "".
std::string FrameName(const model::FrameTable& frames, model::FrameId id);
std::string FrameFile(const model::FrameTable& frames, model::FrameId id);

// Numbers distinct stacks in order of appearance, each as its parent and innermost frame. 0 is the
// empty stack.
class StackNumbers {
 public:
  struct Stack {
    uint32_t parent;
    model::FrameId frame;
  };

  // Numbers the stacks of all nodes of `tree`. Returns the number of each sample's stack.
  std::vector<uint32_t> Add(const model::TraceTree& tree);
  // [0] is the empty stack, whose entry is unused. Parents precede children.
  std::span<const Stack> stacks() const { return stacks_; }

 private:
  std::vector<Stack> stacks_ = {{0, 0}};
  std::unordered_map<uint64_t, uint32_t> numbers_;  // by parent and frame
};

// Numbers distinct texts in order of appearance.
class Texts {
 public:
  size_t NumberOf(const std::string& text) {
    const auto [entry, is_new] = numbers_.try_emplace(text, all_.size());
    if (is_new) all_.push_back(text);
    return entry->second;
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
  std::unordered_map<std::string, size_t> numbers_;
};

}  // namespace stillframe::exports
