// One constant of a layout row made wrong. What constants there are, the build reads from
// src/art/layout.h.
// Context: tests only
#pragma once

#include <cstdint>
#include <type_traits>

#include "src/art/layout.h"

namespace stillframe {

template <typename T>
void Shift(T* constant, uint64_t by) {
  if constexpr (std::is_enum_v<T>) {
    *constant = static_cast<T>(static_cast<std::underlying_type_t<T>>(*constant) ^ 1);
  } else {
    *constant = static_cast<T>(*constant + by);
  }
}

// Calls visit(name, pointer to the constant) for each constant of the row.
template <typename Visit>
void ForEachConstant(art::Layout* row, const Visit& visit) {
#define FIELD(name) visit(#name, &row->name);
#include "layout_fields.inc"
#undef FIELD
}

}  // namespace stillframe
