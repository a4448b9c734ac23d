// SPDX-License-Identifier: Apache-2.0
#include "src/jank/json_text.h"

#include <stdio.h>

#include <algorithm>

#include "src/model/utf8.h"

namespace stillframe::jank {
namespace {

constexpr uint32_t kBad = UINT32_MAX;
constexpr size_t kMostEscaped = 12;  // bytes of one escaped character: two code units

// Takes a code unit or character from the front; kBad and one byte if there is none.
uint32_t TakeOne(std::string_view* text) {
  uint32_t code = kBad;
  const size_t bytes = model::DecodeUtf8(*text, &code, true);
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

// One character, escaped for a JSON string.
size_t Escape(std::string_view* text, bool is_lines, char* out) {
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
  const bool is_end = is_lines && code == '\n';
  if ((code < ' ' && !is_end) || code > '~') return PutUnit(code, out);
  size_t length = 0;
  if (code == '"' || code == '\\' || is_end) out[length++] = '\\';
  if (is_end) code = 'n';
  out[length++] = static_cast<char>(code);
  return length;
}

}  // namespace

void AppendQuoted(std::string_view text, size_t max_bytes, std::string* json) {
  *json += '"';
  for (size_t used = 0; !text.empty();) {
    char escaped[kMostEscaped];
    const size_t length = Escape(&text, max_bytes == kLines, escaped);
    used += length;
    if (used > max_bytes) break;
    json->append(escaped, length);
  }
  *json += '"';
}

void JsonText::Name(const char* name) { text_.append("\"").append(name).append("\":"); }

void JsonText::List(const char* name, const std::vector<uint64_t>& numbers) {
  Open(name, '[');
  for (const uint64_t number : numbers) AddNumber(static_cast<int64_t>(number));
  Close(']');
}

void JsonText::Open(const char* name, char bracket) {
  Name(name);
  text_ += bracket;
}

void JsonText::Close(char bracket) {
  text_.back() = bracket;
  text_ += ',';
}

void JsonText::AddNumber(int64_t value) {
  char number[24];
  snprintf(number, sizeof number, "%lld,", static_cast<long long>(value));
  text_ += number;
}

void JsonText::Number(const char* name, int64_t value) {
  if (value == dump::kNotThere) return;
  Name(name);
  AddNumber(value);
}

void JsonText::Flag(const char* name, bool value) {
  Name(name);
  text_.append(value ? "true," : "false,");
}

void JsonText::Text(const char* name, const char* value, size_t max_bytes) {
  if (value == nullptr) return;
  Name(name);
  AppendQuoted(value, max_bytes, &text_);
  text_ += ',';
}

}  // namespace stillframe::jank
