// SPDX-License-Identifier: Apache-2.0
// Counts the instructions of a call, one by one, under the trap flag: the same on every machine and
// however busy it is.
// Context: one thread at a time, the one that is counted
#pragma once

#include <cstdint>

#include "src/core/guarded_memory.h"

namespace bench {

class InstructionCount {
 public:
  // Takes SIGTRAP for good. False when the system refuses.
  static bool Open(stillframe::core::SigactionFunction kernel_sigaction);

  // Instructions between the two calls, those of the calls among them: compare with an empty pair.
  static void Begin();
  static uint64_t End();
};

}  // namespace bench
