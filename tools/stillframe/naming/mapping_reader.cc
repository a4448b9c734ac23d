// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/naming/mapping_reader.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace stillframe::naming {
namespace {

// One line of a mapping file.

struct ClassLine {
  std::string_view original;
  std::string_view obfuscated;
};

struct MemberLine {
  Member member;
  std::string_view obfuscated;
  bool is_method = false;  // a field has no parentheses
};

constexpr std::string_view kArrow = " -> ";

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Takes "12" and the `separator` after it, if any. On failure returns false and leaves `*text`
// unchanged.
bool TakeNumber(std::string_view* text, char separator, int32_t* number) {
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *number);
  const auto length = static_cast<size_t>(end - text->data());
  if (error != std::errc() || *number < 0 || length >= text->size() || (*text)[length] != separator)
    return false;
  text->remove_prefix(length + 1);
  return true;
}

// R8 takes a range that runs backwards as the same lines.
void PutInOrder(LineRange* range) {
  if (range->to < range->from) std::swap(range->from, range->to);
}

// ":10:12" or ":10" after a method's arguments.
bool ParseOriginalRange(std::string_view text, Member* member) {
  if (text.empty()) return true;
  if (text[0] != ':') return false;
  std::string number(text.substr(1));
  number += ':';  // the last number then ends as the first does
  std::string_view rest = number;
  if (!TakeNumber(&rest, ':', &member->original.from)) return false;
  member->original.to = member->original.from;
  if (!rest.empty() && (!TakeNumber(&rest, ':', &member->original.to) || !rest.empty()))
    return false;
  PutInOrder(&member->original);
  member->has_original = true;
  return true;
}

// "com.foo.Bar -> a.b:"; nothing if the line has another form.
std::optional<ClassLine> ParseClassLine(std::string_view line) {
  line = Trim(line);
  const size_t arrow = line.find(kArrow);
  if (arrow == std::string_view::npos || arrow == 0 || line.back() != ':') return std::nullopt;
  const ClassLine result = {
      line.substr(0, arrow),
      Trim(line.substr(arrow + kArrow.size(), line.size() - arrow - kArrow.size() - 1))};
  return result.obfuscated.empty() ? std::nullopt : std::optional(result);
}

// "    1:3:void baz(int):10:12 -> a", or a field; nothing if the line has another form.
std::optional<MemberLine> ParseMemberLine(std::string_view line) {
  line = Trim(line);
  const size_t arrow = line.rfind(kArrow);
  if (arrow == std::string_view::npos) return std::nullopt;
  MemberLine result;
  result.obfuscated = Trim(line.substr(arrow + kArrow.size()));
  std::string_view left = Trim(line.substr(0, arrow));
  Member& member = result.member;
  if (TakeNumber(&left, ':', &member.minified.from)) {
    if (!TakeNumber(&left, ':', &member.minified.to)) return std::nullopt;
    PutInOrder(&member.minified);
    member.has_minified = true;
  }
  const size_t space = left.find(' ');
  if (space == std::string_view::npos || result.obfuscated.empty()) return std::nullopt;
  const std::string_view type = left.substr(0, space);
  std::string_view name = Trim(left.substr(space + 1));
  const size_t open = name.find('(');
  if (open == std::string_view::npos) return result;
  const size_t close = name.find(')', open);
  if (close == std::string_view::npos || !ParseOriginalRange(name.substr(close + 1), &member))
    return std::nullopt;
  member.signature = std::string(name.substr(open, close - open + 1)).append(type);
  std::erase(member.signature, ' ');
  name = name.substr(0, open);
  const size_t dot = name.rfind('.');
  if (dot != std::string_view::npos) {
    member.class_name = name.substr(0, dot);
    name.remove_prefix(dot + 1);
  }
  if (name.empty()) return std::nullopt;
  member.method_name = name;
  result.is_method = true;
  return result;
}

bool IsQuote(char c) { return c == '"' || c == '\''; }

