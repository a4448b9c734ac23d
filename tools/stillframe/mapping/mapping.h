// SPDX-License-Identifier: Apache-2.0
// What a ProGuard or R8 mapping file says about the classes of a dump. The format: doc/retrace.md
// of R8 and ProGuard's manual, "Retrace"; additional information up to version 2.2 of R8's mapping.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stillframe::mapping {

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

}  // namespace stillframe::mapping
