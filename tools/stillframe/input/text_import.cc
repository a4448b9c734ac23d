// SPDX-License-Identifier: Apache-2.0
// Converts lines of text to frames and samples of an artificial message.
#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "tools/stillframe/index/preorder_text.h"
#include "tools/stillframe/input/field_import.h"
#include "tools/stillframe/input/imported_message.h"

namespace stillframe::input {
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

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

std::string_view WithoutBlanksBehind(std::string_view text) {
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool IsSourceFile(std::string_view text) {
  constexpr std::array<std::string_view, 5> kEndings = {".java", ".kt", ".kts", ".scala",
                                                        ".groovy"};
  return text == "SourceFile" || text == "Unknown Source" ||
         std::ranges::any_of(kEndings,
                             [&](std::string_view ending) { return text.ends_with(ending); });
}

// "Feed.java:88", "Feed.java", "Native Method"
bool IsPlaceOfFrame(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (text == "Native Method" || IsSourceFile(text)) return true;
  if (colon == std::string_view::npos || colon == 0 || !IsNumber(text.substr(colon + 1)))
    return false;
  const std::string_view file = text.substr(0, colon);
  return IsSourceFile(file) || file.find_first_of(" ,:<>*&") == std::string_view::npos;
}

// C++, or a name in brackets, which has no class.
bool IsWhole(std::string_view name) {
  return name.find("::") != std::string_view::npos ||
         (name.starts_with('[') && name.ends_with(']'));
}

// Async-profiler marks frames: interpreted, compiled, inlined, or of the kernel.
std::string_view WithoutFrameMark(std::string_view name) {
  constexpr std::array<std::string_view, 5> kMarks = {"_[0]", "_[1]", "_[i]", "_[j]", "_[k]"};
  for (const std::string_view mark : kMarks)
    if (name.size() > mark.size() && name.ends_with(mark))
      return WithoutBlanksBehind(name.substr(0, name.size() - mark.size()));
  return name;
}

std::string_view WithoutPlace(std::string_view name, std::string_view* place) {
  const size_t open = name.rfind('(');
  if (!name.ends_with(')') || open == 0 || open == std::string_view::npos || IsWhole(name))
    return name;
  const std::string_view inside = name.substr(open + 1, name.size() - open - 2);
  const std::string_view rest = WithoutBlanksBehind(name.substr(0, open));
  if (!IsPlaceOfFrame(inside) || rest.empty()) return name;
  if (place->empty()) *place = inside;
  return rest;
}

// "java.lang.Thread.run" of "java/lang/Thread.run". The number of a hidden class stays behind its
// slash, and a path of a file stays a path.
std::string WithDots(std::string_view name) {
  constexpr std::array<std::string_view, 5> kFiles = {"so", "apk", "dex", "jar", "odex"};
  std::string text(name);
  const size_t dot = name.rfind('.');
  const std::string_view of_class = name.substr(0, dot == std::string_view::npos ? 0 : dot);
  const bool is_path = of_class.empty() || of_class.starts_with('/') ||
                       of_class.find_first_of(". ()[]<>:") != std::string_view::npos ||
                       std::ranges::find(kFiles, name.substr(dot + 1)) != kFiles.end();
  for (size_t i = 0; !is_path && i + 1 < of_class.size(); ++i)
    if (text[i] == '/' && (text[i + 1] < '0' || text[i + 1] > '9')) text[i] = '.';
  return text;
}

// The class ends at the last dot before the parameters.
size_t EndOfClass(std::string_view name) {
  if (IsWhole(name)) return 0;
  const size_t open = name.find('(');
  const size_t dot = name.substr(0, open == 0 ? std::string_view::npos : open).rfind('.');
  return dot == std::string_view::npos ? 0 : dot;
}

model::FrameId FrameOf(std::string_view text, model::FrameTable* frames) {
  if (text.starts_with(kTruncationPrefix) && text.ends_with(']')) {
    const std::string why = Unescaped(
        text.substr(kTruncationPrefix.size(), text.size() - kTruncationPrefix.size() - 1));
    return frames->InternFrame("", why, "", "", model::kLineUnknown, model::FrameKind::kTruncated);
  }
  const std::string unescaped = text == "[no name]" ? std::string() : Unescaped(text);
  std::string_view stem = unescaped;
  std::string_view place;
  // Until nothing changes, so that the name can be written and read again.
  for (size_t size = stem.size() + 1; stem.size() < size;) {
    size = stem.size();
    stem = WithoutPlace(WithoutFrameMark(stem), &place);
  }
  const std::string name = WithDots(stem);
  const size_t end = EndOfClass(name);
  const std::string_view whole = name;
  return AddFrame(whole.substr(0, end), whole.substr(end == 0 ? 0 : end + 1), place, frames);
}

class CollapsedReader {
 public:
  CollapsedReader(const ImportOptions& options, model::Document* document, std::string* notes,
                  std::string* error)
      : options_(options),
        document_(*document),
        notes_(*notes),
        error_(*error),
        tree_(kToken, {.max_samples = options.max_samples + 1, .max_nodes = kMaxNodes}) {}

  bool Read(std::string_view text) {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      std::string_view line = text.substr(begin, end - begin);
      line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
      offset_ = begin;
      begin = end + 1;
      if (line.empty()) continue;
      const bool is_last = text.find_first_not_of(" \t\r\n", end) == std::string_view::npos;
      if (is_last && !tree_.empty() && !HasCount(line))
        AddNote("the last line ends early, so it was left out", &notes_);
      else if (!ReadLine(line))
        return false;
    }
    if (tree_.empty()) return Fail("no stacks in it; give lines 'frame;frame count'");
    if (tree_.interval_scale() != 1 || tree_.truncated_stacks() != 0)
      return Fail("more or deeper stacks than there is room for; give a part of them");
    AddMessage(std::move(tree_), &document_);
    if (options_.unit == CountUnit::kSamples)
      AddNote("each count was taken for " + std::to_string(options_.interval_us) +
                  " us; 'import' has --unit and --interval",
              &notes_);
    return true;
  }

 private:
  bool Fail(const char* what) {
    error_ = "offset " + std::to_string(offset_) + ": " + what;
    return false;
  }

  static bool HasCount(std::string_view line) {
    const size_t blank = line.find_last_of(" \t");
    return blank != std::string_view::npos && IsNumber(line.substr(blank + 1));
  }

  bool ReadLine(std::string_view line) {
    const size_t blank = line.find_last_of(" \t");
    uint64_t count = 0;
    if (blank == std::string_view::npos)
      return Fail("no count at the end of the line; give lines 'frame;frame count'");
    const std::string_view number = line.substr(blank + 1);
    const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), count);
    if (code != std::errc() || end != number.data() + number.size()) {
      return Fail(
          "the count at the end of the line is not a number; give lines 'frame;frame count'");
    }
    if (count == 0) return true;
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
  std::string& notes_;
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
                     std::string* notes, std::string* error) {
  document->frames = FramesFor(text);
  return CollapsedReader(options, document, notes, error).Read(text);
}

}  // namespace stillframe::input
