// SPDX-License-Identifier: Apache-2.0
// Lines of a text, and what is found in them.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stillframe::input {

constexpr std::string_view kBlank = " \t";

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }

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

std::vector<std::string_view> LinesOf(std::string_view text);

// With a line end behind each.
std::string Joined(std::span<const std::string_view> lines);

// The count of lines that are not blank.
size_t CountFilled(std::span<const std::string_view> lines);

// Reads a line from its beginning.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  size_t Blanks() {
    return While([](char c) { return c == ' ' || c == '\t'; });
  }
  size_t Digits() { return While(IsDigit); }
  bool Take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Takes text of this form, in which 0 is any digit.
  bool Has(std::string_view pattern) {
    if (text_.size() < pattern.size()) return false;
    for (size_t i = 0; i < pattern.size(); ++i)
      if (pattern[i] == '0' ? !IsDigit(text_[i]) : text_[i] != pattern[i]) return false;
    text_.remove_prefix(pattern.size());
    return true;
  }
  bool Level() {
    if (text_.empty() || std::string_view("VDIWEFAS").find(text_[0]) == std::string_view::npos)
      return false;
    text_.remove_prefix(1);
    return true;
  }
  template <typename Is>
  size_t While(const Is& is) {
    const auto end = std::ranges::find_if_not(text_, is);
    const auto length = static_cast<size_t>(end - text_.begin());
    text_.remove_prefix(length);
    return length;
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

}  // namespace stillframe::input
