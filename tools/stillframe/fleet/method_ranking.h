// SPDX-License-Identifier: Apache-2.0
// MethodSums methods and stacks of many dumps. Memory grows with distinct stacks, not with dumps.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <stillframe/token.h>

#include "src/model/document.h"

namespace stillframe::fleet {

using MethodId = uint32_t;
using StackId = uint32_t;
constexpr StackId kEmptyStack = 0;

struct MethodSums {
  uint64_t samples = 0;
  uint64_t self_us = 0;
  uint64_t total_us = 0;  // a stack counts once, even if the method is on it several times
  uint64_t messages = 0;  // whose tree has the method

  MethodSums& operator+=(const MethodSums& other);
  MethodSums& operator-=(const MethodSums& other);
};

// A method called through one particular sequence of methods. Self time: samples that end here.
struct Stack {
  StackId parent = kEmptyStack;
  MethodId method = 0;
  uint32_t depth = 0;
  MethodSums sums;
};

// One tree's share of stacks and methods.
struct Shares {
  std::vector<std::pair<StackId, MethodSums>> stacks;
  std::vector<std::pair<MethodId, MethodSums>> methods;
};

class MethodRanking {
 public:
  // Adds all trees of a dump. A message in several dumps of one process counts once, with its
  // longest tree.
  void Add(const model::Document& document);

  // By id; clean names.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<MethodSums>& methods() const { return methods_; }
  // [0] is the empty stack, which counts everything. Parents precede children.
  const std::vector<Stack>& stacks() const { return stacks_; }
  const MethodSums& all() const { return stacks_[kEmptyStack].sums; }
  uint64_t dumps() const { return dumps_; }
  // Dumps that show the main thread once. Such a look counts as kLookUs of one message.
  uint64_t looks() const { return looks_; }
  static constexpr uint32_t kLookUs = 1000;

  // The `count` largest by self or total time, largest first, without zeros and truncations. Total
  // time excludes the loop: methods that are on stacks only to dispatch a message.
  std::vector<MethodId> HottestMethods(size_t count, bool by_total) const;
  std::vector<StackId> HottestStacks(size_t count) const;
  // Time of samples without a method, which no rank has.
  uint64_t unsampled_us() const;

 private:
  // One process, kept while its dumps are added.
  struct Process {
    std::map<Token, uint64_t> counted_us;  // by token
    std::map<Token, Shares> unfinished;    // of messages that ran at the dump
  };

  MethodId Method(const model::FrameTable& frames, model::FrameId id);
  bool IsUnsampled(const Stack& stack) const;
  void Subtract(const Shares& shares);
  void AddLook(const model::Document& document);
  Shares AddTree(const model::Document& document, const model::TraceTree& tree);

  std::vector<std::string> names_;
  std::unordered_map<std::string, MethodId> method_ids_;
  std::vector<MethodSums> methods_;
  std::vector<bool> is_cut_;           // by method: a truncation
  std::vector<bool> is_beyond_loop_;   // by method: below the dispatch, or on a stack without one
  std::vector<uint64_t> method_seen_;  // by method: number of the last tree with it
  std::vector<Stack> stacks_ = {Stack{}};
  std::vector<uint64_t> stack_seen_ = {0};
  std::unordered_map<uint64_t, StackId> children_;  // by parent and method
  uint64_t dumps_ = 0;
  uint64_t looks_ = 0;
  uint64_t trees_ = 0;
  std::map<std::tuple<std::string, uint32_t, uint64_t>, Process> processes_;  // name, pid, start
  std::vector<MethodId> method_of_frame_;                                     // of the current dump
  std::vector<uint32_t> open_;  // by method: occurrences on the path
};

// A method's part of one side of the comparison.
struct Portion {
  double percent = 0;         // of the sampled time
  double ms_per_message = 0;  // of the sampled messages
};

struct Change {
  std::string name;
  Portion before;
  Portion after;

  double percent() const { return after.percent - before.percent; }
};

// Methods whose share changed by at least 0.05 points, largest change first.
std::vector<Change> Changes(const MethodRanking& before, const MethodRanking& after, bool by_total);

}  // namespace stillframe::fleet
