// SPDX-License-Identifier: Apache-2.0
// Texts by enumerator, in tables that cannot lack a row.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <stillframe/enum_table.h>

namespace stillframe::words {

// Whether the rows are those of all enumerators but the first, in their order. The first is
// "unknown" and has no text.
template <typename Row, size_t kRows>
consteval bool HasAllRows(const std::array<Row, kRows>& table) {
  using Enum = decltype(Row::value);
  constexpr size_t kFurther = 16;
  if (EnumeratorsAmong<Enum>(std::make_index_sequence<kRows + kFurther>()) != kRows + 1)
    return false;
  for (size_t i = 0; i < kRows; ++i)
    if (static_cast<size_t>(table[i].value) != i + 1) return false;
  return true;
}

// Null for the first enumerator.
template <typename Row, size_t kRows, typename Enum>
constexpr const Row* RowOf(const std::array<Row, kRows>& table, Enum value) {
  return value == Enum() ? nullptr : &table[static_cast<size_t>(value) - 1];
}

}  // namespace stillframe::words
