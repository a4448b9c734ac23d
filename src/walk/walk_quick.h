// SPDX-License-Identifier: Apache-2.0
// The quick frames of a fragment: JNI stubs, the runtime's callee-save methods, nterp and compiled
// methods.
#pragma once

#include <cstdint>

#include "src/core/sample.h"
#include "src/walk/quick_frame.h"
#include "src/walk/traced_return.h"
#include "src/walk/walk_memory.h"

namespace stillframe::walk {

// Walks outwards to the end of the fragment, the invoke stub's null. False: stop the walk, because
// the sink is full. `next_fragment`: stack address of the next ManagedStack, above all frames of
// this fragment; 0: this is the last. `returns`: those of the stack's thread. `memory`: that of
// this walk.
bool WalkQuickFrames(const RuntimeFacts& facts, const QuickPlace& start, uintptr_t next_fragment,
                     TracedReturns* returns, WalkMemory* memory, core::FrameSink* sink);

}  // namespace stillframe::walk
