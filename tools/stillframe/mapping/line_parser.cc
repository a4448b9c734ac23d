// SPDX-License-Identifier: Apache-2.0
// Classes, fields, methods with ranges of lines, and R8's comments.
#include "tools/stillframe/mapping/line_parser.h"

#include <charconv>

namespace stillframe::mapping {
namespace {

constexpr std::string_view kArrow = " -> ";

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Takes "12" and, if `separator` follows it, the separator. False leaves `*text` as it is.
bool TakeNumber(std::string_view* text, char separator, int32_t* number) {
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *number);
  const auto length = static_cast<size_t>(end - text->data());
  if (error != std::errc() || *number < 0 || length >= text->size() || (*text)[length] != separator)
    return false;
  text->remove_prefix(length + 1);
  return true;
}

// ":10:12" or ":10" behind a method's arguments.
bool ParseOriginalRange(std::string_view text, Member* member) {
  if (text.empty()) return true;
  if (text[0] != ':') return false;
  std::string number(text.substr(1));
  number += ':';  // so that the last number ends as the first does
  std::string_view rest = number;
  if (!TakeNumber(&rest, ':', &member->original.from)) return false;
  member->original.to = member->original.from;
  if (!rest.empty() && (!TakeNumber(&rest, ':', &member->original.to) || !rest.empty()))
    return false;
  member->has_original = true;
  return true;
}

}  // namespace

std::optional<ClassLine> ParseClassLine(std::string_view line) {
  line = Trim(line);
  const size_t arrow = line.find(kArrow);
  if (arrow == std::string_view::npos || arrow == 0 || line.back() != ':') return std::nullopt;
  const ClassLine result = {
      line.substr(0, arrow),
      Trim(line.substr(arrow + kArrow.size(), line.size() - arrow - kArrow.size() - 1))};
  return result.obfuscated.empty() ? std::nullopt : std::optional(result);
}

std::optional<MemberLine> ParseMemberLine(std::string_view line) {
  line = Trim(line);
  const size_t arrow = line.rfind(kArrow);
  if (arrow == std::string_view::npos) return std::nullopt;
  MemberLine result;
  result.obfuscated = Trim(line.substr(arrow + kArrow.size()));
  std::string_view left = Trim(line.substr(0, arrow));
  Member& member = result.member;
  if (TakeNumber(&left, ':', &member.minified.from)) {
    if (!TakeNumber(&left, ':', &member.minified.to)) return std::nullopt;
    member.has_minified = true;
  }
  const size_t space = left.find(' ');
  if (space == std::string_view::npos || result.obfuscated.empty()) return std::nullopt;
  const std::string_view type = left.substr(0, space);
  std::string_view name = Trim(left.substr(space + 1));
  const size_t open = name.find('(');
  if (open == std::string_view::npos) return result;
  const size_t close = name.find(')', open);
  if (close == std::string_view::npos || !ParseOriginalRange(name.substr(close + 1), &member))
    return std::nullopt;
  member.signature = std::string(name.substr(open, close - open + 1)).append(type);
  name = name.substr(0, open);
  const size_t dot = name.rfind('.');
  if (dot != std::string_view::npos) {
    member.class_name = name.substr(0, dot);
    name.remove_prefix(dot + 1);
  }
  if (name.empty()) return std::nullopt;
  member.method_name = name;
  result.is_method = true;
  return result;
}

std::string_view JsonText(std::string_view json, std::string_view key) {
  for (size_t at = json.find(key); at != std::string_view::npos; at = json.find(key, at + 1)) {
    const bool is_quoted = at > 0 && json[at - 1] == '"' && at + key.size() < json.size() &&
                           json[at + key.size()] == '"';
    if (!is_quoted) continue;
    std::string_view rest = Trim(json.substr(at + key.size() + 1));
    if (rest.empty() || rest[0] != ':') continue;
    rest = Trim(rest.substr(1));
    if (rest.empty() || rest[0] != '"') return {};
    const size_t end = rest.find('"', 1);
    return end == std::string_view::npos ? std::string_view() : rest.substr(1, end - 1);
  }
  return {};
}

}  // namespace stillframe::mapping
