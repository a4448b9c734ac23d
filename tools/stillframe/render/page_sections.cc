// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/page_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "src/model/context_names.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/index/trace_sections.h"
#include "tools/stillframe/render/facts.h"
#include "tools/stillframe/render/native_text.h"
#include "tools/stillframe/words/wording.h"

namespace stillframe::render {
namespace {

using index::Truncated;
using nlohmann::ordered_json;

constexpr size_t kLongestText = 300;
constexpr size_t kMaxThreads = 1'000;
constexpr size_t kMaxStackFrames = 128;

ordered_json AnnotationsJson(const model::Document& document) {
  ordered_json rows = ordered_json::array();
  if (!document.annotations.scene.empty())
    rows.push_back({"scene", Truncated(document.annotations.scene, kLongestText)});
  for (const model::Annotation& annotation : document.annotations.entries)
    rows.push_back({Truncated(annotation.name, 80), Truncated(annotation.value, kLongestText)});
  return rows;
}

}  // namespace

ordered_json PageContext(const model::Document& document) {
  ordered_json groups = ordered_json::array();
  const bool has_stacks = document.thread_stacks && !document.thread_stacks->stacks.empty();
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kGroups = {
      {{"device", "Device"},
       {"process", "Process"},
       {"cpu", "CPU"},
       {"memory", "Memory"},
       {"io", "Files and I/O"},
       {"gc", "Garbage collector"}}};
  for (const auto& [group, title] : kGroups) {
    ordered_json rows = ordered_json::array();
    for (const model::ContextEntry& entry : document.context)
      if (entry.group == group && !(has_stacks && entry.name == model::context::kMainThreadStack))
        rows.emplace_back(ContextFact(entry));
    groups.push_back({title, std::move(rows)});
  }
  groups.push_back({"Annotations of the application", AnnotationsJson(document)});
  return groups;
}

ordered_json PageStacks(const model::Document& document) {
  if (!document.thread_stacks) return nullptr;
  std::map<std::pair<std::vector<std::string>, std::vector<model::FrameId>>, size_t> group_of;
  ordered_json groups = ordered_json::array();
  for (const model::ThreadStack& stack : document.thread_stacks->stacks) {
    std::vector<std::string> native = NativeLines(document, stack);
    const auto [entry, is_new] = group_of.try_emplace({native, stack.frames}, groups.size());
    if (is_new && groups.size() == kMaxThreads) break;
    if (is_new) {
      ordered_json frames = ordered_json::array();
      for (const std::string& line : native) frames.push_back("native " + Truncated(line, 200));
      for (size_t i = 0; i < std::min(stack.frames.size(), kMaxStackFrames); ++i)
        frames.push_back(index::FrameText(document.frames, stack.frames[i], 200));
      groups.push_back({{"threads", ordered_json::array()}, {"stack", std::move(frames)}});
    }
    groups[entry->second]["threads"].push_back(
        {{"tid", stack.tid},
         {"name", Truncated(stack.name, 100)},
         {"state", index::NameOf(stack.state)},
         {"running", stack.source == model::StackSource::kRunning},
         {"absent", Truncated(stack.absent, kLongestText)}});
  }
  const model::ThreadStacks& stacks = *document.thread_stacks;
  return {{"absent", Truncated(stacks.absent, kLongestText)},
          {"threads", stacks.threads},
          {"time", stacks.duration_ns / 1000},
          {"groups", std::move(groups)}};
}

}  // namespace stillframe::render
