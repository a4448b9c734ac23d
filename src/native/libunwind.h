// SPDX-License-Identifier: Apache-2.0
// libunwind's cursor over copied registers and live memory.
//
// Problem: libunwind finds libraries under the dynamic linker's lock, reads with plain loads, and
// guesses without call frame information.
// Rule: use libunwind's remote API, which calls back for everything. Libraries come from
// CodeModules, loads are guarded, and guesses are discarded. Nothing is cached between steps, since
// libraries change.
#pragma once

#include <memory>

#include "arch/arch.h"
#include "src/unwind/code_modules.h"

namespace stillframe::native {

class Libunwind {
 public:
  virtual ~Libunwind() = default;

  // Starts here. `is_call`: pc is a return address.
  virtual void Start(const arch::UnwindRegisters& registers, bool is_call) = 0;
  // Steps to the caller by call frame information; false without it, or at the outermost code.
  // `outer`: pc is the return address.
  virtual bool Next(arch::UnwindRegisters* outer) = 0;
};

// Null: not found, out of memory, or excluded from this build. `modules` must outlive it.
// `library`: the file to load; null: the one for this CPU.
std::unique_ptr<Libunwind> OpenLibunwind(const unwind::CodeModules& modules,
                                         const char* library = nullptr);

}  // namespace stillframe::native
