// SPDX-License-Identifier: Apache-2.0
// The rows of a record of janks and of a session, with the types that they have in JSON.
#pragma once

#include <type_traits>
#include <vector>

#include "src/dump/jank_record.h"
#include "src/dump/session_record.h"

namespace stillframe::dump {

template <typename T>
struct RowsInJson {
  template <typename Member>
  using Of = Member;

  struct Typed {
    Row row;
    const char* type;
  };
  std::vector<Typed> rows;

  RowsInJson() {
    T record;
    AsRecord(record);
  }
  template <typename Member>
  void operator()(const Row& row, Member& /*field*/) {
    constexpr bool kIsText = std::is_same_v<Member, const char*>;
    rows.push_back({row, kIsText                        ? "string"
                         : std::is_same_v<Member, bool> ? "boolean"
                                                        : "integer"});
  }
  template <typename Member>
  void Numbers(const Row& row, Member& /*numbers*/) {
    rows.push_back({row, "array"});
  }
  template <typename Member>
  void Named(const Row& row, Member& /*members*/) {
    rows.push_back({row, "object"});
  }
  template <typename Item>
  void AsRecord(Item& item) {
    Fields(*this, item);
  }
};

using RecordRows = RowsInJson<JankRecord>;
using SessionRows = RowsInJson<Session>;

}  // namespace stillframe::dump
