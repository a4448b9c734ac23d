// SPDX-License-Identifier: Apache-2.0
// Names of an enumeration's values: one table per enumeration, used by the reader of dumps and all
// outputs.
// Context: any thread
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

namespace stillframe {

struct EnumWords {
  std::string_view name;  // in JSON and exports
  const char* text = "";  // for people; "": none
};

// Whether an enumerator has this value. g++ and clang print an enumerator's name, but any other
// value as a cast: "(Enum)7".
template <auto kValue>
consteval bool IsEnumerator() {
  const std::string_view text = __PRETTY_FUNCTION__;
  return text.substr(text.rfind("kValue = ") + 9, 1) != "(";
}

template <typename Enum, size_t... kValues>
consteval size_t EnumeratorsAmong(std::index_sequence<kValues...>) {
  return (size_t{IsEnumerator<static_cast<Enum>(kValues)>()} + ... + 0);
}

// Whether each enumerator has exactly one row with a unique name. The name of value 0 may be empty.
template <typename Enum, typename Table>
consteval bool IsSound(const Table& table) {
  constexpr size_t kFurther = 16;  // detects gaps of up to 16 before the last enumerator
  constexpr size_t kRows = std::size(decltype(table.words){});
  if (EnumeratorsAmong<Enum>(std::make_index_sequence<kRows>()) != kRows) return false;
  if (EnumeratorsAmong<Enum>(std::make_index_sequence<kRows + kFurther>()) != kRows) return false;
  for (size_t i = 0; i < kRows; ++i) {
    if (table.words[i].name.empty() && i > 0) return false;
    for (size_t j = 0; j < i; ++j)
      if (table.words[i].name == table.words[j].name) return false;
  }
  return true;
}

// EnumTable of an enumeration.
template <typename Enum>
inline constexpr int kTableOf = 0;

// Rows in the order of the values, without gaps. `unknown`: the result for values of later
// versions.
template <typename Enum, size_t kCount>
struct EnumTable {
  Enum unknown;
  EnumWords words[kCount];

  constexpr bool Has(size_t value) const {
    static_assert(IsSound<Enum>(kTableOf<Enum>), "a row for each enumerator, each with its name");
    return value < kCount;
  }
  constexpr const EnumWords& Of(Enum value) const {
    const auto index = static_cast<size_t>(value);
    return words[Has(index) ? index : static_cast<size_t>(unknown)];
  }
};
}  // namespace stillframe
