// SPDX-License-Identifier: Apache-2.0
// libunwind's cursor over registers that were copied, and over whatever lies in memory.
//
// Problem: libunwind finds libraries under the dynamic linker's lock, reads with plain loads and
// guesses where nothing describes the code. Rule: it is its kind for other processes, which asks
// for all it reads: libraries are those of CodeModules, loads are guarded, and guesses are not
// told. Nothing is kept between steps: libraries come and go.
#pragma once

#include <memory>

#include "arch/arch.h"
#include "src/unwind/code_modules.h"

namespace stillframe::native {

class Libunwind {
 public:
  virtual ~Libunwind() = default;

  // From here on. `is_call`: pc is a return address.
  virtual void Start(const arch::UnwindRegisters& registers, bool is_call) = 0;
  // To where call frame information says; false where none does, or nobody called that code.
  // `outer` has pc as the address to return to.
  virtual bool Next(arch::UnwindRegisters* outer) = 0;
};

// Null where there is none, no memory for it, or this build is without. `modules` must outlive it.
// `library`: the file to load; null: the one of this CPU.
std::unique_ptr<Libunwind> OpenLibunwind(const unwind::CodeModules& modules,
                                         const char* library = nullptr);

}  // namespace stillframe::native
