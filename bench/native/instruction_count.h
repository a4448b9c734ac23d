// SPDX-License-Identifier: Apache-2.0
// Counts a call's instructions one by one under the trap flag. The count does not depend on machine
// or load.
// Context: one thread at a time, the one that is counted
#pragma once

#include <ucontext.h>

#include <cstdint>

#include "src/core/guarded_memory.h"

namespace bench {

class InstructionCount {
 public:
  // Installs a SIGTRAP handler permanently. False if the system refuses.
  static bool Open(stillframe::core::SigactionFunction kernel_sigaction);

  // Instructions between the two calls, including their own: compare with an empty pair. `see` gets
  // the registers before each of them.
  static void Begin(void (*see)(const ucontext_t&) = nullptr);
  static uint64_t End();
};

}  // namespace bench
