// SPDX-License-Identifier: Apache-2.0
// Methods and stacks of many dumps added up. Memory follows the distinct stacks, not the dumps.
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

namespace stillframe::compare {

using MethodId = uint32_t;
using StackId = uint32_t;
constexpr StackId kEmptyStack = 0;

struct Sums {
  uint64_t samples = 0;
  uint64_t self_us = 0;
  uint64_t total_us = 0;  // a stack counts once for a method, however often the method is on it
  uint64_t messages = 0;  // with a tree in which it is

  Sums& operator+=(const Sums& other);
  Sums& operator-=(const Sums& other);
};

// A method called by a certain sequence of methods. Its self time is that of samples that ended
// here.
struct Stack {
  StackId parent = kEmptyStack;
  MethodId method = 0;
  uint32_t depth = 0;
  Sums sums;
};

// What one tree gave to stacks and methods.
struct Shares {
  std::vector<std::pair<StackId, Sums>> stacks;
  std::vector<std::pair<MethodId, Sums>> methods;
};

class Ranking {
 public:
  // Takes all trees of a dump. A message that another dump of the same process has as well counts
  // once, with the longer of its trees.
  void Add(const model::Document& document);

  // By id; clean names.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<Sums>& methods() const { return methods_; }
  // [0] is the empty stack, which counts everything; a parent comes before its children.
  const std::vector<Stack>& stacks() const { return stacks_; }
  const Sums& all() const { return stacks_[kEmptyStack].sums; }
  uint64_t dumps() const { return dumps_; }

  // The `count` with the most self time, or total time, largest first; those without any are left
  // out, and of total time the loop's: what is on stacks only to dispatch a message.
  std::vector<MethodId> HottestMethods(size_t count, bool by_total) const;
  std::vector<StackId> HottestStacks(size_t count) const;

 private:
  // Of one process, for as long as there are dumps of it.
  struct Process {
    std::map<Token, uint64_t> counted_us;  // by token
    std::map<Token, Shares> unfinished;    // of messages that ran when their dump was taken
  };

  MethodId Method(const model::FrameTable& frames, model::FrameId id);
  void TakeBack(const Shares& shares);
  Shares AddTree(const model::Document& document, const model::TraceTree& tree);

  std::vector<std::string> names_;
  std::unordered_map<std::string, MethodId> method_ids_;
  std::vector<Sums> methods_;
  std::vector<bool> is_beyond_loop_;   // by method: it stood below the dispatching, or without any
  std::vector<uint64_t> method_seen_;  // the number of the last tree with it
  std::vector<Stack> stacks_ = {Stack{}};
  std::vector<uint64_t> stack_seen_ = {0};
  std::unordered_map<uint64_t, StackId> children_;  // by parent and method
  uint64_t dumps_ = 0;
  uint64_t trees_ = 0;
  std::map<std::tuple<std::string, uint32_t, uint64_t>, Process> processes_;  // name, pid, start
  std::vector<MethodId> method_of_frame_;  // of the dump being added
  std::vector<uint32_t> open_;             // by method: how often it is on the path
};

// A method's part of one side.
struct Part {
  double percent = 0;         // of the sampled time
  double ms_per_message = 0;  // of the sampled messages
};

struct Change {
  std::string name;
  Part before;
  Part after;

  double percent() const { return after.percent - before.percent; }
};

// Methods whose share changed by 0.05 points and more, the largest change first.
std::vector<Change> Changes(const Ranking& before, const Ranking& after, bool by_total);

constexpr size_t kStackRows = 5;

// Rankings and their differences as tables for a terminal, and as JSON: render/tables.schema.json.
struct TextOptions {
  size_t rows = 20;
  bool by_total = false;
  size_t width = 100;  // columns; 0: names are whole
};

// The methods and the stacks that cost the most.
std::string TopText(const Ranking& ranking, const TextOptions& options);

// The methods whose share of the sampled time changed the most, with what they took of a sampled
// message on the average: the two sides hardly have the same number of dumps.
std::string DiffText(const Ranking& before, const Ranking& after, const TextOptions& options);

std::string TopJson(const Ranking& ranking, const TextOptions& options);
std::string DiffJson(const Ranking& before, const Ranking& after, const TextOptions& options);

// Collapsed stacks with two numbers, microseconds before and after, as difffolded.pl writes them.
std::string DiffFolded(const Ranking& before, const Ranking& after);

}  // namespace stillframe::compare
