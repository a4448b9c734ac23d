// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/fleet/method_ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>

#include "tools/stillframe/index/call_tree.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/method_name.h"

namespace stillframe::fleet {
namespace {

double Percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

Portion PartOf(const MethodSums& sums, const MethodSums& all, bool by_total) {
  const uint64_t us = by_total ? sums.total_us : sums.self_us;
  return {Percent(us, all.total_us), static_cast<double>(us) / 1000 /
                                         static_cast<double>(std::max<uint64_t>(all.messages, 1))};
}

constexpr MethodId kUnknownYet = UINT32_MAX;

// Sorts the `count` largest ids to the front by key. Among equals, smaller ids first.
template <typename Key>
std::vector<uint32_t> Largest(size_t size, size_t count, const Key& key) {
  std::vector<uint32_t> ids(size);
  std::iota(ids.begin(), ids.end(), 0U);
  std::erase_if(ids, [&key](uint32_t id) { return key(id) == 0; });
  const size_t kept = std::min(count, ids.size());
  std::partial_sort(
      ids.begin(), ids.begin() + static_cast<ptrdiff_t>(kept), ids.end(),
      [&key](uint32_t a, uint32_t b) { return key(a) != key(b) ? key(a) > key(b) : a < b; });
  ids.resize(kept);
  return ids;
}

bool IsDispatching(const model::FrameTable& frames, model::FrameId id) {
  return frames.ClassName(id) == "android.os.Handler" &&
         (frames.MethodName(id) == "dispatchMessage" || frames.MethodName(id) == "handleCallback");
}

// By node: whether it or a node below it dispatches a message.
std::vector<bool> LoopOf(const model::FrameTable& frames, const model::TraceTree& tree) {
  std::vector<bool> is_loop(tree.nodes().size());
  for (size_t i = is_loop.size(); i-- > 1;) {
    const model::Node& node = tree.nodes()[i];
    if (is_loop[i] || IsDispatching(frames, node.frame)) {
      is_loop[i] = true;
      is_loop[node.parent] = true;
    }
  }
  return is_loop;
}

bool IsRunning(const model::Document& document, Token token) {
  if (document.running && document.running->token == token) return true;
  return std::any_of(document.loopers.begin(), document.loopers.end(),
                     [token](const model::Looper& looper) {
                       return looper.running && looper.running->token == token;
                     });
}

}  // namespace

std::vector<Change> Changes(const MethodRanking& before, const MethodRanking& after,
                            bool by_total) {
  std::map<std::string, Change> changes;
  for (MethodId id = 0; id < before.names().size(); ++id)
    changes[before.names()[id]].before = PartOf(before.methods()[id], before.all(), by_total);
  for (MethodId id = 0; id < after.names().size(); ++id)
    changes[after.names()[id]].after = PartOf(after.methods()[id], after.all(), by_total);
  std::vector<Change> rows;
  for (auto& [name, change] : changes) {
    if (std::abs(change.percent()) >= 0.05) {
      change.name = name;
      rows.push_back(change);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Change& a, const Change& b) {
    return std::abs(a.percent()) > std::abs(b.percent());
  });
  return rows;
}

MethodSums& MethodSums::operator+=(const MethodSums& other) {
  samples += other.samples;
  self_us += other.self_us;
  total_us += other.total_us;
  messages += other.messages;
  return *this;
}

MethodSums& MethodSums::operator-=(const MethodSums& other) {
  samples -= other.samples;
  self_us -= other.self_us;
  total_us -= other.total_us;
  messages -= other.messages;
  return *this;
}

MethodId MethodRanking::Method(const model::FrameTable& frames, model::FrameId id) {
  MethodId& method = method_of_frame_[id];
  if (method != kUnknownYet) return method;
  std::string name =
      index::MethodName(frames.ClassName(id), frames.MethodName(id), frames.At(id).kind);
  const auto [entry, is_new] =
      method_ids_.try_emplace(std::move(name), static_cast<MethodId>(names_.size()));
  if (is_new) {
    names_.push_back(entry->first);
    methods_.emplace_back();
    method_seen_.push_back(0);
    is_cut_.push_back(frames.At(id).kind == model::FrameKind::kTruncated);
    is_beyond_loop_.push_back(false);
    open_.push_back(0);
  }
  method = entry->second;
  return method;
}

void MethodRanking::Add(const model::Document& document) {
  ++dumps_;
  method_of_frame_.assign(document.frames.size(), kUnknownYet);
  const model::Identity& identity = document.identity;
  // Imports do not identify their process, so none of their messages counts as known.
  Process unknown;
  Process& process =
      identity.process_start_ns == 0
          ? unknown
          : processes_[{identity.process_name, identity.pid, identity.process_start_ns}];
  AddLook(document);
  for (const model::TraceTree& tree : document.trees) {
    uint64_t tree_us = 0;
    for (const model::Sample& sample : tree.samples()) tree_us += sample.weight_us;
    const auto [counted, is_new] = process.counted_us.try_emplace(tree.token(), tree_us);
    if (!is_new) {
      const auto shorter = process.unfinished.find(tree.token());
      if (tree_us <= counted->second || shorter == process.unfinished.end()) continue;
      Subtract(shorter->second);
      process.unfinished.erase(shorter);
      counted->second = tree_us;
    }
    Shares shares = index::HasNativeFrames(document.frames, tree)
                        ? AddTree(document, index::WithoutNativeFrames(document.frames, tree))
                        : AddTree(document, tree);
    if (IsRunning(document, tree.token())) process.unfinished[tree.token()] = std::move(shares);
  }
}

// Traces of an ANR show the main thread once.
void MethodRanking::AddLook(const model::Document& document) {
  if (!document.trees.empty() || !document.thread_stacks ||
      document.thread_stacks->stacks.empty() || !index::IsImported(document))
    return;
  const model::ThreadStack& main = document.thread_stacks->stacks.front();
  if (main.frames.empty()) return;
  model::TraceTree tree(Token{1});
  const std::vector<model::FrameId> stack(main.frames.rbegin(), main.frames.rend());
  tree.Add(stack, {kLookUs, kLookUs, 0, main.state});
  AddTree(document, tree);
  ++looks_;
}

void MethodRanking::Subtract(const Shares& shares) {
  for (const auto& [stack, sums] : shares.stacks) stacks_[stack].sums -= sums;
  for (const auto& [method, sums] : shares.methods) methods_[method] -= sums;
}

// Walks the nodes in preorder with a stack of open nodes. A node's own time is what its children do
// not cover.
Shares MethodRanking::AddTree(const model::Document& document, const model::TraceTree& tree) {
  ++trees_;
  std::map<StackId, MethodSums> of_stacks;
  std::map<MethodId, MethodSums> of_methods;
  std::vector<uint64_t> before_us = {0};
  before_us.reserve(tree.sample_count() + 1);
  for (const model::Sample& sample : tree.samples())
    before_us.push_back(before_us.back() + sample.weight_us);
  struct Open {
    StackId stack;
    MethodId method;
    uint64_t own_us;
    uint64_t own_samples;
  };
  std::vector<Open> path;
  const auto begin = [&](StackId stack, MethodId method, const model::Node& node) {
    const uint64_t weight_us = before_us[node.end()] - before_us[node.offset];
    MethodSums& of_stack = of_stacks[stack];
    of_stack.total_us += weight_us;
    of_stack.messages += stack_seen_[stack] == trees_ ? 0U : 1U;
    stack_seen_[stack] = trees_;
    if (!path.empty()) {
      path.back().own_us -= weight_us;
      path.back().own_samples -= node.count;
      MethodSums& of_method = of_methods[method];
      of_method.total_us += open_[method] == 0 ? weight_us : 0U;
      of_method.messages += method_seen_[method] == trees_ ? 0U : 1U;
      method_seen_[method] = trees_;
      ++open_[method];
    }
    path.push_back({stack, method, weight_us, node.count});
  };
  const auto end = [&] {
    const Open& node = path.back();
    of_stacks[node.stack].self_us += node.own_us;
    of_stacks[node.stack].samples += node.own_samples;
    if (path.size() > 1) {
      of_methods[node.method].self_us += node.own_us;
      of_methods[node.method].samples += node.own_samples;
      --open_[node.method];
    }
    path.pop_back();
  };
  begin(kEmptyStack, 0, tree.nodes()[0]);
  const std::vector<bool> is_loop = LoopOf(document.frames, tree);
  for (size_t i = 1; i < tree.nodes().size(); ++i) {
    const model::Node& node = tree.nodes()[i];
    while (path.size() > node.depth) end();
    const MethodId method = Method(document.frames, node.frame);
    if (!is_loop[i]) is_beyond_loop_[method] = true;
    const StackId parent = path.back().stack;
    const auto [entry, is_new] = children_.try_emplace((uint64_t{parent} << 32U) | method,
                                                       static_cast<StackId>(stacks_.size()));
    if (is_new) {
      stacks_.push_back({parent, method, stacks_[parent].depth + 1, {}});
      stack_seen_.push_back(0);
    }
    begin(entry->second, method, node);
  }
  while (!path.empty()) end();
  for (const auto& [stack, sums] : of_stacks) stacks_[stack].sums += sums;
  for (const auto& [method, sums] : of_methods) methods_[method] += sums;
  return {{of_stacks.begin(), of_stacks.end()}, {of_methods.begin(), of_methods.end()}};
}

std::vector<MethodId> MethodRanking::HottestMethods(size_t count, bool by_total) const {
  return Largest(
      methods_.size(), count,
      [&](MethodId id) {
        if (is_cut_[id]) return uint64_t{0};
        if (!by_total) return methods_[id].self_us;
        return is_beyond_loop_[id] ? methods_[id].total_us : uint64_t{0};
      });
}

std::vector<StackId> MethodRanking::HottestStacks(size_t count) const {
  return Largest(
      stacks_.size(), count,
      [&](StackId id) { return IsUnsampled(stacks_[id]) ? 0 : stacks_[id].sums.self_us; });
}

bool MethodRanking::IsUnsampled(const Stack& stack) const {
  return stack.depth == 1 && is_cut_[stack.method];
}

uint64_t MethodRanking::unsampled_us() const {
  uint64_t us = 0;
  for (const Stack& stack : stacks_) us += IsUnsampled(stack) ? stack.sums.self_us : 0;
  return us;
}

}  // namespace stillframe::fleet
