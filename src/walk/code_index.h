// SPDX-License-Identifier: Apache-2.0
// Compiled code that was seen before, by address: what a pc belongs to when its frame does not hold
// the method, in a leaf without a frame or while a frame is dropped.
//
// Filled from samples as they are resolved, so that it grows with what the program runs; when it is
// full, code that was not seen lately gives its place. What it says is checked against the method's
// own entry point, or the header before the code, before it is believed.
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
  // What was seen at pc.
  bool Find(uintptr_t pc, SeenCode* seen) const { return rows_.Find(pc, seen); }
  // The method whose code was seen at pc; 0: none.
  uintptr_t Find(uintptr_t pc) const {
    SeenCode seen;
    return Find(pc, &seen) ? seen.method : 0;
  }

  // What was seen at the same place before is forgotten.
  void Add(uintptr_t begin, uint32_t bytes, uintptr_t method) {
    rows_.Add({begin, begin + bytes, method});
  }

 private:
  static constexpr uint32_t kMaxRows = 1024;

  core::RangeTable<SeenCode, kMaxRows> rows_;
};

}  // namespace stillframe::walk
