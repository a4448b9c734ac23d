// SPDX-License-Identifier: Apache-2.0
// Finds where the managed stack of a running thread begins. It starts at the interrupted registers
// and unwinds the native frames of the runtime and its stubs.
#pragma once

#include "arch/arch.h"
#include "src/walk/compiled_frame.h"

namespace stillframe::walk {

enum class Innermost {
  kFound,
  kNone,     // no quick frame up to the next fragment
  kUnknown,  // the registers lead into unknown code
};

// `top_quick_frame`: the fragment's, used only if the registers lead to the same frame.
// `next_fragment`: stack address of the next ManagedStack, above all frames of this fragment; 0:
// this is the last.
Innermost FindInnermostFrame(const RuntimeFacts& facts, const arch::Registers& registers,
                             uintptr_t top_quick_frame, uintptr_t next_fragment,
                             InnermostFrame* innermost);

}  // namespace stillframe::walk
