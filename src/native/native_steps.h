// SPDX-License-Identifier: Apache-2.0
// Steps over the native frames of a copied stack. On request libunwind makes the steps that call
// frame information covers; its cursor starts at a fragment's innermost frame. Our own unwinder
// makes all others. Frames that libunwind guesses, or that are not after a call, are rejected.
#pragma once

#include <cstdint>
#include <memory>

#include "arch/arch.h"
#include "src/native/libunwind.h"
#include "src/unwind/code_modules.h"

namespace stillframe::native {

// One step outwards over native code, including signal handlers. As unwind::StepNativeFrame, and
// from a handler to the code it returns to, and from there to the interrupted code. `is_return`:
// the new pc is a return address.
bool StepOver(const unwind::CodeModules& modules, bool is_call, arch::UnwindRegisters* registers,
              bool* is_return);

// Whether the code is outermost: its description says that it has no caller.
bool IsOutermost(const unwind::CodeModules& modules, uintptr_t pc);

class NativeSteps {
 public:
  // False if it is unavailable: then only our own unwinder is used.
  bool UseLibunwind(const unwind::CodeModules& modules) {
    libunwind_ = OpenLibunwind(modules);
    return libunwind_ != nullptr;
  }

  // Call at the innermost frame of a fragment. `is_call`: pc is a return address.
  void Begin(const arch::UnwindRegisters& registers, bool is_call);
  // As StepOver, from the frame of Begin or of the last Step.
  bool Step(const unwind::CodeModules& modules, bool is_call, arch::UnwindRegisters* registers,
            bool* is_return);

 private:
  bool StepByLibunwind(bool is_call, arch::UnwindRegisters* registers, bool* is_return);

  std::unique_ptr<Libunwind> libunwind_;
};

}  // namespace stillframe::native
