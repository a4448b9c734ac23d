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
  // What was added for `method`, if it is in its first row, as nearly all are; null: it is not.
  [[gnu::always_inline]] const T* FindFirst(uintptr_t method) const {
    const Row& row = rows_[First(method)];
    return row.method == method ? &row.value : nullptr;
  }

  const T* FindSecond(uintptr_t method) const {
    const Row& row = rows_[Second(method)];
    return row.method == method ? &row.value : nullptr;
  }

  const T* Add(uintptr_t method, const T& value) {
    Row& row = rows_[RowToFill(method)];
    row = {method, value};
    return &row.value;
  }

 private:
  static constexpr uint32_t kRows = 8;
  struct Row {
    uintptr_t method = 0;
    T value;
  };

  // Methods of a class lie side by side, 20 to 40 bytes each.
  static uintptr_t First(uintptr_t method) { return method / 32 % kRows; }
  static uint32_t Second(uintptr_t method) {
    return static_cast<uint32_t>(method) * 0x9e3779b1U / (1U << 29);
  }

  uintptr_t RowToFill(uintptr_t method) {
    const uintptr_t first = First(method);
    const uintptr_t second = Second(method);
    if (rows_[first].method == method || rows_[first].method == 0) return first;
    if (rows_[second].method == method || rows_[second].method == 0) return second;
    // Without a period, so that methods that come round in turns do not drive out one another.
    turn_ = turn_ * 1664525 + 1013904223;
    return turn_ >> 31 != 0 ? first : second;
  }

  Row rows_[kRows];
  uint32_t turn_ = 0;
};

}  // namespace stillframe::walk
