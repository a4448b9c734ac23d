// SPDX-License-Identifier: Apache-2.0
// Goes down the heaviest path of a message.
#include "tools/stillframe/rules/culprit.h"

#include <vector>

#include "tools/stillframe/calltree/method_name.h"
#include "tools/stillframe/index/dispatch.h"

namespace stillframe::rules {
namespace {

using calltree::CallTree;
using verdict::Culprit;

constexpr size_t kLongestMethodName = 200;
constexpr uint64_t kPathPercent = 50;

// The index in `path` of the method to name, or path.size().
size_t PickNode(const CallTree& tree, const index::OwnCode& own, const std::vector<uint32_t>& path,
                size_t begin) {
  size_t deepest = path.size();
  size_t deepest_beyond_platform = path.size();
  for (size_t i = path.size(); i-- > begin;) {
    const calltree::MethodId method = tree.nodes()[path[i]].method;
    if (tree.methods()[method].is_truncation) continue;
    if (own.Has(tree.ClassName(method))) return i;
    if (deepest == path.size()) deepest = i;
    const bool is_platform = calltree::IsPlatformClass(tree.ClassName(method));
    if (!is_platform && deepest_beyond_platform == path.size()) deepest_beyond_platform = i;
  }
  return deepest_beyond_platform < path.size() ? deepest_beyond_platform : deepest;
}

constexpr size_t kMaxCallees = 3;

void AddCallees(const CallTree& tree, const calltree::CallNode& node, Culprit* culprit) {
  if (node.self_us * 2 >= node.total_us) return;
  for (uint32_t child = node.first_child; child != calltree::kNone;
       child = tree.nodes()[child].next_sibling) {
    const calltree::CallNode& callee = tree.nodes()[child];
    if (callee.total_us * 100 < node.total_us * kPathPercent &&
        culprit->callees.size() < kMaxCallees)
      culprit->callees.emplace_back(tree.NameOf(callee.method, kLongestMethodName),
                                    callee.total_us);
    else
      ++culprit->more_callees;
  }
}

}  // namespace

std::optional<Culprit> FindCulprit(const CallTree& tree, const index::OwnCode& own,
                                   bool is_nested) {
  const std::vector<uint32_t> path = index::HeaviestPath(tree, kPathPercent);
  const size_t begin = index::DispatchingFrames(tree, path, is_nested);
  const size_t picked = PickNode(tree, own, path, begin);
  if (tree.root().total_us == 0 || picked >= path.size()) return std::nullopt;
  const calltree::CallNode& node = tree.nodes()[path[picked]];
  const calltree::Method& method = tree.methods()[node.method];
  Culprit culprit;
  culprit.method = tree.NameOf(node.method, kLongestMethodName);
  culprit.place = tree.PlaceOf(node.method);
  culprit.held_us = method.total_us;
  culprit.line_us = method.hottest_line_us;
  size_t deepest = path.size() - 1;
  while (deepest > picked && tree.methods()[tree.nodes()[path[deepest]].method].is_truncation)
    --deepest;
  const calltree::MethodId leaf = tree.nodes()[path[deepest]].method;
  culprit.leaf = tree.NameOf(leaf, kLongestMethodName);
  culprit.leaf_place = tree.PlaceOf(leaf);
  size_t outermost = begin;
  while (outermost < picked && tree.nodes()[path[outermost]].method != node.method) ++outermost;
  if (outermost > begin) {
    const calltree::MethodId caller = tree.nodes()[path[outermost - 1]].method;
    culprit.caller = tree.NameOf(caller, kLongestMethodName);
    culprit.caller_place = tree.PlaceOf(caller);
  }
  if (picked + 1 == path.size()) AddCallees(tree, node, &culprit);
  culprit.state = calltree::DominantState(node.state_us);
  culprit.state_us = node.state_us[static_cast<size_t>(culprit.state)];
  return culprit;
}

}  // namespace stillframe::rules
