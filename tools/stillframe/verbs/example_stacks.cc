// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/verbs/example_stacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/input/clean_document.h"
#include "tools/stillframe/input/field_import.h"
#include "tools/stillframe/render/flame_svg.h"

namespace stillframe::verbs {
namespace {

// Calls `use` with each line's stack and microseconds.
template <typename Use>
void ForEachStack(std::string_view collapsed, const Use& use) {
  while (!collapsed.empty()) {
    const std::string_view line = collapsed.substr(0, collapsed.find('\n'));
    collapsed.remove_prefix(std::min(line.size() + 1, collapsed.size()));
    const size_t space = line.rfind(' ');
    if (space == std::string_view::npos) continue;
    uint64_t us = 0;
    std::from_chars(line.data() + space + 1, line.data() + line.size(), us);
    use(line.substr(0, space), us);
  }
}

}  // namespace

std::string MergedStacks(const std::vector<fleet::Example>& examples,
                         const input::DocumentInput& documents) {
  std::map<std::string, uint64_t> us_of;
  for (const fleet::Example& example : examples) {
    dump::ReadResult read = documents.Read(example.name, example.bytes);
    if (!read.readable()) continue;
    documents.Prepare(example.name, &read.document);
    ForEachStack(
        exports::CollapsedStacks(read.document, std::nullopt,
                                 exports::CollapsedUnit::kMicroseconds),
        [&us_of](std::string_view stack, uint64_t us) { us_of[std::string(stack)] += us; });
  }
  std::string out;
  for (const auto& [stack, us] : us_of) out += fmt::format("{} {}\n", stack, us);
  return out;
}

std::string SelfTimesText(std::string_view collapsed, size_t examples) {
  std::map<std::string, uint64_t> us_of;
  uint64_t all_us = 0;
  ForEachStack(collapsed, [&](std::string_view stack, uint64_t us) {
    us_of[std::string(stack.substr(stack.rfind(';') + 1))] += us;
    all_us += us;
  });
  if (all_us == 0) return "";
  std::vector<std::pair<uint64_t, std::string>> largest;
  largest.reserve(us_of.size());
  for (const auto& [name, us] : us_of) largest.emplace_back(us, name);
  std::ranges::sort(largest, std::greater<>());
  constexpr size_t kMost = 8;
  largest.resize(std::min(largest.size(), kMost));
  std::string text = fmt::format("\nmost self time in {}:\n", index::Counted(examples, "example"));
  for (const auto& [us, name] : largest)
    text += fmt::format("  {:>5.1f}%  {}\n",
                        100.0 * static_cast<double>(us) / static_cast<double>(all_us), name);
  return text;
}

std::string FlameOfStacks(const std::string& collapsed, const std::string& title,
                          const std::string& subtitle) {
  model::Document document;
  std::string notes;
  std::string error;
  if (!input::ImportCollapsed(collapsed, {.unit = input::CountUnit::kMicroseconds}, &document,
                              &notes, &error) ||
      document.trees.empty())
    return "";
  input::CleanDocument(&document);
  const index::DumpIndex index(document);
  return render::FlameSvg(*index.TreeOf(index.TreeTokens().front()),
                          {.title = title, .subtitle = subtitle});
}

}  // namespace stillframe::verbs
