// SPDX-License-Identifier: Apache-2.0
// Units of time, and shares of it.
#pragma once

#include <cstdint>

namespace stillframe::index {

constexpr uint64_t kNsPerMs = 1'000'000;

// `value` x `part` / `whole`; 0 if `whole` is 0.
constexpr uint64_t Scaled(uint64_t value, uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<uint64_t>(static_cast<__uint128_t>(value) * part / whole);
}

}  // namespace stillframe::index
