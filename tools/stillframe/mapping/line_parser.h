// SPDX-License-Identifier: Apache-2.0
// One line of a mapping file.
#pragma once

#include <optional>
#include <string_view>

#include "tools/stillframe/mapping/mapping.h"

namespace stillframe::mapping {

struct ClassLine {
  std::string_view original;
  std::string_view obfuscated;
};

// "com.foo.Bar -> a.b:"; nothing if it is not of this form.
std::optional<ClassLine> ParseClassLine(std::string_view line);

struct MemberLine {
  Member member;
  std::string_view obfuscated;
  bool is_method = false;  // a field has no brackets
};

// "    1:3:void baz(int):10:12 -> a", or a field; nothing if it is of neither form.
std::optional<MemberLine> ParseMemberLine(std::string_view line);

// The value of a text in a flat JSON object: of "fileName" in
// {"id":"sourceFile","fileName":"A.kt"}. Knows no escapes, which no name of a file or class needs.
std::string_view JsonText(std::string_view json, std::string_view key);

}  // namespace stillframe::mapping
