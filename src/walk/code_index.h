// SPDX-License-Identifier: Apache-2.0
// Compiled code seen before, by address. It identifies the method where the frame does not: in a
// leaf without a frame, or while a frame is dropped.
//
// Filled while samples are resolved, so it grows with the code that runs. When full, code not seen
// lately is replaced. Entries are verified against the method's entry point, or the header before
// the code.
// Context: signal (Find), collector (Add, the only writer)
#pragma once

#include <cstdint>

#include "src/core/range_table.h"

namespace stillframe::walk {

class CodeIndex {
 public:
  struct SeenCode {
    uintptr_t begin;
    uintptr_t end;
    uintptr_t method;
  };
  // The code seen at pc.
  bool Find(uintptr_t pc, SeenCode* seen) const { return rows_.Find(pc, seen); }
  // The method of the code seen at pc; 0: none.
  uintptr_t Find(uintptr_t pc) const {
    SeenCode seen;
    return Find(pc, &seen) ? seen.method : 0;
  }

  // Replaces earlier entries for the same addresses.
  void Add(uintptr_t begin, uint32_t bytes, uintptr_t method) {
    rows_.Add({begin, begin + bytes, method});
  }

 private:
  static constexpr uint32_t kMaxRows = 1024;

  core::RangeTable<SeenCode, kMaxRows> rows_;
};

}  // namespace stillframe::walk
