// SPDX-License-Identifier: Apache-2.0
// One pass over the text; nothing nests, so nothing recurses.
#include "src/config/flat_json.h"

#include <algorithm>

namespace stillframe::config {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsOfWord(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.' ||
         c == 'E';
}

void AppendUtf8(unsigned code, std::string* text) {
  if (code < 0x80) {
    *text += static_cast<char>(code);
  } else if (code < 0x800) {
    *text += static_cast<char>(0xC0U | code >> 6);
    *text += static_cast<char>(0x80U | (code & 0x3FU));
  } else {
    *text += static_cast<char>(0xE0U | code >> 12);
    *text += static_cast<char>(0x80U | (code >> 6 & 0x3FU));
    *text += static_cast<char>(0x80U | (code & 0x3FU));
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  // What was expected where the text says something else; null when all is well.
  const char* Read(std::vector<model::NamedText>* items) {
    if (!Take('{')) return "{";
    if (!Take('}')) {
      do {
        model::NamedText item;
        if (!ReadString(&item.name)) return "a name in quotes";
        if (!Take(':')) return ":";
        if (!ReadValue(&item.value)) return "a string, a number, true or false";
        items->push_back(std::move(item));
      } while (Take(','));
      if (!Take('}')) return ", or }";
    }
    SkipSpace();
    return at_ == text_.size() ? nullptr : "nothing after }";
  }

  size_t line() const {
    const auto begin = text_.begin();
    return 1 + static_cast<size_t>(std::count(begin, begin + static_cast<ptrdiff_t>(at_), '\n'));
  }

 private:
  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }

  bool Take(char wanted) {
    SkipSpace();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  bool ReadValue(std::string* value) {
    SkipSpace();
    if (at_ < text_.size() && text_[at_] == '"') return ReadString(value);
    while (at_ < text_.size() && IsOfWord(text_[at_])) *value += text_[at_++];
    if (*value == "true" || *value == "false") {
      *value = *value == "true" ? "1" : "0";
      return true;
    }
    // What kind of number it must be is for the table of settings to say.
    return !value->empty() &&
           (value->front() == '-' || (value->front() >= '0' && value->front() <= '9'));
  }

  bool ReadString(std::string* string) {
    if (!Take('"')) return false;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < ' ') return false;
      if (c != '\\')
        *string += c;
      else if (!ReadEscape(string))
        return false;
    }
    return false;
  }

  bool ReadEscape(std::string* string) {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    if (at_ == text_.size()) return false;
    const char c = text_[at_++];
    if (c == 'u') return ReadCodeUnit(string);
    const size_t place = kNames.find(c);
    if (place == std::string_view::npos) return false;
    *string += kMeant[place];
    return true;
  }

  // Half of a surrogate pair has no character of its own, and 0 would end a path.
  bool ReadCodeUnit(std::string* string) {
    unsigned code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      if (at_ == text_.size()) return false;
      const char c = text_[at_];
      const char lower = static_cast<char>(c | 0x20);
      if (c >= '0' && c <= '9')
        code = code * 16 + static_cast<unsigned>(c - '0');
      else if (lower >= 'a' && lower <= 'f')
        code = code * 16 + static_cast<unsigned>(lower - 'a' + 10);
      else
        return false;
    }
    if (code == 0 || (code >= 0xD800 && code < 0xE000)) return false;
    AppendUtf8(code, string);
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::vector<model::NamedText> ReadFlatJson(std::string_view text, std::string* why) {
  std::vector<model::NamedText> items;
  why->clear();
  Parser parser(text);
  const char* expected = text.size() > kMaxJsonBytes ? "at most 64 KiB" : parser.Read(&items);
  if (expected == nullptr) return items;
  *why = "line " + std::to_string(parser.line()) + ": expected " + expected;
  return {};
}

}  // namespace stillframe::config
