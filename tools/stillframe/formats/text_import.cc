// SPDX-License-Identifier: Apache-2.0
// Converts lines of text to frames and samples of an artificial message.
#include <algorithm>
#include <charconv>
#include <vector>

#include "tools/stillframe/formats/field_import.h"
#include "tools/stillframe/formats/imported_message.h"
#include "tools/stillframe/index/preorder_text.h"

namespace stillframe::formats {
namespace {

constexpr Token kToken{1};
constexpr uint32_t kMaxNodes = 1U << 22;
constexpr std::string_view kTruncationPrefix = "[cut: ";

int Digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Decodes "%3B" and the like. Other text stays.
std::string Unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() && Digit(text[i + 1]) >= 0 && Digit(text[i + 2]) >= 0;
    out += is_escape ? static_cast<char>(Digit(text[i + 1]) * 16 + Digit(text[i + 2])) : text[i];
    i += is_escape ? 2U : 0U;
  }
  return out;
}

// async-profiler marks how a frame ran: "_[j]" compiled, "_[i]" inlined, "_[k]" of the kernel.
std::string_view WithoutKind(std::string_view text) {
  const bool has_kind =
      text.size() > 4 && text.ends_with(']') && text.substr(text.size() - 4, 2) == "_[";
  return has_kind ? text.substr(0, text.size() - 4) : text;
}

// "java/lang/Thread.run" as "java.lang.Thread.run". Other names stay.
std::string WithDots(const std::string& name) {
  const size_t dot = name.rfind('.');
  const auto is_of_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '/';
  };
  const bool is_java =
      dot != std::string::npos && dot > 0 && name[0] != '/' && name.find('/') < dot &&
      std::all_of(name.begin(), name.begin() + static_cast<ptrdiff_t>(dot), is_of_name);
  std::string dotted = name;
  if (is_java) std::replace(dotted.begin(), dotted.begin() + static_cast<ptrdiff_t>(dot), '/', '.');
  return dotted;
}

// "(Feed.java:88)", "(Feed.kt)" or "(Native Method)" at the end of a frame, not arguments.
bool IsPlace(std::string_view name, size_t open) {
  if (open == std::string_view::npos || open == 0) return false;
  const std::string_view place = name.substr(open + 1, name.size() - open - 2);
  return place == "Native Method" || place == "Native method" || place == "Unknown Source" ||
         place.find(".java") != std::string_view::npos ||
         place.find(".kt") != std::string_view::npos;
}

model::FrameId FrameOf(std::string_view text, model::FrameTable* frames) {
  if (text.starts_with(kTruncationPrefix) && text.ends_with(']')) {
    const std::string why = Unescaped(
        text.substr(kTruncationPrefix.size(), text.size() - kTruncationPrefix.size() - 1));
    return frames->InternFrame("", why, "", "", model::kLineUnknown, model::FrameKind::kTruncated);
  }
  const std::string name = text == "[no name]" ? std::string() : Unescaped(WithoutKind(text));
  // "[main tid=4321]", "[unknown]" and C++ have no class in Java's sense.
  const bool is_plain = name.starts_with('[') || name.find("::") != std::string::npos;
  const size_t open = name.ends_with(')') ? name.rfind('(') : std::string::npos;
  if (!is_plain && IsPlace(name, open))
    return AddFrame(WithDots(name.substr(0, open)),
                    std::string_view(name).substr(open + 1, name.size() - open - 2), frames);
  const std::string dotted = is_plain ? name : WithDots(name);
  const std::string_view whole = dotted;
  const size_t dot = is_plain ? std::string::npos : whole.rfind('.');
  const bool has_class = dot != std::string::npos && dot > 0;
  return frames->InternFrame(has_class ? whole.substr(0, dot) : std::string_view(),
                             has_class ? whole.substr(dot + 1) : whole, "", "", model::kLineUnknown,
                             model::FrameKind::kInterpreted);
}

class CollapsedReader {
 public:
  CollapsedReader(const ImportOptions& options, model::Document* document, std::string* error)
      : options_(options),
        document_(*document),
        error_(*error),
        tree_(kToken, {.max_samples = options.max_samples + 1, .max_nodes = kMaxNodes}) {}

