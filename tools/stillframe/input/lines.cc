// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/lines.h"

namespace stillframe::input {

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

std::string_view After(std::string_view text, std::string_view label) {
  const size_t at = text.find(label);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + label.size());
}

std::optional<std::string_view> LineAfter(std::string_view text, std::string_view label) {
  for (size_t at = text.find(label); at != std::string_view::npos; at = text.find(label, at + 1)) {
    const size_t before = text.substr(0, at).find_last_not_of(" \t\r");
    if (before != std::string_view::npos && text[before] != '\n') continue;
    const std::string_view rest = text.substr(at + label.size());
    return Trimmed(rest.substr(0, rest.find('\n')));
  }
  return std::nullopt;
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  ForEachLine(text, [&](std::string_view line) { lines.push_back(line); });
  return lines;
}

std::string Joined(std::span<const std::string_view> lines) {
  std::string text;
  for (const std::string_view line : lines) text.append(line) += '\n';
  return text;
}

size_t CountFilled(std::span<const std::string_view> lines) {
  return static_cast<size_t>(std::ranges::count_if(
      lines, [](auto line) { return !Trimmed(line).empty(); }));
}

}  // namespace stillframe::input
