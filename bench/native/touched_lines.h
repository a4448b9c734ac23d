// SPDX-License-Identifier: Apache-2.0
// The cache lines that a call touches, found under the trap flag from the operands of each
// instruction. The counts do not depend on machine or load.
// Context: one thread at a time, the one that is observed
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

class TouchedLines {
 public:
  static constexpr uintptr_t kLineBytes = 64;

  struct Line {
    uintptr_t address;
    uintptr_t pc;  // of the first instruction that touched it
  };
  // Distinct lines, in the order in which they were touched. A line of code counts if an
  // instruction begins in it. Prefetches do not count: nothing waits for them.
  struct Lines {
    const Line* lines;
    size_t count;
  };

  // Lines between the two calls, including their own: compare with an empty pair. End is false if
  // an instruction is not known here, or if there are too many lines.
  static void Begin();
  static bool End();
  static Lines Data();
  static Lines Code();
  // The first bytes of an instruction that is not known, the first one lowest; 0: all are.
  static uint64_t Unknown();
};

}  // namespace bench
