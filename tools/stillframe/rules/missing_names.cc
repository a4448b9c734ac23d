// SPDX-License-Identifier: Apache-2.0
// Adds up the time of the outermost frames without a name.
#include "tools/stillframe/rules/missing_names.h"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

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
