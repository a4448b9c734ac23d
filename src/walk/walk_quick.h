// SPDX-License-Identifier: Apache-2.0
// The quick frames of a fragment: of JNI stubs, of the runtime's callee-save methods, of nterp, of
// compiled methods.
#pragma once

#include <cstdint>

#include "src/core/sample.h"
#include "src/walk/quick_frame.h"

namespace stillframe::walk {

// Walks outwards to the frame's end of the fragment, the null that the invoke stub leaves. False:
// stop the whole walk, the sink is full.
// `next_fragment`: where the next ManagedStack lies on this stack; no frame of this fragment is
// beyond. 0 for the last. `thread`: the art::Thread* that the stack is of.
bool WalkQuickFrames(const RuntimeFacts& facts, uintptr_t thread, const QuickPlace& start,
                     uintptr_t next_fragment, core::FrameSink* sink);

}  // namespace stillframe::walk