// A text value in a flat JSON object: `fileName` of {"id":"sourceFile","fileName":"A.kt"}. Quotes
// may be single, as in R8's manual. Supports no escapes; names of files and classes need none.
std::string_view JsonText(std::string_view json, std::string_view key) {
  for (size_t at = json.find(key); at != std::string_view::npos; at = json.find(key, at + 1)) {
    const bool is_quoted = at > 0 && IsQuote(json[at - 1]) && at + key.size() < json.size() &&
                           json[at + key.size()] == json[at - 1];
    if (!is_quoted) continue;
    std::string_view rest = Trim(json.substr(at + key.size() + 1));
    if (rest.empty() || rest[0] != ':') continue;
    rest = Trim(rest.substr(1));
    if (rest.empty() || !IsQuote(rest[0])) return {};
    const size_t end = rest.find(rest[0], 1);
    return end == std::string_view::npos ? std::string_view() : rest.substr(1, end - 1);
  }
  return {};
}

// A method's additional information, which R8 writes at one of its ranges.
struct MethodFacts {
  bool is_synthesized = false;
  bool is_outline = false;
  std::string residual;  // of the last range before
  bool has_several_residuals = false;
};

// Gives each range of a method what the file says about the method. Methods with equal original
// signatures may have different residual ones: then a range takes the one before it.
void SpreadFacts(std::vector<Member>* members) {
  std::unordered_map<std::string, MethodFacts> methods;
  const auto facts_of = [&methods](const Member& member) -> MethodFacts& {
    return methods[member.class_name + "." + member.method_name + member.signature];
  };
  for (size_t i = 0; i < members->size(); ++i) {
    const Member& member = (*members)[i];
    if (i + 1 < members->size() && (*members)[i + 1].Continues(member)) continue;
    MethodFacts& facts = facts_of(member);
    facts.is_synthesized |= member.is_synthesized;
    facts.is_outline |= member.is_outline;
    if (member.residual.empty()) continue;
    facts.has_several_residuals |= !facts.residual.empty() && facts.residual != member.residual;
    facts.residual = member.residual;
  }
  for (auto& [name, facts] : methods)
    if (facts.has_several_residuals) facts.residual.clear();
  for (size_t i = 0; i < members->size(); ++i) {
    Member& member = (*members)[i];
    if (i + 1 < members->size() && (*members)[i + 1].Continues(member)) continue;
    MethodFacts& facts = facts_of(member);
    member.is_synthesized = facts.is_synthesized;
    member.is_outline = facts.is_outline;
    if (member.residual.empty()) member.residual = facts.residual;
    facts.residual = member.residual;
  }
}

constexpr size_t kLongestLine = 1U << 20;
constexpr std::string_view kMapId = "# pg_map_id:";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// A file of UTF-16 has a byte order mark or, in its first name, zero bytes.
bool IsUtf16(std::string_view start) {
  return start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF") ||
         start.substr(0, 4).find('\0') != std::string_view::npos;
}

}  // namespace

bool MappingReader::Fail(const char* what) {
  error_ = "line " + std::to_string(line_number_) + ", offset " + std::to_string(line_offset_) +
           ": " + what;
  return false;
}

bool MappingReader::Feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    if (partial_line_.size() + part.size() > kLongestLine) {
      ++line_number_;
      return Fail("a line of more than a mebibyte; give the mapping.txt that R8 wrote");
    }
    if (end == std::string_view::npos) {
      partial_line_ += part;
      return true;
    }
    bool is_read = false;
    uint64_t length = part.size();
    ++line_number_;
    if (partial_line_.empty()) {
      is_read = ReadLine(part);
    } else {
      partial_line_ += part;
      length = partial_line_.size();
      is_read = ReadLine(partial_line_);
      partial_line_.clear();
    }
    if (!is_read) return false;
    line_offset_ += length + 1;
    bytes.remove_prefix(end + 1);
  }
  return true;
}

bool MappingReader::Finish() {
  ++line_number_;
  if (!partial_line_.empty() && !ReadLine(partial_line_)) return false;
  for (auto& [name, its_class] : mapping_->classes)
    for (auto& [method, members] : its_class.members) SpreadFacts(&members);
  return classes_seen_ > 0 || Fail("no class in the file; give the mapping.txt that R8 wrote");
}

