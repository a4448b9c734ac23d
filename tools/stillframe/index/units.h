// SPDX-License-Identifier: Apache-2.0
// Units of time.
#pragma once

#include <cstdint>

namespace stillframe::index {

constexpr uint64_t kNsPerMs = 1'000'000;

}  // namespace stillframe::index
