// SPDX-License-Identifier: Apache-2.0
// Where the managed stack of a running thread begins: found from the interrupted registers, over
// native frames of the runtime and its stubs, by their call frame information.
#pragma once

#include "arch/arch.h"
#include "src/walk/compiled_frame.h"

namespace stillframe::walk {

enum class Innermost {
  kFound,
  kNone,     // no quick frame between here and the next fragment
  kUnknown,  // the registers lead into code that nothing is known about
};

// `top_quick_frame` is what the fragment says, believed only where the registers lead to the same
// frame. `next_fragment`: where the next ManagedStack lies on this stack; no frame of this fragment
// is beyond. 0 for the last.
Innermost FindInnermostFrame(const RuntimeFacts& facts, const arch::Registers& registers,
                             uintptr_t top_quick_frame, uintptr_t next_fragment,
                             InnermostFrame* innermost);

}  // namespace stillframe::walk
