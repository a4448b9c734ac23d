// SPDX-License-Identifier: Apache-2.0
// One step outwards over a frame of native code, by its call frame information.
#pragma once

#include "arch/arch.h"
#include "src/unwind/code_modules.h"

namespace stillframe::unwind {

// Turns the registers inside a function into those at its caller, after the call. `is_call`: pc is
// a return address, so that what describes the call counts and not what comes after it. `module`
// holds the pc; afterwards the caller's, or nothing. False, with the registers as they were, when
// nothing describes the place, the description is more than this understands, or what it leads to
// is not behind a call. Of a caller whose code cannot be read the description alone is believed.
bool StepNativeFrame(const CodeModules& modules, bool is_call, CodeModule* module,
                     arch::UnwindRegisters* registers);

// The same for one step: looks the library up.
bool StepNativeFrame(const CodeModules& modules, bool is_call, arch::UnwindRegisters* registers);

}  // namespace stillframe::unwind
