// SPDX-License-Identifier: Apache-2.0
// A place in the dex code of a method: counted in units of 16 bits from its first instruction.
// Context: any thread and signal
#pragma once

#include <cstdint>

namespace stillframe::core {

// There is none, or it is not known.
constexpr uint32_t kNoDexPc = UINT32_MAX;

}  // namespace stillframe::core
