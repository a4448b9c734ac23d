// SPDX-License-Identifier: Apache-2.0
#include "src/settings/document.h"

#include <algorithm>

#include "src/model/utf8.h"
#include "src/settings/config.h"

namespace stillframe::settings {
namespace {

constexpr int kMaxDepth = 8;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr const char* kPlainWanted = "a string, a number, true or false";
constexpr const char* kFewer = "at most 1000 values";

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsWordCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.' ||
         c == 'E';
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// RFC 8259, section 6.
bool IsNumber(std::string_view text) {
  size_t at = text.starts_with('-') ? 1 : 0;
  const auto is_next = [&](std::string_view any) {
    return at < text.size() && any.find(text[at]) != std::string_view::npos;
  };
  const auto skips_digits = [&] {
    const size_t begin = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    return at > begin;
  };
  if (is_next("0"))
    ++at;
  else if (!skips_digits())
    return false;
  if (is_next(".") && (++at, !skips_digits())) return false;
  if (is_next("eE")) {
    ++at;
    if (is_next("+-")) ++at;
    if (!skips_digits()) return false;
  }
  return at == text.size();
}

void AppendUtf8(unsigned code, std::string* text) {
  if (code < 0x80) {
    *text += static_cast<char>(code);
    return;
  }
  int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  *text += static_cast<char>((0xF0U << (3 - more) & 0xFFU) | code >> (6 * more));
  while (more-- > 0) *text += static_cast<char>(0x80U | (code >> (6 * more) & 0x3FU));
}

// Each reader returns what was expected at an error; null if all is well.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  }

  const char* Read(Document* document) {
    if (text_.size() > kMaxDocumentBytes) return "at most 64 KiB";
    if (const char* expected = CheckCharacters()) return expected;
    const char* expected = ReadMembers(Level::kDocument, &document->settings, document);
    if (expected != nullptr) return expected;
    SkipSpace();
    return at_ == text_.size() ? nullptr : "nothing after }";
  }

  size_t line() const { return line_; }

 private:
  enum class Level { kDocument, kRule, kConditions, kSettings };

  const char* CheckCharacters() {
    while (at_ < text_.size()) {
      uint32_t code = 0;
      const size_t bytes = model::DecodeUtf8(text_.substr(at_), &code);
      if (bytes == 0 || code == 0) return "UTF-8 without zero bytes";
      line_ += text_[at_] == '\n' ? 1U : 0U;
      at_ += bytes;
    }
    at_ = 0;
    line_ = 1;
    return nullptr;
  }

  void SkipSpace() {
    for (; at_ < text_.size() && IsSpace(text_[at_]); ++at_) line_ += text_[at_] == '\n' ? 1U : 0U;
  }

  bool IsNext(char wanted) {
    SkipSpace();
    return at_ < text_.size() && text_[at_] == wanted;
  }

  bool Take(char wanted) {
    if (!IsNext(wanted)) return false;
    ++at_;
    return true;
  }

  // One object. `whole`: the document, whose last rule receives the members of "if" and "set".
  const char* ReadMembers(Level level, std::vector<Member>* members, Document* whole) {
    if (!Take('{')) return "{";
    if (Take('}')) return nullptr;
    std::vector<std::string> names;
    do {
      if (++values_ > kMaxValues) return kFewer;
      if (const char* expected = ReadName(&names)) return expected;
      if (const char* expected = ReadMember(level, names.back(), members, whole)) return expected;
    } while (Take(','));
    return Take('}') ? nullptr : ", or }";
  }

  // With its colon. `names`: those of the same object so far.
  const char* ReadName(std::vector<std::string>* names) {
    std::string name;
    if (!ReadString(&name)) return "a name in quotes";
    if (std::find(names->begin(), names->end(), name) != names->end()) return "each name once";
    names->push_back(std::move(name));
    return Take(':') ? nullptr : ":";
  }

  const char* ReadMember(Level level, const std::string& name, std::vector<Member>* members,
                         Document* whole) {
    if (level == Level::kDocument && name == "rules")
      return IsNext('[') ? ReadRules(whole) : RejectMember(name, members);
    if (level == Level::kRule && (name == "if" || name == "set")) {
      const bool is_if = name == "if";
      std::vector<Member>* own =
          is_if ? &whole->rules.back().conditions : &whole->rules.back().settings;
      return IsNext('{') ? ReadMembers(is_if ? Level::kConditions : Level::kSettings, own, whole)
                         : RejectMember(name, own);
    }
    if (level == Level::kConditions && IsNext('[')) return ReadList(name, members);
    return ReadValue(name, members);
  }

  // Reads a value where a list or an object is needed.
  const char* RejectMember(const std::string& name, std::vector<Member>* members) {
    const char* expected = ReadValue(name, members);
    if (expected == nullptr) members->back().is_plain = false;
    return expected;
  }

  const char* ReadRules(Document* document) {
    Take('[');
    if (Take(']')) return nullptr;
    do {
      if (document->rules.size() == kMaxRules) return "at most 100 rules";
      SkipSpace();
      document->rules.emplace_back().line = line_;
      std::vector<Member> others;
      const char* expected =
          IsNext('{') ? ReadMembers(Level::kRule, &others, document) : RejectMember("", &others);
      if (expected != nullptr) return expected;
      document->rules.back().others = std::move(others);
    } while (Take(','));
    return Take(']') ? nullptr : ", or ]";
  }

