// SPDX-License-Identifier: Apache-2.0
// Undoes what mail, chat, terminals and editors do to text before somebody hands it over.
//
// The first step of every import and mapping. It knows no format: it only removes wrapping that no
// format has.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stillframe::input {

struct PastedText {
  std::string text;   // UTF-8 with LF line ends, without a byte order mark or NUL
  std::string notes;  // what was removed, "UTF-16; quotation marks '>'"; "": nothing
};

// Decodes UTF-16. Removes byte order marks, CR, NUL, Markdown fences, HTML, quotation marks, what
// all lines begin or end with, indentation of the whole text, and escapes of a string in source
// code. Repeats until nothing changes, since a quotation may hold a log. Takes O(size).
PastedText Unwrap(std::string bytes);

// A line of logcat in one of its forms, without the prefix.
struct LogLine {
  std::string_view tag;
  std::string_view message;
};
std::optional<LogLine> ParseLogLine(std::string_view line);

// Calls `use` with each line, without its line end.
template <typename Use>
void ForEachLine(std::string_view text, const Use& use) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    use(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

std::string_view Trimmed(std::string_view text);

// The text behind the first `label`; "" without one.
std::string_view After(std::string_view text, std::string_view label);

// The number behind the first `label`; 0: none.
template <typename Number = uint32_t>
Number NumberAfter(std::string_view text, std::string_view label, int base = 10) {
  const std::string_view digits = After(text, label);
  Number value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return value;
}

// The rest of the first line that begins with `label`, whatever its indentation; nothing without
// such a line.
std::optional<std::string_view> LineAfter(std::string_view text, std::string_view label);

}  // namespace stillframe::input