  bool Read(std::string_view text) {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      std::string_view line = text.substr(begin, end - begin);
      line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
      offset_ = begin;
      if (!line.empty() && !ReadLine(line)) return false;
      begin = end + 1;
    }
    if (tree_.empty()) return Fail("no stacks in it; give lines 'frame;frame count'");
    if (tree_.interval_scale() != 1 || tree_.truncated_stacks() != 0)
      return Fail("more or deeper stacks than there is room for; give a part of them");
    AddMessage(std::move(tree_), &document_);
    return true;
  }

 private:
  bool Fail(const char* what) {
    error_ = "offset " + std::to_string(offset_) + ": " + what;
    return false;
  }

  bool ReadLine(std::string_view line) {
    const size_t blank = line.rfind(' ');
    uint64_t count = 0;
    if (blank == std::string_view::npos)
      return Fail("no count at the end of the line; give lines 'frame;frame count'");
    const std::string_view number = line.substr(blank + 1);
    const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), count);
    if (code == std::errc() && end == number.data() + number.size() && count == 0) return true;
    if (code != std::errc() || end != number.data() + number.size()) {
      return Fail(
          "the count at the end of the line is not a number; give lines 'frame;frame count'");
    }
    const bool is_time = options_.unit == CountUnit::kMicroseconds;
    const uint64_t most_us = is_time ? UINT32_MAX : options_.interval_us;  // of one sample
    const uint64_t samples = is_time ? 1 + (count - 1) / most_us : count;
    if (samples > options_.max_samples - tree_.sample_count()) {
      return Fail(
          is_time ? "more time than there is room for; divide the counts"
                  : "more samples than there is room for; if the counts are times, say --unit us");
    }
    uint64_t left_us = is_time ? count : count * most_us;
    ReadStack(line.substr(0, blank));
    const uint64_t overflows = document_.frames.overflows();
    for (uint64_t i = 0; i < samples; ++i) {
      const uint64_t weight_us = std::min(left_us, most_us);
      left_us -= weight_us;
      // The sum may exceed the longest possible message. Weights stay correct.
      wall_us_ = std::min<uint64_t>(wall_us_ + weight_us, UINT32_MAX);
      const model::Sample sample = {static_cast<uint32_t>(wall_us_),
                                    static_cast<uint32_t>(weight_us), 0,
                                    model::ThreadState::kUnknown};
      i == 0 ? tree_.Add(stack_, sample) : tree_.AddRepeat(sample);
    }
    return overflows == 0 || Fail("more different frames than there is room for; give a part");
  }

  void ReadStack(std::string_view text) {
    stack_.clear();
    if (text == "[empty stack]") return;
    for (;;) {
      const size_t end = text.find(';');
      stack_.push_back(FrameOf(text.substr(0, end), &document_.frames));
      if (end == std::string_view::npos) return;
      text.remove_prefix(end + 1);
    }
  }

  const ImportOptions& options_;
  model::Document& document_;
  std::string& error_;
  model::TraceTree tree_;
  std::vector<model::FrameId> stack_;
  uint64_t wall_us_ = 0;
  size_t offset_ = 0;
};

}  // namespace

bool ImportPreorderText(std::string_view text, const ImportOptions& options,
                        model::Document* document, std::string* error) {
  document->frames = FramesFor(text);
  index::PreorderLimits limits;
  limits.max_samples = options.max_samples;
  index::PreorderResult result =
      index::ReadPreorderText(text, kToken, &document->frames, options.interval_us, limits);
  if (!result.ok() || result.tree.empty()) {
    *error = (result.ok() ? "offset 0: no samples in it" : result.error) +
             "; give text of the form 'frame;count;offset;children;'";
    return false;
  }
  AddMessage(std::move(result.tree), document);
  return true;
}

bool ImportCollapsed(std::string_view text, const ImportOptions& options, model::Document* document,
                     std::string* error) {
  document->frames = FramesFor(text);
  return CollapsedReader(options, document, error).Read(text);
}

}  // namespace stillframe::formats
