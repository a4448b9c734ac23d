// SPDX-License-Identifier: Apache-2.0
// When the main thread is said to stir: by CPU time outside messages, which ends a rest of the
// collector and has it look after the tap.
#pragma once

#include <cstdint>

namespace stillframe::collector {

constexpr uint64_t kStirNs = 2'000'000;

}  // namespace stillframe::collector
