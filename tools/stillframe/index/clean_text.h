// SPDX-License-Identifier: Apache-2.0
// Makes text from untrusted bytes where they enter. Outputs only shorten it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stillframe::index {

constexpr size_t kNoLimit = static_cast<size_t>(-1);

// Returns valid UTF-8 without control characters. Control characters (C0, DEL, C1, line
// separators), characters that change the text direction, and bytes that are not UTF-8 become
// "\xNN" or "\u{NNNN}". Truncated to `max_characters`, as below.
std::string CleanText(std::string_view bytes, size_t max_characters = kNoLimit);

bool IsClean(std::string_view bytes);

// Replaces the middle by "…" if the clean text exceeds `max_characters`.
std::string Truncated(std::string_view text, size_t max_characters);

// The number of characters (code points) of valid UTF-8.
size_t CharacterCount(std::string_view text);

// The first `count` characters of valid UTF-8.
std::string_view FirstCharacters(std::string_view text, size_t count);

}  // namespace stillframe::index
