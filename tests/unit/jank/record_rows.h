// SPDX-License-Identifier: Apache-2.0
// The rows of a record of janks, with the types that they have in JSON.
#pragma once

#include <type_traits>
#include <vector>

#include "src/dump/jank_record.h"

namespace stillframe::dump {

struct RecordRows {
  template <typename T>
  using Of = T;

  struct Typed {
    Row row;
    const char* type;
  };
  std::vector<Typed> rows;

  RecordRows() {
    JankRecord record;
    AsRecord(record);
  }
  template <typename T>
  void operator()(const Row& row, T& /*field*/) {
    constexpr bool kIsText = std::is_same_v<T, const char*>;
    rows.push_back({row, kIsText ? "string" : std::is_same_v<T, bool> ? "boolean" : "integer"});
  }
  template <typename T>
  void Numbers(const Row& row, T& /*numbers*/) {
    rows.push_back({row, "array"});
  }
  template <typename T>
  void Named(const Row& row, T& /*members*/) {
    rows.push_back({row, "object"});
  }
  template <typename T>
  void AsRecord(T& item) {
    Fields(*this, item);
  }
};

}  // namespace stillframe::dump
