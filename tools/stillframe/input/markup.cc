// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/markup.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <utility>

#include "tools/stillframe/input/lines.h"

namespace stillframe::input {

// Without an end, the block goes to the end of the text. The marks may be in the block's first and
// last line.
bool TakeFences(Lines* lines) {
  const auto is_fence = [](std::string_view line) {
    const std::string_view text = Trimmed(line);
    return text.starts_with("```") || text.starts_with("~~~");
  };
  if (std::ranges::none_of(*lines, is_fence)) return false;
  std::vector<std::string_view> inside;
  bool is_inside = false;
  for (const std::string_view line : *lines) {
    const bool opens = is_fence(line);
    if (opens) is_inside = !is_inside;
    if (!is_inside) continue;
    // One word behind the mark is the language.
    const std::string_view text = opens ? Trimmed(Trimmed(line).substr(3)) : line;
    if (opens && text.find(' ') == std::string_view::npos) continue;
    const bool closes = Trimmed(text).ends_with("```");
    inside.push_back(closes ? text.substr(0, text.rfind("```")) : text);
    if (closes) is_inside = false;
  }
  // A single fence at the end closes a block whose beginning was not copied.
  if (CountFilled(inside) == 0) {
    inside.clear();
    std::ranges::copy_if(*lines, std::back_inserter(inside),
                         [&](std::string_view line) { return !is_fence(line); });
  }
  *lines = std::move(inside);
  return true;
}

bool TakeQuotes(Lines* lines) {
  size_t quoted = 0;
  for (const std::string_view line : *lines) quoted += Trimmed(line).starts_with('>') ? 1U : 0U;
  if (quoted == 0 || quoted * 10 < CountFilled(*lines) * 8) return false;
  for (std::string_view& line : *lines) {
    const size_t mark = line.find_first_not_of(kBlank);
    if (mark == std::string_view::npos || line[mark] != '>') continue;
    line.remove_prefix(mark + 1);
    if (line.starts_with(' ')) line.remove_prefix(1);
  }
  return true;
}

bool TakeIndentation(Lines* lines) {
  size_t least = std::string_view::npos;
  std::string_view indent;
  for (const std::string_view line : *lines) {
    if (Trimmed(line).empty()) continue;
    const size_t blanks = line.find_first_not_of(kBlank);
    if (blanks < least) indent = line.substr(0, blanks);
    least = std::min(least, blanks);
    if (least == 0) return false;
  }
  if (least == std::string_view::npos) return false;
  for (std::string_view& line : *lines)
    line.remove_prefix(std::min(least, std::min(line.find_first_not_of(kBlank), line.size())));
  return true;
}

bool TakePlus(Lines* lines) {
  size_t added = 0;
  for (const std::string_view line : *lines) added += line.starts_with('+') ? 1U : 0U;
  if (added < 3 || added * 10 < CountFilled(*lines) * 9) return false;
  std::erase_if(*lines, [](std::string_view line) {
    return line.starts_with("+++ ") || line.starts_with("@@ ");
  });
  for (std::string_view& line : *lines)
    if (line.starts_with('+')) line.remove_prefix(1);
  return true;
}

bool TakeLineNumbers(Lines* lines) {
  // A bar belongs to the numbers if it is behind all of them.
  const auto has_bar_behind = [](std::string_view line) {
    Scanner scan(line);
    scan.Blanks();
    scan.Digits();
    scan.Blanks();
    return Trimmed(line).empty() || scan.text().starts_with('|');
  };
  const bool have_bars = std::ranges::all_of(*lines, has_bar_behind);
  std::vector<std::string_view> rest;
  uint64_t last = 0;
  size_t numbered = 0;
  for (const std::string_view line : *lines) {
    Scanner scan(line);
    scan.Blanks();
    uint64_t number = 0;
    const std::string_view digits = scan.text();
    std::from_chars(digits.data(), digits.data() + std::min<size_t>(digits.size(), 9), number);
    scan.Digits();
    if (number == 0 || (last != 0 && number != last + 1)) {
      if (Trimmed(line).empty()) continue;
      return false;
    }
    last = number;
    ++numbered;
    const size_t blanks = scan.Blanks();
    const bool has_bar =
        (have_bars && scan.Take('|')) || (blanks == 0 && (scan.Take(':') || scan.Take('.')));
    if (!has_bar && blanks == 0 && !scan.text().empty()) return false;
    // The remaining blanks are the line's own indentation.
    std::string_view text = scan.text();
    if (!has_bar && blanks > 2) text = digits.substr(digits.size() - text.size() - (blanks - 2));
    if (has_bar && text.starts_with(' ')) text.remove_prefix(1);
    rest.push_back(text);
  }
  if (numbered < 5) return false;
  *lines = std::move(rest);
  return true;
}

bool TakeMargin(Lines* lines) {
  size_t margins = 0;
  for (const std::string_view line : *lines) {
    const std::string_view text = Trimmed(line);
    margins += text.starts_with('|') ? 1U : 0U;
  }
  if (margins < 3 || margins * 10 < CountFilled(*lines) * 8) return false;
  for (std::string_view& line : *lines) {
    const std::string_view text = Trimmed(line);
    if (text.starts_with('|')) line = line.substr(line.find('|') + 1);
  }
  return true;
}

std::optional<std::string> WithoutConcatenation(std::string_view text) {
  size_t filled = 0;
  size_t strings = 0;
  std::string out;
  ForEachLine(text, [&](std::string_view raw) {
    std::string_view line = Trimmed(raw);
    if (line.empty()) return;
    ++filled;
    const size_t begin = line.find('"');
    const size_t end = line.rfind('"');
    if (begin == std::string_view::npos || end == begin) return;
    const std::string_view before = Trimmed(line.substr(0, begin));
    const std::string_view after = Trimmed(line.substr(end + 1));
    const bool is_joined = before == "+" || after == "+" || before.ends_with('=');
    if (!is_joined || !line.substr(begin + 1, end - begin - 1).ends_with("\\n")) return;
    ++strings;
    out.append(line.substr(begin + 1, end - begin - 1));
  });
  if (strings < 3 || strings * 10 < filled * 8) return std::nullopt;
  return out;
}

}  // namespace stillframe::input
