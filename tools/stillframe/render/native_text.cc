// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/native_text.h"

#include <fmt/format.h>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/names.h"

namespace stillframe::render {

std::vector<std::string> NativeLines(const model::Document& document,
                                     const model::ThreadStack& stack) {
  std::vector<std::string> lines;
  for (const model::NativeFrame& frame : index::WithoutInterpreter(document.modules, stack.native))
    lines.push_back(index::NativeFrameText(document.modules, frame));
  if (stack.native_is_truncated) lines.emplace_back("[further native frames were not found]");
  return lines;
}

std::string NativeStacksText(const model::Document& document) {
  std::string out;
  if (!document.thread_stacks) return out;
  for (const model::ThreadStack& stack : document.thread_stacks->stacks) {
    const std::vector<std::string> lines = NativeLines(document, stack);
    if (lines.empty()) continue;
    out += fmt::format("{}Thread {} (tid {}), {}:\n", out.empty() ? "" : "\n",
                       index::Truncated(stack.name, 100), stack.tid, index::TextOf(stack.state));
    for (const std::string& line : lines) out += fmt::format("  native {}\n", line);
    for (const model::FrameId id : stack.frames)
      out += fmt::format("  at {}\n", index::FrameText(document.frames, id));
  }
  return out;
}

}  // namespace stillframe::render
