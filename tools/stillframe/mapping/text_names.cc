// SPDX-License-Identifier: Apache-2.0
// Finds the names in a line and leaves the rest as it is.
#include "tools/stillframe/mapping/text_names.h"

#include <charconv>

#include "src/trace/frame.h"

namespace stillframe::mapping {
namespace {

constexpr std::string_view kFrameMark = "  at ";
constexpr std::string_view kNative = "Native method";
constexpr std::string_view kLockMark = "> (a ";

// "  at a.b.c(SourceFile:12)". False for any other line.
bool ParseFrame(std::string_view line, ObfuscatedFrame* frame) {
  const size_t open = line.rfind('(');
  if (!line.starts_with(kFrameMark) || open == std::string_view::npos || !line.ends_with(')'))
    return false;
  const std::string_view name = line.substr(kFrameMark.size(), open - kFrameMark.size());
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  std::string_view place = line.substr(open + 1, line.size() - open - 2);
  int32_t number = place == kNative ? trace::kLineNative : trace::kLineUnknown;
  const size_t colon = place.rfind(':');
  if (colon != std::string_view::npos) {
    std::from_chars(place.data() + colon + 1, place.data() + place.size(), number);
    place = place.substr(0, colon);
  }
  *frame = {name.substr(0, dot), name.substr(dot + 1), {}, place, number};
  return true;
}

std::string FrameLine(const NamedFrame& frame) {
  std::string place = frame.line == trace::kLineNative ? std::string(kNative) : frame.source_file;
  if (frame.line >= 0) place += ":" + std::to_string(frame.line);
  return std::string(kFrameMark) + frame.class_name + "." + frame.method_name + "(" + place + ")\n";
}

std::string RestoreLine(std::string_view line, const TextNames& names) {
  ObfuscatedFrame frame = {};
  if (ParseFrame(line, &frame)) {
    if (const std::optional<Retraced> retraced = names.frames(frame)) {
      std::string lines;
      for (const NamedFrame& named : retraced->frames) lines += FrameLine(named);
      return lines;
    }
  }
  const size_t lock = line.find(kLockMark);
  const size_t begin = lock + kLockMark.size();
  const size_t end = lock == std::string_view::npos ? lock : line.find(')', begin);
  if (end == std::string_view::npos) return std::string(line) + "\n";
  return std::string(line.substr(0, begin)) +
         names.class_name(std::string(line.substr(begin, end - begin))) +
         std::string(line.substr(end)) + "\n";
}

}  // namespace

std::string RestoreText(std::string_view text, const TextNames& names) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    out += RestoreLine(text.substr(0, end), names);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

}  // namespace stillframe::mapping
