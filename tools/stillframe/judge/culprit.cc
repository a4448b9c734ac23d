// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/culprit.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/stillframe/index/dispatch.h"
#include "tools/stillframe/index/known_code.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/outside.h"

namespace stillframe::judge {
namespace {

using index::CallTree;

constexpr size_t kLongestMethodName = 200;
constexpr uint64_t kPathPercent = 50;

std::string_view MethodName(const CallTree& tree, index::MethodId method) {
  return tree.frames().String(tree.methods()[method].method_name);
}

bool IsGlue(const CallTree& tree, index::MethodId method) {
  return index::IsGlue(tree.ClassName(method), MethodName(tree, method));
}

// The index in `path` of the method to name, or path.size().
size_t PickNode(const CallTree& tree, const index::OwnCode& own, const std::vector<uint32_t>& path,
                size_t begin) {
  size_t deepest_glue = path.size();
  size_t deepest = path.size();
  size_t deepest_beyond_platform = path.size();
  for (size_t i = path.size(); i-- > begin;) {
    const index::MethodId method = tree.nodes()[path[i]].method;
    if (tree.methods()[method].is_truncation) continue;
    if (own.Has(tree.ClassName(method))) {
      if (!IsGlue(tree, method)) return i;
      if (deepest_glue == path.size()) deepest_glue = i;
    }
    if (deepest == path.size()) deepest = i;
    const bool is_platform = index::IsPlatformClass(tree.ClassName(method));
    if (!is_platform && deepest_beyond_platform == path.size()) deepest_beyond_platform = i;
  }
  if (deepest_glue < path.size()) return deepest_glue;
  return deepest_beyond_platform < path.size() ? deepest_beyond_platform : deepest;
}

// Drops frames below the call that leaves the process (binder, I/O). Unchanged without such a call.
std::vector<uint32_t> PathToOutside(const CallTree& tree, std::vector<uint32_t> path) {
  size_t length = path.size();
  while (length > 0) {
    const index::MethodId method = tree.nodes()[path[length - 1]].method;
    const bool is_outside = !tree.methods()[method].is_truncation &&
                            index::WaitedFor(tree.ClassName(method), MethodName(tree, method)) !=
                                index::Outside::kNothing;
    if (is_outside) break;
    --length;
  }
  if (length > 0) path.resize(length);
  return path;
}

using Times = std::vector<std::pair<std::string, uint64_t>>;

// Overloads share a name, so their times are added.
void AddTime(const std::string& name, uint64_t us, Times* times) {
  const auto known = std::ranges::find(*times, name, &Times::value_type::first);
  if (known != times->end())
    known->second += us;
  else
    times->emplace_back(name, us);
}

constexpr size_t kMaxCallees = 3;
constexpr uint64_t kCalleePercent = 5;
constexpr size_t kMaxBesides = 3;
constexpr uint64_t kBesidesPercent = 20;

bool HoldsBesides(const CallTree& tree, uint32_t node) {
  return tree.SampledUs(node) * 100 >= tree.sampled_us() * kBesidesPercent;
}

// From `top` down, while one callee holds half of `top`'s time.
std::vector<uint32_t> PathBelow(const CallTree& tree, uint32_t top) {
  std::vector<uint32_t> path = {top};
  for (uint32_t node = tree.nodes()[top].first_child;
       node != index::kNone && tree.nodes()[node].total_us * 2 >= tree.nodes()[top].total_us;
       node = tree.nodes()[node].first_child)
    path.push_back(node);
  return path;
}

// Calls `visit` for each node that leaves the path above `picked` and holds kBesidesPercent.
template <typename Visit>
void ForEachBranch(const CallTree& tree, const std::vector<uint32_t>& path, size_t begin,
                   size_t picked, const Visit& visit) {
  for (size_t i = begin; i < picked; ++i) {
    for (uint32_t node = tree.nodes()[path[i]].first_child;
         node != index::kNone && HoldsBesides(tree, node); node = tree.nodes()[node].next_sibling)
      if (node != path[i + 1]) visit(i, node);
  }
}

// Several branches may end in the same method, which then does not distinguish them. Picks the node
// below which the last of these branches leaves the path.
size_t PickBelowBranches(const CallTree& tree, const index::OwnCode& own,
                         const std::vector<uint32_t>& path, size_t begin, size_t picked) {
  const index::MethodId method = tree.nodes()[path[picked]].method;
  size_t place = picked;
  ForEachBranch(tree, path, begin, picked, [&](size_t at, uint32_t branch) {
    if (!own.Has(tree.ClassName(tree.nodes()[path[at + 1]].method))) return;
    for (const uint32_t node : PathBelow(tree, branch))
      if (tree.nodes()[node].method == method) place = at + 1;
  });
  return place;
}

// Many methods call a helper. Picks the application's method that called it instead.
size_t PickAboveHelpers(const CallTree& tree, const index::OwnCode& own, const Helpers& helpers,
                        const std::vector<uint32_t>& path, size_t begin, size_t picked) {
  size_t helper = path.size();
  const auto is_helper = [&](size_t i) {
    const index::MethodId method = tree.nodes()[path[i]].method;
    const bool names_callee =
        i + 1 < path.size() &&
        (i + 1 == helper || !own.Has(tree.ClassName(tree.nodes()[path[i + 1]].method))) &&
        MethodName(tree, method) == MethodName(tree, tree.nodes()[path[i + 1]].method);
    return names_callee ||
           helpers.Has(tree.methods()[method].class_name, tree.methods()[method].method_name);
  };
  while (own.Has(tree.ClassName(tree.nodes()[path[picked]].method)) && is_helper(picked)) {
    size_t above = picked;
    while (above > begin && IsGlue(tree, tree.nodes()[path[above - 1]].method)) --above;
    if (above == begin || !own.Has(tree.ClassName(tree.nodes()[path[above - 1]].method))) break;
    helper = picked;
    picked = above - 1;
  }
  return picked;
}

bool IsOn(const CallTree& tree, const std::vector<uint32_t>& path, index::MethodId method) {
  return std::any_of(
      path.begin(), path.end(), [&](uint32_t node) { return tree.nodes()[node].method == method; });
}

void AddBesides(const CallTree& tree, const index::OwnCode& own, const std::vector<uint32_t>& path,
                size_t begin, size_t picked, Culprit* culprit) {
  ForEachBranch(
      tree, path, begin, picked,
      [&](size_t, uint32_t branch) {
        const std::vector<uint32_t> below = PathBelow(tree, branch);
        size_t named = PickNode(tree, own, below, 0);
        if (named >= below.size()) return;
        // A method that is also on the path does not distinguish the branches.
        if (IsOn(tree, path, tree.nodes()[below[named]].method)) named = 0;
        const index::MethodId method = tree.nodes()[below[named]].method;
        if (IsOn(tree, path, method) || tree.methods()[method].is_truncation) return;
        AddTime(tree.NameOf(method, kLongestMethodName), tree.nodes()[branch].total_us,
                &culprit->besides);
      });
  std::stable_sort(culprit->besides.begin(), culprit->besides.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (culprit->besides.size() > kMaxBesides) culprit->besides.resize(kMaxBesides);
}

void AddCallees(const CallTree& tree, const index::CallNode& node, Culprit* culprit) {
  if (node.self_us * 2 >= node.total_us) return;
  for (uint32_t child = node.first_child; child != index::kNone;
       child = tree.nodes()[child].next_sibling) {
    const index::CallNode& callee = tree.nodes()[child];
    if (tree.methods()[callee.method].is_truncation) continue;
    if (callee.total_us * 100 < node.total_us * kCalleePercent) break;  // the heaviest is first
    AddTime(tree.NameOf(callee.method, kLongestMethodName), callee.total_us, &culprit->callees);
  }
  std::ranges::stable_sort(culprit->callees, std::greater<>(), &Times::value_type::second);
  if (culprit->callees.size() <= kMaxCallees) return;
  culprit->more_callees = static_cast<uint32_t>(culprit->callees.size() - kMaxCallees);
  culprit->callees.resize(kMaxCallees);
}

Drawing DrawingOn(const CallTree& tree, const std::vector<uint32_t>& path, size_t begin,
                  size_t picked) {
  const auto has = [&](size_t from, size_t to) {
    return std::any_of(path.begin() + static_cast<ptrdiff_t>(from),
                       path.begin() + static_cast<ptrdiff_t>(to), [&](uint32_t node) {
                         const index::MethodId method = tree.nodes()[node].method;
                         return index::IsDrawing(tree.ClassName(method), MethodName(tree, method));
                       });
  };
  return has(picked, path.size()) ? Drawing::kCalls
         : has(begin, picked)     ? Drawing::kWithin
                                  : Drawing::kNone;
}

}  // namespace

void Helpers::Add(Name method, Name caller) {
  if (method == caller) return;
  const auto [known, is_new] = callers_.try_emplace(method, caller, false);
  if (!is_new && known->second.first != caller) known->second.second = true;
}

void Helpers::Add(const CallTree& tree, const index::OwnCode& own) {
  constexpr uint32_t kLeastSamples = 2;
  std::vector<bool> is_own;
  std::vector<bool> is_glue;
  for (index::MethodId id = 0; id < tree.methods().size(); ++id) {
    is_own.push_back(own.Has(tree.ClassName(id)));
    is_glue.push_back(is_own[id] && IsGlue(tree, id));
  }
  const std::vector<index::CallNode>& nodes = tree.nodes();
  for (size_t i = 1; i < nodes.size(); ++i) {
    const index::MethodId method = nodes[i].method;
    if (nodes[i].samples < kLeastSamples || !is_own[method] || is_glue[method]) continue;
    uint32_t caller = nodes[i].parent;
    while (caller != 0 && is_glue[nodes[caller].method]) caller = nodes[caller].parent;
    if (caller == 0 || !is_own[nodes[caller].method]) continue;
    const index::Method& callee = tree.methods()[method];
    const index::Method& by = tree.methods()[nodes[caller].method];
    Add({callee.class_name, callee.method_name}, {by.class_name, by.method_name});
  }
}

void Helpers::Add(const model::FrameTable& frames, std::span<const model::FrameId> stack,
                  const index::OwnCode& own) {
  for (size_t i = 0; i + 1 < stack.size(); ++i) {
    const model::Frame& callee = frames.At(stack[i]);
    const model::Frame& caller = frames.At(stack[i + 1]);
    const Name method = {callee.class_name, callee.method_name};
    const Name by = {caller.class_name, caller.method_name};
    if (method != by && own.Has(frames.String(callee.class_name)) &&
        own.Has(frames.String(caller.class_name)))
      Add(method, by);
  }
}

bool Helpers::Has(model::StringId class_name, model::StringId method_name) const {
  const auto known = callers_.find({class_name, method_name});
  return known != callers_.end() && known->second.second;
}

Helpers AllHelpers(const index::DumpIndex& index, Helpers helpers) {
  const model::Document& document = index.document();
  if (document.thread_stacks)
    for (const model::ThreadStack& stack : document.thread_stacks->stacks)
      helpers.Add(document.frames, stack.frames, index.own());
  for (const Token token : index.TreeTokens()) helpers.Add(*index.TreeOf(token), index.own());
  return helpers;
}

bool Helpers::Has(const model::FrameTable& frames, std::string_view frame_text) const {
  const std::string_view name = frame_text.substr(0, frame_text.find_first_of(" ("));
  return std::ranges::any_of(callers_, [&](const auto& entry) {
    const auto& [method, callers] = entry;
    const std::string_view class_name = frames.String(method.first);
    return callers.second && name.size() > class_name.size() && name.starts_with(class_name) &&
           name[class_name.size()] == '.' &&
           name.substr(class_name.size() + 1) == frames.String(method.second);
  });
}

std::optional<Culprit> FindCulprit(const CallTree& tree, const index::OwnCode& own,
                                   const Helpers& helpers, bool is_nested, bool is_outside) {
  std::vector<uint32_t> path = index::HeaviestPath(tree, kPathPercent);
  if (is_outside) path = PathToOutside(tree, std::move(path));
  const size_t begin = index::DispatchingFrames(tree, path, is_nested);
  const size_t deepest_own = PickNode(tree, own, path, begin);
  if (tree.sampled_us() == 0 || deepest_own >= path.size()) return std::nullopt;
  const size_t below_branches = PickBelowBranches(tree, own, path, begin, deepest_own);
  const size_t picked = PickAboveHelpers(tree, own, helpers, path, begin, below_branches);
  const index::CallNode& node = tree.nodes()[path[picked]];
  const index::Method& method = tree.methods()[node.method];
  Culprit culprit;
  culprit.method = tree.NameOf(node.method, kLongestMethodName);
  culprit.place = tree.PlaceOf(node.method);
  culprit.is_library = !own.Has(tree.ClassName(node.method)) &&
                       index::OwnerOf(tree.ClassName(node.method)) == index::CodeOwner::kLibrary;
  culprit.held_us = method.total_us;
  culprit.line_us = method.hottest_line_us;
  // For a helper's caller, the leaf is the helper. Otherwise it is the deepest frame of the path.
  size_t deepest = picked < below_branches ? below_branches : path.size() - 1;
  while (deepest > picked && tree.methods()[tree.nodes()[path[deepest]].method].is_truncation)
    --deepest;
  const index::MethodId leaf = tree.nodes()[path[deepest]].method;
  culprit.leaf = tree.NameOf(leaf, kLongestMethodName);
  culprit.leaf_place = tree.PlaceOf(leaf);
  size_t outermost = begin;
  while (outermost < picked && tree.nodes()[path[outermost]].method != node.method) ++outermost;
  while (outermost > begin && IsGlue(tree, tree.nodes()[path[outermost - 1]].method)) --outermost;
  if (outermost > begin) {
    const index::MethodId caller = tree.nodes()[path[outermost - 1]].method;
    culprit.caller = tree.NameOf(caller, kLongestMethodName);
    culprit.caller_place = tree.PlaceOf(caller);
  }
  AddBesides(tree, own, path, begin, picked, &culprit);
  if (picked + 1 == path.size() && !is_outside) AddCallees(tree, node, &culprit);
  culprit.drawing = DrawingOn(tree, path, begin, picked);
  culprit.state = index::DominantState(node.state_us);
  culprit.state_us = node.state_us[static_cast<size_t>(culprit.state)];
  return culprit;
}

bool IsOutside(judge::Cause cause) {
  return cause == judge::Cause::kBinder || cause == judge::Cause::kInputOutput ||
         cause == judge::Cause::kMemory;
}

std::string MethodAt(const std::string& method, const std::string& place) {
  return place.find(':') == std::string::npos ? method : method + " (" + place + ")";
}

}  // namespace stillframe::judge
