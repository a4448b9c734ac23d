// SPDX-License-Identifier: Apache-2.0
// Finds the innermost frame when a signal interrupts compiled code, at any instruction.
#pragma once

#include "arch/arch.h"
#include "src/core/sample.h"
#include "src/walk/quick_frame.h"

namespace stillframe::walk {

// Where the walk starts, from the interrupted registers.
struct InnermostFrame {
  QuickPlace place;  // the innermost quick frame
  // A compiled method without a frame of its own, called by the one at `place`; 0: none.
  uintptr_t method = 0;
  uint32_t dex_pc = 0;       // as in its raw frame
  uint32_t code_mark = 0;    // of its code
  bool is_nameless = false;  // such a method exists but is unknown
};

// `registers` are in compiled code: interrupted, or after a call (`is_call`). `top_quick_frame` is
// the fragment's; it may be of a frame that has returned. False if the code is unknown.
bool FindLiveCompiledFrame(const RuntimeFacts& facts, const arch::UnwindRegisters& registers,
                           uintptr_t top_quick_frame, bool is_call, InnermostFrame* innermost);

}  // namespace stillframe::walk
