// SPDX-License-Identifier: Apache-2.0
// Avoids recursion, because the text determines the depth.
// Context: any thread; allocates
#include "tools/stillframe/index/preorder_text.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace stillframe::index {

using model::Frame;
using model::FrameId;
using model::FrameKind;
using model::FrameTable;
using model::kLineNative;
using model::kLineUnknown;
using model::kNoNode;
using model::kRootNode;
using model::Node;
using model::NodeId;
using model::PreorderNode;
using model::Sample;
using model::ThreadState;
using model::TraceTree;

namespace {

constexpr std::string_view kNative = "Native Method";
constexpr std::string_view kUnknownSource = "Unknown Source";
constexpr size_t kShortestEntry = 7;  // ";1;0;0;"

constexpr std::pair<char, std::string_view> kEscapes[] = {
    {'%', "%25"}, {';', "%3B"}, {'\n', "%0A"}, {'\r', "%0D"}};

void AppendEscaped(std::string_view text, std::string* out) {
  for (char c : text) {
    const auto* escape = std::ranges::find(kEscapes, c, &std::pair<char, std::string_view>::first);
    if (escape == std::end(kEscapes))
      out->push_back(c);
    else
      out->append(escape->second);
  }
}

std::string Unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto* escape =
        std::ranges::find(kEscapes, text.substr(i, 3), &std::pair<char, std::string_view>::second);
    if (escape == std::end(kEscapes)) {
      out.push_back(text[i]);
    } else {
      out.push_back(escape->first);
      i += 2;
    }
  }
  return out;
}

void AppendNumber(int64_t number, std::string* out) {
  char digits[24];
  out->append(digits, std::to_chars(std::begin(digits), std::end(digits), number).ptr);
}

// Parses all of `text` as AppendNumber writes it, without a sign.
template <typename T>
bool ParseNumber(std::string_view text, T* number) {
  if (text.empty() || text[0] == '-' || (text[0] == '0' && text.size() > 1)) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return error == std::errc() && end == text.data() + text.size();
}

void AppendNode(const TraceTree& tree, const FrameTable& frames, NodeId id, std::string* out) {
  const Node& node = tree.At(id);
  if (id != kRootNode) AppendEscaped(PreorderFrameText(frames, node.frame), out);
  uint32_t children = 0;
  for (NodeId child = node.first_child; child != kNoNode; child = tree.At(child).next_sibling)
    ++children;
  for (uint32_t number : {node.count, node.offset, children}) {
    out->push_back(';');
    AppendNumber(number, out);
  }
  out->push_back(';');
}

class PreorderParser {
 public:
  PreorderParser(std::string_view text, FrameTable* frames, const PreorderLimits& limits)
      : text_(text.substr(0, text.find_last_not_of(" \t\r\n") + 1)),
        frame_table_(frames),
        limits_(limits) {}

  bool Parse() {
    while (position_ < text_.size() && (!started_ || !children_left_.empty()))
      if (!ParseEntry()) return false;
    if (!children_left_.empty())
      return Fail(text_.size(), "the text ends before all children of its nodes");
    return position_ == text_.size() || Fail(position_, "text after the last node");
  }

  std::span<const PreorderNode> nodes() const { return nodes_; }
  uint32_t sample_count() const { return sample_count_; }
  const std::string& error() const { return error_; }
  size_t error_offset() const { return error_offset_; }

  // Fails with the offset of node `index`.
  void FailNode(size_t index, std::string_view what) {
    Fail(index < entry_offsets_.size() ? entry_offsets_[index] : 0, what);
  }

 private:
  bool Fail(size_t offset, std::string_view what) {
    error_offset_ = offset;
    error_ = "offset ";
    AppendNumber(static_cast<int64_t>(offset), &error_);
    error_.append(": ").append(what);
    return false;
  }

  bool NextField(std::string_view* field) {
    const size_t end = text_.find(';', position_);
    if (end == std::string_view::npos)
      return Fail(text_.size(), "the text ends in the middle of a node");
    *field = text_.substr(position_, end - position_);
    position_ = end + 1;
    return true;
  }

  bool NextNumber(std::string_view what, uint32_t* number) {
    const size_t start = position_;
    std::string_view field;
    return NextField(&field) && (ParseNumber(field, number) || Fail(start, what));
  }

  bool ParseEntry() {
    const size_t entry = position_;
    std::string_view frame;
    uint32_t count = 0;
    uint32_t offset = 0;
    uint32_t children = 0;
    if (!NextField(&frame) || !NextNumber("a node's count is not a number", &count) ||
        !NextNumber("a node's offset is not a number", &offset) ||
        !NextNumber("a node's number of children is not a number", &children))
      return false;
    if (children > (text_.size() - position_) / kShortestEntry)
      return Fail(entry, "a node claims more children than the text has room for");
    if (!started_) {
      started_ = true;
      if (offset != 0 || count > limits_.max_samples)
        return Fail(entry, "the first node must have offset 0 and a count within the limit");
      sample_count_ = count;
      if (frame.empty()) {
        virtual_root_ = true;
        PushChildren(children);
        return true;
      }
    }
    const size_t depth = children_left_.size() + (virtual_root_ ? 0 : 1);
    if (depth > limits_.max_depth || nodes_.size() >= limits_.max_nodes)
      return Fail(entry, "the tree is deeper or larger than the limit");
    if (!children_left_.empty()) --children_left_.back();
    const uint64_t overflows_before = frame_table_->overflows();
    nodes_.push_back({ParseFrameText(Unescape(frame), frame_table_), static_cast<uint32_t>(depth),
                      offset, count});
    entry_offsets_.push_back(entry);
    if (frame_table_->overflows() != overflows_before)
      return Fail(entry, "more frames than there is room for");
    PushChildren(children);
    return true;
  }

