// SPDX-License-Identifier: Apache-2.0
// Per-walk cache of method metadata, since nested views repeat few methods.
//
// Rule: lives for one walk at most, during which the interrupted thread loads, unloads and compiles
// nothing.
#pragma once

#include <cstdint>

namespace stillframe::walk {

// Two-way hash: each method maps to two independent rows, so a collision in one does not imply one
// in the other. Methods are aligned, so keys of other kinds are the address plus the kind, below 4.
template <typename T>
class RecentMethods {
 public:
  struct Row {
    uintptr_t method;
    T value;
  };

  // An empty row holds a first-page address that maps to another row, so no look-up finds it.
  RecentMethods() {
    for (uintptr_t i = 0; i < kRows; ++i) rows_[i].method = (i ^ 1) * kApart + kApart / 2;
  }

  // The row that usually holds the entry for `method`, of any kind.
  [[gnu::always_inline]] Row& FirstRow(uintptr_t method) { return rows_[First(method)]; }

  // The entry for `method`; null: none.
  const T* Find(uintptr_t method) const {
    for (const Row* row : {&rows_[First(method)], &rows_[Second(method)]})
      if (row->method == method) return &row->value;
    return nullptr;
  }

  const T* Add(uintptr_t method, const T& value) {
    Row& row = rows_[RowToFill(method)];
    row = {method, value};
    return &row.value;
  }

 private:
  static constexpr uint32_t kRows = 8;
  // Methods of a class are adjacent, 20 to 40 bytes each.
  static constexpr uintptr_t kApart = 32;

  static uintptr_t First(uintptr_t method) { return method / kApart % kRows; }
  static uint32_t Second(uintptr_t method) {
    return static_cast<uint32_t>(method) * 0x9e3779b1U / (1U << 29);
  }
  static bool IsEmpty(const Row& row) { return row.method < kRows * kApart; }

  uintptr_t RowToFill(uintptr_t method) {
    const uintptr_t first = First(method);
    const uintptr_t second = Second(method);
    if (rows_[first].method == method || IsEmpty(rows_[first])) return first;
    if (rows_[second].method == method || IsEmpty(rows_[second])) return second;
    // Pseudorandom, so that methods in rotation do not keep evicting each other.
    turn_ = turn_ * 1664525 + 1013904223;
    return turn_ >> 31 != 0 ? first : second;
  }

  Row rows_[kRows];
  uint32_t turn_ = 0;
};

}  // namespace stillframe::walk
