// SPDX-License-Identifier: Apache-2.0
// Sentences with names in braces, and what fills them.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace stillframe::words {

constexpr size_t kLongestHeadline = 80;

std::string Capital(std::string text);

// "Decimal.multiply" of "fixture.Decimal.multiply"; the same for each of "a.B.c|d|e.F.g".
std::string WithoutPackage(std::string_view method);

using Args = std::map<std::string_view, std::string>;

enum class NameKind : uint8_t { kMethod, kThread };

// Replaces the names in braces. In a headline, the name is shortened to the space that is left: a
// method's loses its package.
std::string Filled(std::string_view form, const std::string& name, bool is_headline,
                   const Args& args, NameKind kind = NameKind::kMethod);

// The words of a kind, or of one of its forms. ArgsOf supplies the names in braces.
struct Form {
  std::string headline;
  std::string sentence;
  std::string step;
  std::string name = {};  // of the headline; shortened if too long
  NameKind name_kind = NameKind::kMethod;
};

}  // namespace stillframe::words