  // children_left_ has one entry for each node on the path to the next node.
  void PushChildren(uint32_t children) {
    children_left_.push_back(children);
    while (!children_left_.empty() && children_left_.back() == 0) children_left_.pop_back();
  }

  std::string_view text_;
  FrameTable* frame_table_;
  PreorderLimits limits_;
  size_t position_ = 0;
  bool started_ = false;
  bool virtual_root_ = false;
  uint32_t sample_count_ = 0;
  std::vector<uint32_t> children_left_;
  std::vector<PreorderNode> nodes_;
  std::vector<size_t> entry_offsets_;  // by node of nodes_
  std::string error_;
  size_t error_offset_ = 0;
};

}  // namespace

void AppendFrameText(const FrameTable& frames, FrameId id, std::string* out) {
  const Frame& frame = frames.At(id);
  if (frame.kind == FrameKind::kTruncated) {
    out->append(frames.String(frame.method_name));
    return;
  }
  out->append(frames.String(frame.class_name)).append(".").append(frames.String(frame.method_name));
  out->push_back('(');
  const std::string_view source = frames.String(frame.source_file);
  if (frame.line == kLineNative) {
    out->append(kNative);
  } else {
    out->append(source.empty() ? kUnknownSource : source);
    if (frame.line >= 0) {
      out->push_back(':');
      AppendNumber(frame.line, out);
    }
  }
  out->push_back(')');
}

std::string PreorderFrameText(const FrameTable& frames, FrameId id) {
  std::string text;
  AppendFrameText(frames, id, &text);
  return text;
}

FrameId ParseFrameText(std::string_view text, FrameTable* frames) {
  const size_t open = text.rfind('(');
  const size_t dot = open == std::string_view::npos ? open : text.substr(0, open).rfind('.');
  if (dot == std::string_view::npos || text.back() != ')' || open + 2 == text.size())
    return frames->InternFrame("", text, "", "", kLineUnknown, FrameKind::kTruncated);
  std::string_view source = text.substr(open + 1, text.size() - open - 2);
  int32_t line = kLineUnknown;
  const size_t colon = source.rfind(':');
  if (source == kNative) {
    source = "";
    line = kLineNative;
  } else if (colon != std::string_view::npos && colon > 0 &&
             ParseNumber(source.substr(colon + 1), &line)) {
    source = source.substr(0, colon);
  } else {
    line = kLineUnknown;
  }
  if (source == kUnknownSource) source = "";
  return frames->InternFrame(text.substr(0, dot), text.substr(dot + 1, open - dot - 1), "", source,
                             line, line == kLineNative ? FrameKind::kJni : FrameKind::kInterpreted);
}

std::string WritePreorderText(const TraceTree& tree, const FrameTable& frames) {
  std::string text;
  if (tree.empty()) return text;
  const NodeId outermost = tree.At(kRootNode).first_child;
  const bool is_shared = outermost != kNoNode && tree.At(outermost).count == tree.sample_count() &&
                         !PreorderFrameText(frames, tree.At(outermost).frame).empty();
  for (NodeId id = is_shared ? outermost : kRootNode; id < tree.nodes().size(); ++id)
    AppendNode(tree, frames, id, &text);
  return text;
}

PreorderResult ReadPreorderText(std::string_view text, Token token, FrameTable* frames,
                                uint32_t interval_us, const PreorderLimits& limits) {
  PreorderResult result{TraceTree(token), {}, 0};
  PreorderParser parser(text, frames, limits);
  const bool parsed = parser.Parse();
  std::optional<TraceTree> tree;
  if (parsed && uint64_t{parser.sample_count()} * interval_us > UINT32_MAX) {
    parser.FailNode(0, "the samples cover more than 71 minutes");
  } else if (parsed) {
    std::vector<Sample> samples(parser.sample_count());
    for (uint32_t i = 0; i < samples.size(); ++i)
      samples[i] = {(i + 1) * interval_us, interval_us, 0, ThreadState::kUnknown};
    const char* why = "";
    size_t bad_node = 0;
    tree = TraceTree::FromPreorder(token, parser.nodes(), samples, frames->size(), &why, &bad_node);
    if (!tree) parser.FailNode(bad_node, why);
  }
  if (!tree) {
    result.error = parser.error();
    result.error_offset = parser.error_offset();
    return result;
  }
  result.tree = std::move(*tree);
  return result;
}

}  // namespace stillframe::index
