// SPDX-License-Identifier: Apache-2.0
#include "src/jank/json_text.h"

#include <algorithm>

#include "src/trace/utf8.h"

namespace stillframe::jank {
namespace {

constexpr uint32_t kBad = UINT32_MAX;
constexpr size_t kMostEscaped = 12;  // of one character: two code units

// Takes the code unit or character at the front; kBad, and one byte, where there is none.
uint32_t TakeOne(std::string_view* text) {
  uint32_t code = kBad;
  const size_t bytes = trace::DecodeUtf8(*text, &code, true);
  text->remove_prefix(bytes == 0 ? 1 : bytes);
  return bytes == 0 ? kBad : code;
}

bool IsHigh(uint32_t code) { return code >= 0xD800 && code < 0xDC00; }
bool IsLow(uint32_t code) { return code >= 0xDC00 && code < 0xE000; }

size_t PutUnit(uint32_t unit, char* out) {
  constexpr char kDigits[] = "0123456789abcdef";
  out[0] = '\\';
  out[1] = 'u';
  for (int i = 0; i < 4; ++i) out[2 + i] = kDigits[unit >> (12 - 4 * i) & 15];
  return 6;
}

// One character as JSON has it between quotes.
size_t Escape(std::string_view* text, char* out) {
  uint32_t code = TakeOne(text);
  if (IsHigh(code)) {
    std::string_view rest = *text;
    const uint32_t low = rest.empty() ? kBad : TakeOne(&rest);
    if (IsLow(low)) {
      *text = rest;
      code = 0x10000 + ((code - 0xD800) << 10 | (low - 0xDC00));
    }
  }
  if (code == kBad || (code >= 0xD800 && code < 0xE000)) code = '?';
  if (code >= 0x10000) {
    const size_t high = PutUnit(0xD800 + ((code - 0x10000) >> 10), out);
    return high + PutUnit(0xDC00 + ((code - 0x10000) & 0x3FF), out + high);
  }
  if (code < ' ' || code > '~') return PutUnit(code, out);
  size_t length = 0;
  if (code == '"' || code == '\\') out[length++] = '\\';
  out[length++] = static_cast<char>(code);
  return length;
}

}  // namespace

void AppendQuoted(std::string_view text, size_t max_bytes, std::string* json) {
  *json += '"';
  for (size_t used = 0; !text.empty();) {
    char escaped[kMostEscaped];
    const size_t length = Escape(&text, escaped);
    used += length;
    if (used > max_bytes) break;
    json->append(escaped, length);
  }
  *json += '"';
}

void AppendNumber(uint64_t number, std::string* text) {
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  text->append(digits + first, sizeof digits - first);
}

void JsonText::Name(const char* name) { members_.append("\"").append(name).append("\":"); }

void JsonText::Number(const char* name, uint64_t value) {
  Name(name);
  AppendNumber(value, &members_);
  members_ += ',';
}

void JsonText::Text(const char* name, std::string_view value, size_t max_bytes) {
  Name(name);
  AppendQuoted(value, max_bytes, &members_);
  members_ += ',';
}

void JsonText::Raw(const char* name, std::string_view value) {
  Name(name);
  members_.append(value).append(",");
}

}  // namespace stillframe::jank
