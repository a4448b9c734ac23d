// SPDX-License-Identifier: Apache-2.0
#include "src/settings/document.h"

#include <stdlib.h>

#include <algorithm>
#include <utility>

#include "src/model/utf8.h"
#include "src/settings/cohort.h"
#include "src/settings/config.h"

namespace stillframe::settings {
namespace {

constexpr int kMaxDepth = 8;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr const char* kPlainWanted = "a string, a number, true or false";
constexpr const char* kFewer = "at most 1000 values";

// Reads the members of a cohort. Returns "", or what is wrong.
std::string ReadCohort(const std::vector<Member>& members, std::string* salt, uint32_t* places) {
  *places = UINT32_MAX;
  for (const Member& member : members) {
    if (member.is_plain && member.name == "salt") {
      *salt = member.value;
    } else if (member.is_plain && !member.is_truth && member.name == "percent") {
      char* end = nullptr;
      const double percent = strtod(member.value.c_str(), &end);
      const bool is_number = !member.value.empty() && *end == '\0' &&
                             member.value.find_first_of("xX") == std::string::npos;
      if (is_number) *places = PlacesOf(percent);
    } else if (member.name != "salt" && member.name != "percent") {
      return "it has percent and salt, not " + Shown(member.name);
    }
  }
  if (*places > kPlaces) return "percent must be a number from 0 to 100";
  // Dumps and records show the salt whole.
  return salt->empty() || Shown(*salt) != *salt ? "salt must be a text of 1 to 40 bytes" : "";
}

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
    if (const char* expected = ReadMembers(&document->settings, document)) return expected;
    SkipSpace();
    return at_ == text_.size() ? nullptr : "nothing after }";
  }

  size_t line() const { return line_; }

 private:
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

  // One object. `document`: receives the cohort; null inside the cohort.
  const char* ReadMembers(std::vector<Member>* members, Document* document) {
    if (!Take('{')) return "{";
    if (Take('}')) return nullptr;
    std::vector<std::string> names;
    do {
      if (++values_ > kMaxValues) return kFewer;
      if (const char* expected = ReadName(&names)) return expected;
      const bool is_cohort = document != nullptr && names.back() == "cohort";
      if (is_cohort) document->has_cohort = true;
      if (const char* expected =
              is_cohort && IsNext('{')
                  ? ReadMembers(&document->cohort, nullptr)
                  : ReadValue(names.back(), is_cohort ? &document->cohort : members))
        return expected;
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
  else if (!settings::IsSetting(setting.name))
    why = "unknown setting";
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

InForce SettingsFor(const Document& document, std::string_view install_id,
                    std::vector<std::string>* complaints) {
  InForce in_force;
  bool is_in = true;
  if (document.has_cohort) {
    std::string salt;
    uint32_t places = 0;
    const std::string wrong = ReadCohort(document.cohort, &salt, &places);
    if (!wrong.empty())
      complaints->push_back("the cohort is invalid, so it has no install: " + wrong);
    is_in = wrong.empty() && !install_id.empty() && PlaceOf(install_id, salt) < places;
    if (is_in) in_force.cohort = std::move(salt);
  }
  for (const Member& member : document.settings) {
    std::string complaint;
    std::optional<std::string> value = ValueOf(member, &complaint);
    bool is_on = true;
    const bool is_kill = member.name == "enabled" && value && ReadSwitch(*value, &is_on) && !is_on;
    if (!is_in && !is_kill) continue;
    if (value) in_force.settings.push_back({member.name, std::move(*value)});
    if (!complaint.empty()) complaints->push_back(std::move(complaint));
  }
  return in_force;
}

}  // namespace stillframe::settings
