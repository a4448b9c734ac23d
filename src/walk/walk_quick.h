// Quick frames: of JNI stubs, of the runtime's callee-save methods, of nterp.
// Context: signal
#pragma once

#include <cstdint>

#include "src/core/sample.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::walk {

// A quick frame and where its code stands.
struct QuickPlace {
  uintptr_t frame;
  uintptr_t pc;     // inside the frame's code; 0 for the top frame of a fragment that left it
  uint32_t dex_pc;  // known from a live register; kNoDexPc: read it from the frame
  // The top frame of a generic JNI stub, as the tag of top_quick_frame says.
  bool is_generic_jni = false;
};

// Walks outwards to the frame's end of the fragment, the null that the invoke stub leaves. False:
// stop the whole walk, the sink is full.
// `next_fragment`: where the next ManagedStack lies on this stack; no frame of this fragment is
// beyond. 0 for the last.
bool WalkQuickFrames(const RuntimeFacts& facts, const QuickPlace& start, uintptr_t next_fragment,
                     core::FrameSink* sink);

// True when a frame at `place` can be what its pc, a return address, goes back to: of nterp or of a
// compiled method whose code holds pc, or the null that the invoke stub leaves, for a pc in a
// library.
bool FitsReturnAddress(const RuntimeFacts& facts, const QuickPlace& place);

// Bytes of the generic JNI frame at `frame`; 0 when its handle scope cannot be read.
uint32_t GenericJniFrameBytes(const Layout& layout, uintptr_t frame);

// Bytes of a runtime callee-save frame, 0 when `method` is no callee-save method.
uint32_t CalleeSaveFrameBytes(const RuntimeFacts& facts, uintptr_t method);

}  // namespace stillframe::walk
