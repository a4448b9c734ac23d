// SPDX-License-Identifier: Apache-2.0
// The quick frames of a fragment: of JNI stubs, of the runtime's callee-save methods, of nterp, of
// compiled methods.
#pragma once

#include <cstdint>

#include "src/core/sample.h"
#include "src/walk/quick_frame.h"
#include "src/walk/traced_return.h"
#include "src/walk/walk_memory.h"

namespace stillframe::walk {

// Walks outwards to the frame's end of the fragment, the null that the invoke stub leaves. False:
// stop the whole walk, the sink is full.
// `next_fragment`: where the next ManagedStack lies on this stack; no frame of this fragment is
// beyond. 0 for the last. `returns`: of the thread that the stack is of. `memory`: of this walk.
bool WalkQuickFrames(const RuntimeFacts& facts, const QuickPlace& start, uintptr_t next_fragment,
                     TracedReturns* returns, WalkMemory* memory, core::FrameSink* sink);

}  // namespace stillframe::walk
