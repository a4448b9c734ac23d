// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/index/clean_text.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

#include "src/model/utf8.h"

namespace stillframe::index {
namespace {

bool IsContinuation(char c) { return (static_cast<uint8_t>(c) & 0xC0U) == 0x80U; }

bool IsUnsafe(uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) ||  // control characters
         (c >= 0x200B && c <= 0x200F) ||         // zero width, direction marks
         (c >= 0x2028 && c <= 0x202E) ||         // line separators, direction overrides
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) ||
         (c & 0xFFFEU) == 0xFFFE;  // not characters
}

// The length of the start of `bytes` that is printable ASCII.
size_t PlainLength(std::string_view bytes) {
  size_t length = 0;
  while (length < bytes.size() && static_cast<uint8_t>(bytes[length] - 0x20) < 0x5F) ++length;
  return length;
}

size_t CharacterLength(char first) {
  const auto byte = static_cast<uint8_t>(first);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

}  // namespace

size_t CharacterCount(std::string_view text) {
  size_t count = 0;
  for (const char c : text) count += IsContinuation(c) ? 0U : 1U;
  return count;
}

std::string_view FirstCharacters(std::string_view text, size_t count) {
  size_t end = 0;
  for (; count > 0 && end < text.size(); --count) end += CharacterLength(text[end]);
  return text.substr(0, end);
}

std::string CleanText(std::string_view bytes, size_t max_characters) {
  std::string clean;
  clean.reserve(bytes.size());
  while (true) {
    const size_t plain = PlainLength(bytes);
    clean.append(bytes.substr(0, plain));
    bytes.remove_prefix(plain);
    if (bytes.empty()) break;
    uint32_t code_point = 0;
    const size_t length = model::DecodeUtf8(bytes, &code_point);
    if (length == 0)
      clean += fmt::format("\\x{:02X}", static_cast<uint8_t>(bytes[0]));
    else if (IsUnsafe(code_point) && code_point < 0x100)
      clean += fmt::format("\\x{:02X}", code_point);
    else if (IsUnsafe(code_point))
      clean += fmt::format("\\u{{{:04X}}}", code_point);
    else
      clean.append(bytes.substr(0, length));
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  return Truncated(clean, max_characters);
}

bool IsClean(std::string_view bytes) {
  while (true) {
    bytes.remove_prefix(PlainLength(bytes));
    if (bytes.empty()) return true;
    uint32_t code_point = 0;
    const size_t length = model::DecodeUtf8(bytes, &code_point);
    if (length == 0 || IsUnsafe(code_point)) return false;
    bytes.remove_prefix(length);
  }
}

std::string Truncated(std::string_view text, size_t max_characters) {
  const size_t characters = text.size() <= max_characters ? text.size() : CharacterCount(text);
  if (characters <= max_characters) return std::string(text);
  const size_t kept = max_characters - 1;
  const size_t front = kept / 2;
  std::string truncated(FirstCharacters(text, front));
  truncated += "…";
  truncated += text.substr(FirstCharacters(text, characters - (kept - front)).size());
  return truncated;
}

}  // namespace stillframe::index
