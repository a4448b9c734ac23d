// SPDX-License-Identifier: Apache-2.0
// Reads a mapping file block by block and keeps only what concerns the given classes, so that
// memory follows the dump and not the mapping.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "tools/stillframe/mapping/mapping.h"

namespace stillframe::mapping {

// Hashes and compares without making a string.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using TextSet = std::unordered_set<std::string, TextHash, std::equal_to<>>;

class MappingReader {
 public:
  // `wanted` holds obfuscated class names; both must outlive the reader.
  MappingReader(const TextSet* wanted, Mapping* mapping) : wanted_(wanted), mapping_(mapping) {}

  // Takes the next bytes of the file, cut anywhere. False when a line is not of a mapping file's
  // form, or is longer than a mebibyte; see error().
  bool Feed(std::string_view bytes);
  // Call once after the last bytes. A file without any class is no mapping file.
  bool Finish();

  // "line 12, offset 345: what; what to do".
  const std::string& error() const { return error_; }

 private:
  bool ReadLine(std::string_view line);
  bool ReadComment(std::string_view line);
  bool ReadMember(std::string_view line);
  void ReadOutlinePositions(std::string_view json, Member* member);
  bool Fail(const char* what);

  const TextSet* wanted_;
  Mapping* mapping_;
  std::string partial_line_;
  std::string original_class_;              // of the section being read
  Class* class_ = nullptr;                  // null while its class is not wanted
  std::vector<Member>* members_ = nullptr;  // the list that the line before this one went to
  bool is_first_in_class_ = false;          // only comments came since the class's line
  uint64_t line_number_ = 0;
  uint64_t line_offset_ = 0;
  uint64_t classes_seen_ = 0;
  std::string error_;
};

}  // namespace stillframe::mapping
