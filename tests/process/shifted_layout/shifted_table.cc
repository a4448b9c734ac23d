// SPDX-License-Identifier: Apache-2.0
// The layout table of the runtime library that the tests build: as the real one, but in each row
// the constant that SHIFTED_CONSTANT names is too large (shift.h). Context: start-up
#include <cstdlib>
#include <cstring>

#include "tests/process/shifted_layout/shift.h"

namespace stillframe::walk {

// src/walk/layout.cc under another name (CMakeLists.txt).
LayoutTable UnshiftedLayoutsOf(uint32_t pointer_bytes);

namespace {

constexpr uint32_t kMostRows = 32;

LayoutTable ShiftedLayouts() {
  static Layout rows[kMostRows];
  const LayoutTable right = UnshiftedLayoutsOf(sizeof(void*));
  const char* wrong = getenv("SHIFTED_CONSTANT");
  if (wrong == nullptr || right.count > kMostRows) abort();
  bool is_known = false;
  for (uint32_t i = 0; i < right.count; ++i) {
    rows[i] = right.rows[i];
    ForEachConstant(&rows[i], [&](const char* name, auto* constant) {
      if (strcmp(name, wrong) != 0) return;
      Shift(name, constant, 8);
      is_known = true;
    });
  }
  if (!is_known) abort();
  return {rows, right.count};
}

}  // namespace

LayoutTable LayoutsOf(uint32_t) {
  static const LayoutTable table = ShiftedLayouts();
  return table;
}

}  // namespace stillframe::walk
