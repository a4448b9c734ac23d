// SPDX-License-Identifier: Apache-2.0
// Rows with named members in and out of an engine. A member is named beside its column or SQL, so
// that the two cannot be taken for others.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tools/stillframe/fleet/engine.h"
#include "tools/stillframe/fleet/tables.h"

namespace stillframe::fleet {

template <typename T>
std::string CellTextOf(const T& value) {
  if constexpr (std::is_same_v<T, std::string>)
    return value;
  else if constexpr (std::is_same_v<T, Bytes>)
    return value.bytes;
  else if constexpr (std::is_same_v<T, bool>)
    return value ? "1" : "0";
  else if constexpr (std::is_enum_v<T>)
    return std::to_string(static_cast<int64_t>(value));
  else
    return std::to_string(value);
}

template <typename T>
void ReadCell(const Cell& cell, T* value) {
  if constexpr (std::is_same_v<T, std::string>)
    *value = cell.text;
  else if constexpr (std::is_same_v<T, Bytes>)
    value->bytes = cell.text;
  else
    *value = static_cast<T>(cell.Integer());
}

// Adds rows to their table. False if the engine failed.
template <typename R>
bool InsertRows(Engine* engine, const std::vector<R>& rows) {
  std::vector<CellTexts> texts;
  texts.reserve(rows.size());
  for (const R& row : rows)
    texts.push_back(std::apply(
        [&row](const auto&... columns) { return CellTexts{CellTextOf(row.*(columns.member))...}; },
        kColumnsOf<R>));
  return engine->Insert(kTableFor<R>, texts);
}

// A value in a query's result and the member that takes it.
template <typename R, typename T>
struct Picked {
  T R::*member;
  std::string_view sql;       // a column, or an expression of columns
  std::string_view sum = {};  // in its place where the engine sums groups of all that have none
};

template <typename R, typename T>
Picked(T R::*, std::string_view) -> Picked<R, T>;
template <typename R, typename T>
Picked(T R::*, std::string_view, std::string_view) -> Picked<R, T>;

// A SELECT whose rows are structs.
template <typename R, typename... T>
class Selection {
 public:
  constexpr explicit Selection(Picked<R, T>... picked) : picked_(picked...) {}

  // Calls `take` with each row and the cells of `more` columns (", a, b"). `rest`: from FROM on.
  // When `take` returns false, it ends.
  template <typename Take>
  bool ForEach(Engine* engine, const std::string& more, const std::string& rest,
               const Take& take) const {
    std::string columns;
    std::string keys;
    const auto add = [&](const auto& picked) {
      const bool is_sum = engine->sums() && !picked.sum.empty();
      columns.append(", ").append(is_sum ? picked.sum : picked.sql);
      if (picked.sum.empty()) keys.append(", ").append(picked.sql);
    };
    std::apply([&add](const auto&... picked) { (add(picked), ...); }, picked_);
    const bool groups = engine->sums() && keys != columns;
    const std::string group = groups ? " GROUP BY " + keys.substr(2) + more : "";
    return engine->Select("SELECT " + columns.substr(2) + more + " " + rest + group,
                          [&](std::span<const Cell> cells) {
                            R row = {};
                            const auto read = [&](const auto&... picked) {
                              size_t at = 0;
                              (ReadCell(cells[at++], &(row.*(picked.member))), ...);
                            };
                            std::apply(read, picked_);
                            return take(row, cells.subspan(sizeof...(T)));
                          });
  }
  template <typename Take>
  bool ForEach(Engine* engine, const std::string& rest, const Take& take) const {
    return ForEach(
        engine, "", rest,
        [&take](R& row, std::span<const Cell>) {
          take(row);
          return true;
        });
  }

 private:
  std::tuple<Picked<R, T>...> picked_;
};

}  // namespace stillframe::fleet