bool MappingReader::ReadLine(std::string_view line) {
  if (line_number_ == 1) {
    if (IsUtf16(line)) return Fail("text in UTF-16; save the file as UTF-8");
    if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  }
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line.empty()) return true;
  const bool is_indented = line[0] == ' ' || line[0] == '\t';
  const size_t first = is_indented ? line.find_first_not_of(" \t") : 0;
  if (first == std::string_view::npos) return true;
  if (line[first] == '#') return ReadComment(line.substr(first));
  if (is_indented) return ReadMember(line);
  const std::optional<ClassLine> parsed = ParseClassLine(line);
  if (!parsed)
    return Fail("neither a class nor a member of one; give the mapping.txt that R8 wrote");
  ++classes_seen_;
  original_class_ = parsed->original;
  is_first_in_class_ = true;
  members_ = nullptr;
  class_ = nullptr;
  const bool is_of_restored = wanted_ != nullptr && parsed->original != parsed->obfuscated &&
                              wanted_->find(parsed->original) != wanted_->end();
  if (is_of_restored) mapping_->obfuscated_names.emplace(parsed->original, parsed->obfuscated);
  if (wanted_ == nullptr || is_of_restored || wanted_->find(parsed->obfuscated) != wanted_->end()) {
    class_ = &mapping_->classes[std::string(parsed->obfuscated)];
    class_->original_name = parsed->original;
  }
  return true;
}

bool MappingReader::ReadMember(std::string_view line) {
  is_first_in_class_ = false;
  members_ = nullptr;
  if (class_ == nullptr) {
    return classes_seen_ > 0 ||
           Fail("a member before any class; give the mapping.txt that R8 wrote");
  }
  std::optional<MemberLine> parsed = ParseMemberLine(line);
  if (!parsed) return Fail("not a member of a class; give the mapping.txt that R8 wrote");
  if (parsed->is_method) {
    members_ = &class_->members[std::string(parsed->obfuscated)];
    members_->push_back(std::move(parsed->member));
  }
  return true;
}

// Additional information applies to the line above. Unknown information is a comment.
bool MappingReader::ReadComment(std::string_view line) {
  if (classes_seen_ == 0 && line.starts_with(kMapId)) {
    std::string_view id = line.substr(kMapId.size());
    id.remove_prefix(std::min(id.size(), id.find_first_not_of(' ')));
    mapping_->map_id = Trim(id);
    return true;
  }
  const bool is_of_class = is_first_in_class_;
  if (!is_of_class && members_ == nullptr) return true;
  const std::string_view id = JsonText(line, "id");
  if (is_of_class) {
    const std::string_view file =
        id == "sourceFile" ? JsonText(line, "fileName") : std::string_view();
    if (!file.empty()) mapping_->source_files[original_class_] = file;
    return true;
  }
  Member& member = members_->back();
  if (id == "com.android.tools.r8.synthesized")
    member.is_synthesized = true;
  else if (id == "com.android.tools.r8.residualsignature")
    member.residual = JsonText(line, "signature");
  else if (id == "com.android.tools.r8.outline")
    member.is_outline = true;
  else if (id == "com.android.tools.r8.outlineCallsite")
    ReadOutlinePositions(std::string(line.substr(1)), &member);
  return true;
}

void MappingReader::ReadOutlinePositions(std::string json, Member* member) {
  if (json.find('"') == std::string::npos) std::replace(json.begin(), json.end(), '\'', '"');
  const nlohmann::json parsed = nlohmann::json::parse(json, nullptr, false);
  if (!parsed.is_object() || !parsed.contains("positions") || !parsed["positions"].is_object())
    return;
  for (const auto& [outline, callsite] : parsed["positions"].items()) {
    int32_t line = 0;
    const auto [end, error] =
        std::from_chars(outline.data(), outline.data() + outline.size(), line);
    if (error == std::errc() && end == outline.data() + outline.size() &&
        callsite.is_number_integer())
      member->outline_positions[line] = callsite.get<int32_t>();
  }
}

}  // namespace stillframe::naming