  const char* ReadList(const std::string& name, std::vector<Member>* members) {
    Take('[');
    if (Take(']')) {
      members->push_back({name, "", false, false, line_});
      return nullptr;
    }
    do {
      if (++values_ > kMaxValues) return kFewer;
      if (const char* expected = ReadValue(name, members)) return expected;
    } while (Take(','));
    return Take(']') ? nullptr : ", or ]";
  }

  const char* ReadValue(const std::string& name, std::vector<Member>* members) {
    Member member{name, "", true, false, line_};
    if (IsNext('{') || IsNext('[')) {
      member.is_plain = false;
      if (const char* expected = Skip(0)) return expected;
    } else {
      member.is_truth = IsNext('t') || IsNext('f');
      if (!ReadPlain(&member.value, &member.is_plain)) return kPlainWanted;
    }
    members->push_back(std::move(member));
    return nullptr;
  }

  // Skips a list or an object where a plain value is needed.
  const char* Skip(int depth) {
    if (depth == kMaxDepth) return "less within each other";
    const char end = text_[at_++] == '[' ? ']' : '}';
    if (Take(end)) return nullptr;
    std::vector<std::string> names;
    do {
      std::string text;
      bool is_plain = false;
      if (++values_ > kMaxValues) return kFewer;
      if (end == '}') {
        if (const char* expected = ReadName(&names)) return expected;
      }
      if (IsNext('{') || IsNext('[')) {
        if (const char* expected = Skip(depth + 1)) return expected;
      } else if (text.clear(); !ReadPlain(&text, &is_plain)) {
        return kPlainWanted;
      }
    } while (Take(','));
    return Take(end) ? nullptr : end == '}' ? ", or }" : ", or ]";
  }

  bool ReadPlain(std::string* value, bool* is_plain) {
    *is_plain = true;
    if (IsNext('"')) return ReadString(value);
    while (at_ < text_.size() && IsWordCharacter(text_[at_])) *value += text_[at_++];
    if (*value == "true" || *value == "false") {
      *value = *value == "true" ? "1" : "0";
      return true;
    }
    *is_plain = *value != "null";
    // The table of settings checks the kind of number.
    return !*is_plain || IsNumber(*value);
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
    if (c == 'u') return ReadCharacter(string);
    const size_t place = kNames.find(c);
    if (place == std::string_view::npos) return false;
    *string += kMeant[place];
    return true;
  }

  // Rejects half of a surrogate pair, which is not a character, and 0, which would end a path.
  bool ReadCharacter(std::string* string) {
    unsigned code = 0;
    unsigned low = 0;
    if (!ReadCodeUnit(&code) || code == 0 || (code >= 0xDC00 && code < 0xE000)) return false;
    if (code >= 0xD800 && code < 0xDC00) {
      if (text_.substr(at_, 2) != "\\u") return false;
      at_ += 2;
      if (!ReadCodeUnit(&low) || low < 0xDC00 || low >= 0xE000) return false;
      code = 0x10000 + ((code - 0xD800) << 10 | (low - 0xDC00));
    }
    AppendUtf8(code, string);
    return true;
  }

  bool ReadCodeUnit(unsigned* unit) {
    for (int i = 0; i < 4; ++i, ++at_) {
      if (at_ == text_.size()) return false;
      const char c = text_[at_];
      const char lower = static_cast<char>(c | 0x20);
      if (c >= '0' && c <= '9')
        *unit = *unit * 16 + static_cast<unsigned>(c - '0');
      else if (lower >= 'a' && lower <= 'f')
        *unit = *unit * 16 + static_cast<unsigned>(lower - 'a' + 10);
      else
        return false;
    }
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t line_ = 1;
  size_t values_ = 0;
};

}  // namespace

std::optional<std::string> ValueOf(const Member& setting, std::string* complaint) {
  bool is_on = false;
  complaint->clear();
  if (setting.name == "enabled" &&
      !(setting.is_plain && settings::ReadSwitch(setting.value, &is_on))) {
    *complaint = "enabled=" + settings::Shown(setting.value) +
                 " is taken for false: it must be true or false";
    return "0";
  }
  std::string why;
  if (setting.is_plain)
    why = setting.is_truth && !settings::IsBoolean(setting.name) ? "it is not true or false" : "";
  else if (setting.name == "rules")
    why = "it must be a list of rules";
  else if (setting.name == "set")
    why = "it must be an object of settings";
  else
    why = std::string("it must be ") + kPlainWanted;
  if (why.empty()) return setting.value;
  *complaint = settings::Shown(setting.name) + " is ignored: " + why;
  return std::nullopt;
}

std::string ReadDocument(std::string_view text, Document* document) {
  *document = {};
  Parser parser(text);
  const char* expected = parser.Read(document);
  if (expected == nullptr) return "";
  *document = {};
  return "line " + std::to_string(parser.line()) + ": expected " + expected;
}

}  // namespace stillframe::settings
