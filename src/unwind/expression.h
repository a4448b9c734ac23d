// SPDX-License-Identifier: Apache-2.0
// The subset of DWARF expressions that call frame information uses.
// Source: DWARF 4, section 2.5.
#pragma once

#include <cstdint>

#include "arch/arch.h"

namespace stillframe::unwind {

// Runs the expression block at `block` (a ULEB128 length, then the operations) with `first` on the
// stack. False for an unsupported operation.
bool Evaluate(uintptr_t block, uintptr_t first, const arch::UnwindRegisters& registers,
              uintptr_t* result);

}  // namespace stillframe::unwind
