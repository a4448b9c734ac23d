// The code ahead is not read on x86: a sample that lands while ART links two fragments is cut.
// Context: signal
#pragma once

#include "arch/code_ahead.h"
#include "arch/x86/unwind_registers.h"

namespace stillframe::arch {

inline Ahead ReadAhead(UnwindRegisters*, LostRegisters*, Store*) { return Ahead::kEnd; }

}  // namespace stillframe::arch
