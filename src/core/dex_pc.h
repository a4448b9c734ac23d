// SPDX-License-Identifier: Apache-2.0
// A position in a method's dex code, in 16-bit units from its first instruction.
// Context: any thread and signal
#pragma once

#include <cstdint>

namespace stillframe::core {

// None, or unknown.
constexpr uint32_t kNoDexPc = UINT32_MAX;

}  // namespace stillframe::core
