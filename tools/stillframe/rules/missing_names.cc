// SPDX-License-Identifier: Apache-2.0
// Adds up the time of the outermost frames without a name.
#include "tools/stillframe/rules/missing_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tools/stillframe/calltree/figures.h"

namespace stillframe::rules {
namespace {

using calltree::CallTree;
using verdict::Confidence;
using verdict::Kind;

bool HasOverflows(const model::Document& document) {
  return std::ranges::any_of(
      document.counters,
      [](const model::NamedCount& counter) {
        return counter.name == "frame_table_overflows" && counter.value != 0;
      });
}

// A full table leaves out class or method, or stands in for the whole frame.
bool IsNameless(const CallTree& tree, const calltree::Method& method) {
  const trace::FrameTable& frames = tree.frames();
  const bool lacks_text =
      frames.String(method.class_name).empty() || frames.String(method.method_name).empty();
  return method.is_truncation
             ? frames.String(method.method_name) == frames.MethodName(trace::kOverflowFrame)
             : lacks_text;
}

uint64_t NamelessUs(const CallTree& tree) {
  uint64_t sum_us = 0;
  std::vector<bool> is_inside(tree.nodes().size());
  for (size_t i = 1; i < tree.nodes().size(); ++i) {
    const calltree::CallNode& node = tree.nodes()[i];
    const bool is_caller_nameless = is_inside[node.parent];
    is_inside[i] = is_caller_nameless || IsNameless(tree, tree.methods()[node.method]);
    if (is_inside[i] && !is_caller_nameless) sum_us += node.total_us;
  }
  return sum_us;
}

// What is below frames that stand for callers who are not known; `why` is the largest's text.
uint64_t CutUs(const CallTree& tree, std::string* why) {
  uint64_t sum_us = 0;
  uint64_t largest_us = 0;
  for (uint32_t child = tree.root().first_child; child != calltree::kNone;
       child = tree.nodes()[child].next_sibling) {
    const calltree::CallNode& node = tree.nodes()[child];
    const calltree::Method& method = tree.methods()[node.method];
    if (!method.is_truncation || IsNameless(tree, method)) continue;
    sum_us += node.total_us;
    if (node.total_us <= largest_us) continue;
    largest_us = node.total_us;
    *why = tree.NameOf(node.method, 100);
  }
  return sum_us;
}

}  // namespace

void TellCutStacks(const index::DumpIndex& index, verdict::Verdict* verdict) {
  const CallTree* tree = verdict->token ? index.TreeOf(*verdict->token) : nullptr;
  if (tree == nullptr) return;
  std::string why;
  const uint64_t cut_us = CutUs(*tree, &why);
  const uint64_t whole_us = tree->root().total_us;
  if (cut_us * 10 < whole_us || cut_us == 0) return;
  verdict->evidence.push_back(
      fmt::format("Who called it is not known for {} of {} ({}): {}.", calltree::DurationUs(cut_us),
                  calltree::DurationUs(whole_us), calltree::Share(cut_us, whole_us), why));
}

void TellMissingNames(const index::DumpIndex& index, verdict::Verdict* verdict) {
  if (!HasOverflows(index.document())) return;
  uint64_t nameless_us = 0;
  uint64_t whole_us = 0;
  for (const uint64_t token : verdict->tokens) {
    const CallTree* tree = index.TreeOf(token);
    if (tree == nullptr) continue;
    nameless_us += NamelessUs(*tree);
    whole_us += tree->root().total_us;
  }
  if (nameless_us == 0) return;
  verdict->evidence.push_back(
      fmt::format("The process's table of names was full: {} of {} ({}) went through methods that "
                  "have no name here.",
                  calltree::DurationUs(nameless_us), calltree::DurationUs(whole_us),
                  calltree::Share(nameless_us, whole_us)));
  const bool rests_on_methods = verdict->culprit.has_value() || verdict->kind == Kind::kSpread;
  if (rests_on_methods && nameless_us * 2 >= whole_us) verdict->confidence = Confidence::kLow;
}

}  // namespace stillframe::rules
