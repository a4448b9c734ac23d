// SPDX-License-Identifier: Apache-2.0
// libunwind's cursor over registers that were copied, and over whatever lies in memory.
//
// Problem: libunwind finds libraries under the dynamic linker's lock, reads with plain loads and
// guesses where nothing describes the code. Rule: it is its kind for other processes, which asks
// for all it reads: libraries are those of CodeModules, loads are guarded, and each step says
// whether a description led there. Nothing is kept between steps: libraries come and go.
#pragma once

#include <memory>

#include "arch/arch.h"
#include "src/unwind/code_modules.h"

namespace stillframe::native {

class Libunwind {
 public:
  // The file that holds it where it is loaded; "" where this build is without it.
  static const char* LibraryName();

  Libunwind();
  ~Libunwind();
  Libunwind(const Libunwind&) = delete;
  Libunwind& operator=(const Libunwind&) = delete;

  // False where there is none, or no memory for it. `modules` must outlive this.
  bool Open(const unwind::CodeModules& modules, const char* library = LibraryName());

  // From here on. `is_call`: pc is a return address.
  void Start(const arch::UnwindRegisters& registers, bool is_call);

  enum class Step {
    kDescribed,  // to where the call frame information says
    kGuessed,    // nothing describes the place; to where it took to be likely
    kEnded,      // nobody called that code, or what the information needs is not there
  };
  Step Next();
  // Whether the last step had call frame information.
  bool was_described() const;
  // After a step, with pc as the address to return to.
  const arch::UnwindRegisters& registers() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stillframe::native
