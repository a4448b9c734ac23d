// SPDX-License-Identifier: Apache-2.0
// Reads a mapping file block by block and keeps only what concerns the given classes, so that
// memory follows the dump and not the mapping.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace stillframe::naming {

// What a ProGuard or R8 mapping file says about the classes of a dump. The format: doc/retrace.md
// of R8 and ProGuard's manual, "Retrace"; additional information up to version 2.2 of R8's mapping.
// Lines [from, to]; lines of files begin with 1.
struct LineRange {
  int32_t from = 0;
  int32_t to = 0;

  bool Contains(int32_t line) const { return line >= from && line <= to; }
  bool operator==(const LineRange&) const = default;
};

// One line of a class: "1:3:void com.foo.Bar.baz(int):10:12 -> a".
struct Member {
  bool has_minified = false;
  bool has_original = false;
  LineRange minified;
  LineRange original;
  std::string class_name;  // of an inlined method of another class; empty means the class's own
  std::string method_name;
  std::string signature;  // "(int,java.lang.String)void"
  std::string residual;   // the obfuscated descriptor, if the file says it
  bool is_synthesized = false;
  bool is_outline = false;
  std::map<int32_t, int32_t> outline_positions;  // line in the outline to line of this method

  // An inlined method and its callers follow one another with the same range, innermost first.
  bool Continues(const Member& before) const {
    return has_minified && before.has_minified && minified == before.minified;
  }
};

struct Class {
  std::string original_name;
  std::unordered_map<std::string, std::vector<Member>> members;  // by obfuscated name, as they come
};

struct Mapping {
  std::string path;
  std::string map_id;                              // "# pg_map_id: ...", empty if the file has none
  std::unordered_map<std::string, Class> classes;  // by obfuscated name
  // By original class name, of all classes, since an inlined method may be of any.
  std::unordered_map<std::string, std::string> source_files;
};

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

}  // namespace stillframe::naming
