// SPDX-License-Identifier: Apache-2.0
// Reads a mapping file block by block and keeps only the given classes, so that memory grows with
// the dump, not with the mapping.
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

// A ProGuard or R8 mapping file's entries for the classes of a dump. Format: doc/retrace.md of R8
// and ProGuard's manual, "Retrace"; additional information up to version 2.2 of R8's mapping.
// Lines [from, to]; file lines begin at 1.
struct LineRange {
  int32_t from = 0;
  int32_t to = 0;

  // Differs by one from the number of lines.
  int32_t length() const { return to - from; }
  bool Contains(int32_t line) const { return line >= from && line <= to; }
  bool operator==(const LineRange&) const = default;
};

// One line of a class: "1:3:void com.foo.Bar.baz(int):10:12 -> a".
struct Member {
  bool has_minified = false;
  bool has_original = false;
  LineRange minified;
  LineRange original;
  std::string class_name;  // of an inlined method's other class; empty: this class
  std::string method_name;
  std::string signature;  // "(int,java.lang.String)void"
  // These hold for the whole method. The last of an inlined method and its callers has them.
  std::string residual;  // the obfuscated descriptor, if given
  bool is_synthesized = false;
  bool is_outline = false;
  std::map<int32_t, int32_t> outline_positions;  // line in the outline to line in this method

  // An inlined method and its callers are consecutive with the same range, innermost first.
  bool Continues(const Member& before) const {
    return has_minified && before.has_minified && minified == before.minified;
  }
};

struct Class {
  std::string original_name;
  std::unordered_map<std::string, std::vector<Member>> members;  // by obfuscated name, in order
};

struct Mapping {
  std::string path;
  std::string map_id;                              // "# pg_map_id: ..."; empty: none
  std::unordered_map<std::string, Class> classes;  // by obfuscated name
  // From original to obfuscated names, of wanted classes that were renamed.
  std::unordered_map<std::string, std::string> obfuscated_names;
  // By original class name, for all classes, because an inlined method may come from any.
  std::unordered_map<std::string, std::string> source_files;
};

// Hashes and compares without allocating a string.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using TextSet = std::unordered_set<std::string, TextHash, std::equal_to<>>;

class MappingReader {
 public:
  // `wanted` holds class names, obfuscated or original, null is all; both must outlive the reader.
  MappingReader(const TextSet* wanted, Mapping* mapping) : wanted_(wanted), mapping_(mapping) {}

  // Takes the next bytes of the file, cut anywhere. False if a line has another form or exceeds a
  // mebibyte; see error().
  bool Feed(std::string_view bytes);
  // Call once after the last bytes. A file without classes is rejected.
  bool Finish();

  // "line 12, offset 345: what; what to do".
  const std::string& error() const { return error_; }

 private:
  bool ReadLine(std::string_view line);
  bool ReadComment(std::string_view line);
  bool ReadMember(std::string_view line);
  void ReadOutlinePositions(std::string json, Member* member);
  bool Fail(const char* what);

  const TextSet* wanted_;
  Mapping* mapping_;
  std::string partial_line_;
  std::string original_class_;              // of the current section
  Class* class_ = nullptr;                  // null while its class is not wanted
  std::vector<Member>* members_ = nullptr;  // list to which the previous line was added
  bool is_first_in_class_ = false;          // only comments since the class's line
  uint64_t line_number_ = 0;
  uint64_t line_offset_ = 0;
  uint64_t classes_seen_ = 0;
  std::string error_;
};

}  // namespace stillframe::naming
