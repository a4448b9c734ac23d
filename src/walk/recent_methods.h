// SPDX-License-Identifier: Apache-2.0
// Per-walk cache of method metadata; nested views repeat the same few methods.
//
// Rule: it lives no longer than one walk, within which the interrupted thread loads, unloads and
// compiles nothing.
#pragma once

#include <cstdint>

namespace stillframe::walk {

template <typename T>
class RecentMethods {
 public:
  // What was read of `method` if it satisfies `still_fits`; else what `read` reads. Null: nothing.
  template <typename StillFits, typename Read>
  [[gnu::always_inline]] const T* Find(uintptr_t method, StillFits still_fits, Read read) {
    // Methods of a class lie side by side, 20 to 40 bytes each.
    Row& row = rows_[method / 32 % kRows];
    if (row.method == method && still_fits(row.value)) return &row.value;
    row.method = read(&row.value) ? method : 0;
    return row.method != 0 ? &row.value : nullptr;
  }

 private:
  static constexpr uint32_t kRows = 8;
  struct Row {
    uintptr_t method = 0;
    T value;
  };
  Row rows_[kRows];
};

}  // namespace stillframe::walk
