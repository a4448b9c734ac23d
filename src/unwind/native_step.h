// SPDX-License-Identifier: Apache-2.0
// One step from a native frame to its caller, by call frame information.
#pragma once

#include "arch/arch.h"
#include "src/unwind/code_modules.h"

namespace stillframe::unwind {

// Replaces the registers of a function by its caller's, after the call. `is_call`: pc is a return
// address, so the description of the call instruction applies. `module`: the library of pc, then of
// the caller's pc, or empty. False, with the registers unchanged, without call frame information,
// for unsupported operations, or if the result is not after a call. If the caller's code is
// unreadable, the last test is skipped.
bool StepNativeFrame(const CodeModules& modules, bool is_call, CodeModule* module,
                     arch::UnwindRegisters* registers);

// The same, with a look-up of the library.
bool StepNativeFrame(const CodeModules& modules, bool is_call, arch::UnwindRegisters* registers);

}  // namespace stillframe::unwind
