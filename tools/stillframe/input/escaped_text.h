// SPDX-License-Identifier: Apache-2.0
// Texts within texts: what strings in source code and logs, mails, pages and tables do to
// characters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stillframe::input {

void AppendUtf8(uint32_t code, std::string* out);

inline bool IsHighSurrogate(uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
inline bool IsLowSurrogate(uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }
inline uint32_t JoinedSurrogates(uint32_t high, uint32_t low) {
  return 0x10000 + ((high - 0xD800) << 10U) + (low - 0xDC00);
}

// Each returns nothing if the text has another form.

// A text of few lines that spells its line ends: a string literal, or a log whose fields are such
// strings. A string begins and ends a line. Text like JSON has a reader of its own; `is_forced`
// takes it, too.
std::optional<std::string> WithoutEscapes(std::string_view text, bool is_forced = false);

std::optional<std::string> WithoutQuotedPrintable(std::string_view text);
std::optional<std::string> WithoutHtml(std::string_view text);
std::optional<std::string> WithoutCells(std::string_view text);

}  // namespace stillframe::input
