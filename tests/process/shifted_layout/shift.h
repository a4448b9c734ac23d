// SPDX-License-Identifier: Apache-2.0
// One constant of a layout row made wrong. What constants there are, the build reads from
// src/walk/layout.h.
// Context: tests only
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "src/walk/layout.h"

namespace stillframe {

// Adds `by`; an enum takes its other value, and an alignment is doubled by 8 and halved by less.
template <typename T>
void Shift(const char* name, T* constant, uint64_t by) {
  if (strstr(name, "alignment") != nullptr) {
    *constant = static_cast<T>(by >= 8 ? static_cast<uint64_t>(*constant) * 2
                                       : static_cast<uint64_t>(*constant) / 2);
  } else if constexpr (std::is_enum_v<T>) {
    *constant = static_cast<T>(static_cast<std::underlying_type_t<T>>(*constant) ^ 1);
  } else {
    *constant = static_cast<T>(*constant + by);
  }
}

// Calls visit(name, pointer to the constant) for each constant of the row.
template <typename Visit>
void ForEachConstant(walk::Layout* row, const Visit& visit) {
#define FIELD(name) visit(#name, &row->name);
#include "layout_fields.inc"
#undef FIELD
}

}  // namespace stillframe
