// SPDX-License-Identifier: Apache-2.0
// Per-walk cache of method metadata; nested views repeat the same few methods.
//
// Rule: it lives no longer than one walk, within which the interrupted thread loads, unloads and
// compiles nothing.
#pragma once

#include <cstdint>

namespace stillframe::walk {

// A method has two rows that it may be in: which others share the first says nothing of the second.
// Methods are aligned: what has several kinds adds the kind, below 4, to the address.
template <typename T>
class RecentMethods {
 public:
  struct Row {
    uintptr_t method;
    T value;
  };

  // An empty row has an address of the first page, whose first row is another: nothing finds it.
  RecentMethods() {
    for (uintptr_t i = 0; i < kRows; ++i) rows_[i].method = (i ^ 1) * kApart + kApart / 2;
  }

  // The one row that most of what was added for `method` is in, of whatever kind.
  [[gnu::always_inline]] Row& FirstRow(uintptr_t method) { return rows_[First(method)]; }

  // What was added for `method`; null: it is not here.
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
  // Methods of a class lie side by side, 20 to 40 bytes each.
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
    // Without a period, so that methods that come round in turns do not drive out one another.
    turn_ = turn_ * 1664525 + 1013904223;
    return turn_ >> 31 != 0 ? first : second;
  }

  Row rows_[kRows];
  uint32_t turn_ = 0;
};

}  // namespace stillframe::walk
