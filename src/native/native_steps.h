// SPDX-License-Identifier: Apache-2.0
// Steps over the native frames of a copied stack: by our own unwinder or, where it is asked for and
// call frame information describes the code, by libunwind, whose cursor follows a fragment from its
// innermost frame on. A frame that it only guesses, or that is behind no call, is never taken.
#pragma once

#include <cstdint>
#include <memory>

#include "arch/arch.h"
#include "src/native/libunwind.h"
#include "src/unwind/code_modules.h"

namespace stillframe::native {

// One step outwards over native code that may be a signal's handler.
// As unwind::StepNativeFrame; and from a handler to what it returns to, and from there to what the
// signal has interrupted. `is_return`: the new pc is a return address.
bool StepOver(const unwind::CodeModules& modules, bool is_call, arch::UnwindRegisters* registers,
              bool* is_return);

// Whether code says that nobody has called it.
bool IsOutermost(const unwind::CodeModules& modules, uintptr_t pc);

class NativeSteps {
 public:
  // False where it cannot be had: ours is left.
  bool UseLibunwind(const unwind::CodeModules& modules) {
    libunwind_ = OpenLibunwind(modules);
    return libunwind_ != nullptr;
  }

  // The innermost frame of a fragment. `is_call`: pc is a return address.
  void Begin(const arch::UnwindRegisters& registers, bool is_call);
  // As StepOver, from where Begin or the last Step came to.
  bool Step(const unwind::CodeModules& modules, bool is_call, arch::UnwindRegisters* registers,
            bool* is_return);

 private:
  bool TakeTheirs(bool is_call, arch::UnwindRegisters* registers, bool* is_return);

  std::unique_ptr<Libunwind> libunwind_;
};

}  // namespace stillframe::native
