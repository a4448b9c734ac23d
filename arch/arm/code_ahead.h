// SPDX-License-Identifier: Apache-2.0
// Code ahead of pc is not read on arm. A sample that lands while ART links two fragments is
// truncated.
// Context: signal
#pragma once

#include "arch/arm/unwind_registers.h"
#include "arch/code_ahead.h"

namespace stillframe::arch {

inline Ahead ReadAhead(UnwindRegisters*, UnknownRegisters*, Store*, Load*) { return Ahead::kEnd; }

}  // namespace stillframe::arch
