// SPDX-License-Identifier: Apache-2.0
// Blocks of text into lines, lines into the classes that are wanted.
#include "tools/stillframe/mapping/mapping_reader.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "tools/stillframe/mapping/line_parser.h"

namespace stillframe::mapping {
namespace {

constexpr size_t kLongestLine = 1U << 20;
constexpr std::string_view kMapId = "# pg_map_id:";

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
  return classes_seen_ > 0 || Fail("no class in the file; give the mapping.txt that R8 wrote");
}

bool MappingReader::ReadLine(std::string_view line) {
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
  if (wanted_->find(parsed->obfuscated) != wanted_->end()) {
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

// Information is about what the line above says; what is not known is a comment.
bool MappingReader::ReadComment(std::string_view line) {
  if (classes_seen_ == 0 && line.starts_with(kMapId)) {
    std::string_view id = line.substr(kMapId.size());
    id.remove_prefix(std::min(id.size(), id.find_first_not_of(' ')));
    mapping_->map_id = id;
    return true;
  }
  const bool is_of_class = is_first_in_class_;
  if (!is_of_class && members_ == nullptr) return true;
  const std::string_view id = JsonText(line, "id");
  if (is_of_class) {
    if (id == "sourceFile") mapping_->source_files[original_class_] = JsonText(line, "fileName");
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
    ReadOutlinePositions(line.substr(1), &member);
  return true;
}

void MappingReader::ReadOutlinePositions(std::string_view json, Member* member) {
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

}  // namespace stillframe::mapping
