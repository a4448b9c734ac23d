// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/trace_line.h"

#include <cctype>

#include "tools/stillframe/input/lines.h"
#include "tools/stillframe/input/native_line.h"
#include "tools/stillframe/input/thread_head.h"

namespace stillframe::input {

std::string WholeAlternative(std::string_view above, std::string_view line) {
  const size_t blanks = line.find_first_not_of(" \t");
  const size_t begin = above.find("at ");
  if (blanks == std::string_view::npos || begin == std::string_view::npos || blanks < begin + 3 ||
      blanks > above.size() || !Trimmed(above).ends_with(')'))
    return {};
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
  };
  const std::string whole = std::string(above.substr(0, blanks)).append(line.substr(blanks));
  const std::string_view frame = Trimmed(std::string_view(whole).substr(begin + 3));
  const size_t open = frame.find('(');
  const bool is_frame = open != std::string_view::npos && frame.ends_with(')') &&
                        frame.find_first_of(" (", open + 1) == std::string_view::npos &&
                        frame.substr(0, open).find(' ') == std::string_view::npos;
  return is_frame && !is_part(whole[blanks - 1]) ? whole : std::string();
}

LineKind KindOf(std::string_view line) {
  ThreadHead head;
  if (line.empty()) return LineKind::kEmpty;
  if (ParseThreadHead(line, &head)) return LineKind::kHead;
  if (line.starts_with("| ") || line == "|") return LineKind::kFact;
  if (line.starts_with("at ") || line == "at") return LineKind::kFrame;
  if (line.starts_with(kAlternativeMark)) return LineKind::kAlternative;
  if (line.starts_with("- ")) return LineKind::kLock;
  if (IsNativeLine(line)) return LineKind::kNative;
  if (line.starts_with("... ")) return LineKind::kRepeat;
  if (line.starts_with("(")) return LineKind::kRemark;
  return LineKind::kOther;
}

}  // namespace stillframe::input
