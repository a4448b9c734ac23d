// SPDX-License-Identifier: Apache-2.0
// What the values of an enumeration are called: one table beside each, which the reader of dumps
// and all outputs take.
// Context: any thread
#pragma once

#include <cstddef>
#include <string_view>

namespace stillframe {

struct EnumWords {
  std::string_view name;    // in JSON and exports
  const char* text = "";    // for a person, where there are such words
  const char* colour = "";  // a variable of tools/page/style.css, where it has one
};

// Whether an enumerator has this value. Both compilers print one by its name, another value as a
// cast: "(Enum)7".
template <auto kValue>
consteval bool IsEnumerator() {
  const std::string_view text = __PRETTY_FUNCTION__;
  return text.substr(text.rfind("kValue = ") + 9, 1) != "(";
}

// By value, without a gap; `unknown` is what a later version's value is read as.
template <typename Enum, size_t kCount>
struct EnumTable {
  Enum unknown;
  EnumWords words[kCount];

  constexpr bool Has(size_t value) const {
    static_assert(!IsEnumerator<static_cast<Enum>(kCount)>(), "an enumerator has no row");
    return value < kCount;
  }
  constexpr const EnumWords& Of(Enum value) const {
    const auto index = static_cast<size_t>(value);
    return words[Has(index) ? index : static_cast<size_t>(unknown)];
  }
};

// EnumTable of an enumeration.
template <typename Enum>
inline constexpr int kTableOf = 0;

}  // namespace stillframe
