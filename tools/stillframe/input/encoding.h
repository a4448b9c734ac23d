// SPDX-License-Identifier: Apache-2.0
// Characters of a text that came from elsewhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stillframe::input {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kZeroWidthSpace = "\xE2\x80\x8B";

// Whether the bytes are UTF-16, and its order: with a byte order mark, or text whose every second
// byte is NUL.
std::optional<bool> IsUtf16BigEndian(std::string_view bytes);
std::string FromUtf16(std::string_view bytes, bool is_big);

// Removes characters that are not text's: byte order marks, CR, NUL, no-break and zero-width
// spaces, split surrogates.
std::string CleanCharacters(std::string bytes);

// Both return nothing if the text has none: sequences of colours, "ESC [ 32 m"; typographic
// quotation marks and dashes, where the text has no plain marks around names.
std::optional<std::string> WithoutColours(std::string_view text);
std::optional<std::string> WithPlainMarks(std::string_view text);

}  // namespace stillframe::input
