// SPDX-License-Identifier: Apache-2.0
// Writes one line for each distinct stack, with its samples or microseconds.
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <vector>

#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/index/method_name.h"

namespace stillframe::exports {
namespace {

void AppendEscaped(std::string_view bytes, std::string* out) {
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte < 0x20 || byte == 0x7F || c == ';' || c == '%')
      *out += fmt::format("%{:02X}", byte);
    else
      *out += c;
  }
}

std::string CollapsedFrame(const model::FrameTable& frames, model::FrameId id) {
  std::string text;
  const model::Frame& frame = frames.At(id);
  if (frame.kind == model::FrameKind::kTruncated) {
    text = "[cut: ";
    AppendEscaped(frames.String(frame.method_name), &text);
    return text + "]";
  }
  if (frame.kind == model::FrameKind::kNative) {
    AppendEscaped(
        index::NativeName(frames.String(frame.class_name), frames.String(frame.method_name)),
        &text);
    return text;
  }
  AppendEscaped(frames.String(frame.class_name), &text);
  text += text.empty() ? "" : ".";
  AppendEscaped(frames.String(frame.method_name), &text);
  return text.empty() ? "[no name]" : text.append(index::AfterName(frame.kind));
}

// Sums each node's own samples and time by the text of its stack.
class Folder {
 public:
  Folder(const model::FrameTable& frames, CollapsedUnit unit) : frame_table_(frames), unit_(unit) {}

  void Add(const model::TraceTree& tree) {
    std::vector<uint64_t> before = {0};
    for (const model::Sample& sample : tree.samples()) {
      const uint64_t value = unit_ == CollapsedUnit::kSamples ? 1 : sample.weight_us;
      before.push_back(before.back() + value);
    }
    std::string stack;
    std::vector<size_t> lengths = {0};  // length of `stack` at each depth
    for (const model::Node& node : tree.nodes()) {
      if (node.depth > 0) {
        stack.resize(lengths[node.depth - 1]);
        stack += node.depth > 1 ? ";" : "";
        stack += Name(node.frame);
        lengths.resize(node.depth);
        lengths.push_back(stack.size());
      }
      uint64_t own = before[node.end()] - before[node.offset];
      for (model::NodeId child = node.first_child; child != model::kNoNode;
           child = tree.At(child).next_sibling)
        own -= before[tree.At(child).end()] - before[tree.At(child).offset];
      if (own > 0) counts_[stack.empty() ? "[empty stack]" : stack] += own;
    }
  }

  std::string Lines() const {
    std::string out;
    for (const auto& [stack, count] : counts_) out += fmt::format("{} {}\n", stack, count);
    return out;
  }

 private:
  const std::string& Name(model::FrameId id) {
    const auto [entry, is_new] = names_.try_emplace(id);
    if (is_new) entry->second = CollapsedFrame(frame_table_, id);
    return entry->second;
  }

  const model::FrameTable& frame_table_;
  CollapsedUnit unit_;
  std::map<model::FrameId, std::string> names_;
  std::map<std::string, uint64_t> counts_;
};

}  // namespace

std::string CollapsedStacks(const model::Document& document, std::optional<Token> token,
                            CollapsedUnit unit) {
  Folder folder(document.frames, unit);
  for (const model::TraceTree& tree : document.trees)
    if (!token || tree.token() == *token) folder.Add(tree);
  return folder.Lines();
}

}  // namespace stillframe::exports
