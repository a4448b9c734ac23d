// SPDX-License-Identifier: Apache-2.0
// One step outwards over native code that may be a signal's handler.
#pragma once

#include "arch/arch.h"
#include "src/unwind/code_modules.h"

namespace stillframe::native {

// As unwind::StepNativeFrame; and from a handler to what it returns to, and from there to what the
// signal has interrupted. `is_return`: the new pc is a return address.
bool StepOver(const unwind::CodeModules& modules, bool is_call, arch::UnwindRegisters* registers,
              bool* is_return);

// Whether code says that nobody has called it.
bool IsOutermost(const unwind::CodeModules& modules, uintptr_t pc);

}  // namespace stillframe::native
