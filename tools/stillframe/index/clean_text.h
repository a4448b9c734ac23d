// SPDX-License-Identifier: Apache-2.0
// Makes text out of bytes that nobody vouches for, where they enter; outputs only shorten it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stillframe::index {

constexpr size_t kNoLimit = static_cast<size_t>(-1);

// Valid UTF-8 without control characters: control characters (C0, DEL, C1, line separators),
// characters that change the direction of text, and bytes that are not UTF-8 become "\xNN" or
// "\u{NNNN}". Truncated to `max_characters`, as below.
std::string CleanText(std::string_view bytes, size_t max_characters = kNoLimit);

bool IsClean(std::string_view bytes);

// Of clean text beyond `max_characters` the middle is left out, where "…" then stands.
std::string Truncated(std::string_view text, size_t max_characters);

// The number of characters (code points) of valid UTF-8.
size_t CharacterCount(std::string_view text);

// The first `count` characters of valid UTF-8.
std::string_view FirstCharacters(std::string_view text, size_t count);

}  // namespace stillframe::index
