// SPDX-License-Identifier: Apache-2.0
// Characters beyond ASCII become escapes of their UTF-16 code units, so nothing that was cut or
// damaged makes the whole unreadable.
#include "src/jank/json_text.h"

#include <algorithm>

namespace stillframe::jank {
namespace {

constexpr uint32_t kBad = UINT32_MAX;
constexpr size_t kMostEscaped = 12;  // of one character: two code units

uint32_t ByteAt(std::string_view text, size_t i) {
  return i < text.size() ? static_cast<uint8_t>(text[i]) : 0;
}

// Takes the code unit or character at the front; kBad, and one byte, where there is none.
uint32_t TakeOne(std::string_view* text) {
  const uint32_t first = ByteAt(*text, 0);
  size_t more = 0;
  uint32_t code = first;
  if (first >= 0xF0 && first < 0xF8) {
    more = 3;
    code = first & 7;
  } else if (first >= 0xE0 && first < 0xF0) {
    more = 2;
    code = first & 15;
  } else if (first >= 0xC0 && first < 0xE0) {
    more = 1;
    code = first & 31;
  } else if (first >= 0x80) {
    code = kBad;
  }
  for (size_t i = 1; i <= more; ++i) {
    const uint32_t next = ByteAt(*text, i);
    if ((next & 0xC0) != 0x80) {
      code = kBad;
      more = 0;
    } else {
      code = code << 6 | (next & 63);
    }
  }
  text->remove_prefix(1 + more);
  return code > 0x10FFFF ? kBad : code;
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
