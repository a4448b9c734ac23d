// The code ahead is not read on arm: a sample that lands while ART links two fragments is cut.
// Context: signal
#pragma once

#include "arch/arm/unwind_registers.h"
#include "arch/code_ahead.h"

namespace stillframe::arch {

inline Ahead ReadAhead(UnwindRegisters*, LostRegisters*, Store*, Load*) { return Ahead::kEnd; }

}  // namespace stillframe::arch
