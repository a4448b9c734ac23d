// SPDX-License-Identifier: Apache-2.0
// The innermost frame when compiled code was interrupted, at any of its instructions.
#pragma once

#include "arch/arch.h"
#include "src/core/sample.h"
#include "src/walk/quick_frame.h"

namespace stillframe::walk {

// Where the walk goes on from the interrupted registers.
struct InnermostFrame {
  QuickPlace place;  // the innermost quick frame
  // A compiled method that runs above `place` without a frame of its own; 0: none.
  uintptr_t method = 0;
  uint32_t dex_pc = 0;       // as in its raw frame
  uint32_t code_mark = 0;    // of its code
  bool is_nameless = false;  // there is one, but which is not known
};

// With registers inside compiled code at the interrupted place, or behind a call (`is_call`).
// `top_quick_frame` is the fragment's, which may be one that has returned. False when nothing is
// known of that code.
bool FindLiveCompiledFrame(const RuntimeFacts& facts, const arch::UnwindRegisters& registers,
                           uintptr_t top_quick_frame, bool is_call, InnermostFrame* innermost);

}  // namespace stillframe::walk
