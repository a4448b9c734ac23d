// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/missing_frames.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/judge/case.h"

namespace stillframe::judge {
namespace {

using index::CallTree;
using index::DumpIndex;

// A full frame table drops a frame's class or method, or replaces the whole frame.
bool IsNameless(const CallTree& tree, const index::Method& method) {
  const model::FrameTable& frames = tree.frames();
  const bool lacks_text =
      frames.String(method.class_name).empty() || frames.String(method.method_name).empty();
  return method.is_truncation
             ? frames.String(method.method_name) == frames.MethodName(model::kOverflowFrame)
             : lacks_text;
}

// Time of one message, and the reason that has most of it.
struct Missing {
  void Add(uint64_t more_us, std::string_view reason) {
    us += more_us;
    if (more_us <= largest_us) return;
    largest_us = more_us;
    why = reason;
  }

  uint64_t us = 0;
  uint64_t largest_us = 0;
  std::string_view why;
};

}  // namespace

double NamelessPart(const CallTree& tree) {
  uint64_t nameless_us = 0;
  for (const index::Method& method : tree.methods()) {
    const bool has_name = !tree.frames().String(method.class_name).empty() ||
                          !tree.frames().String(method.method_name).empty();
    if (!has_name || method.is_truncation) nameless_us += method.self_us;
  }
  const uint64_t all_us = tree.root().total_us;
  return all_us == 0 ? 0 : static_cast<double>(nameless_us) / static_cast<double>(all_us);
}

void AddMissing(const DumpIndex& index, Verdict* verdict) {
  const CallTree* tree = verdict->token ? index.TreeOf(*verdict->token) : nullptr;
  if (tree == nullptr) return;
  uint64_t nameless_us = 0;
  Missing cut;
  Missing unsampled;
  std::vector<bool> is_inside(tree->nodes().size());
  for (size_t i = 1; i < tree->nodes().size(); ++i) {
    const index::CallNode& node = tree->nodes()[i];
    const index::Method& method = tree->methods()[node.method];
    const bool is_nameless = IsNameless(*tree, method);
    is_inside[i] = is_inside[node.parent] || is_nameless;
    if (is_inside[i] && !is_inside[node.parent]) nameless_us += node.total_us;
    if (node.parent != 0 || !method.is_truncation || is_nameless) continue;
    const std::string_view reason = tree->frames().String(method.method_name);
    cut.Add(node.total_us - node.self_us, reason);
    unsampled.Add(node.self_us, reason);
  }
  const uint64_t whole_us = tree->root().total_us;
  const bool is_full =
      std::ranges::any_of(index.document().counters, [](const model::NamedCount& counter) {
        return counter.name == "frame_table_overflows" && counter.value != 0;
      });
  if (is_full && nameless_us * 10 >= whole_us && nameless_us > 0) {
    verdict->evidence.push_back(evidence::Nameless{PartOfUs(nameless_us, whole_us)});
    if ((verdict->culprit || verdict->kind == Kind::kSpread) && nameless_us * 2 >= whole_us)
      Limit(Confidence::kLow, ConfidenceReason::kNamesMissing, verdict);
  }
  const auto add = [&]<typename Fact>(Fact fact, const Missing& missing) {
    if (missing.us * 10 < whole_us || missing.us == 0) return;
    fact.time = PartOfUs(missing.us, whole_us);
    fact.reason = index::Truncated(missing.why, 100);
    verdict->evidence.push_back(std::move(fact));
  };
  add(evidence::Cut(), cut);
  add(evidence::Unsampled(), unsampled);
}

}  // namespace stillframe::judge
