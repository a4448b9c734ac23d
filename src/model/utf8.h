// SPDX-License-Identifier: Apache-2.0
// Decodes one character of UTF-8. Context: any thread; allocates nothing
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stillframe::model {

// Bytes of the character at the front of `text`; 0: invalid (RFC 3629, section 4). `is_java`:
// accepts Java's modified UTF-8 too, i.e. zero in two bytes, and halves of surrogate pairs.
inline size_t DecodeUtf8(std::string_view text, uint32_t* code, bool is_java = false) {
  if (text.empty()) return 0;
  const auto first = static_cast<uint8_t>(text[0]);
  *code = first;
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC0 || first > 0xF4 || text.size() < length) return 0;
  *code = first & (0x7FU >> length);
  for (size_t i = 1; i < length; ++i) {
    const auto next = static_cast<uint8_t>(text[i]);
    if ((next & 0xC0U) != 0x80U) return 0;
    *code = *code << 6U | (next & 0x3FU);
  }
  const uint32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  const bool is_strict = *code >= least && (*code < 0xD800 || *code > 0xDFFF);
  return *code <= 0x10FFFF && (is_strict || is_java) ? length : 0;
}

}  // namespace stillframe::model
