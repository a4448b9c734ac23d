// SPDX-License-Identifier: Apache-2.0
// Compiled code that is not at its method's entry point: made for a loop that ran already (on-stack
// replacement), older than what the entry point names, or behind one that is a stub.
//
// Found by looking back from the pc to the header that stands before all compiled code. Nothing
// vouches for what looks like one, so it has to prove itself: its CodeInfo describes
// a method with as many registers as this one's bytecode has, and has safepoints in the code; the
// prologue behind it makes a frame of the size that it says.
// Context: signal, collector (naming)
#pragma once

#include <cstdint>

#include "src/walk/code_index.h"
#include "src/walk/compiled_code.h"
#include "src/walk/layout.h"
#include "src/walk/quick_frame.h"

namespace stillframe::walk {

// The code of `method` around `pc`, which is behind its prologue. Asks the places in `seen` first,
// which may be null. A few thousand loads at most.
bool FindCodeElsewhere(const Layout& layout, const CodeIndex* seen, uintptr_t method, uintptr_t pc,
                       CompiledCode* code);

// The same for the frames of one walk: the code that was found last is kept.
class CodeElsewhere {
 public:
  // Null when there is none whose caller fits its return address. `is_caller`: the frame called
  // another method, so that pc is behind a call; what was interrupted, or left for the runtime by a
  // fault, stands anywhere.
  [[gnu::noinline]] const CompiledCode* OfFrame(const RuntimeFacts& facts, uintptr_t method,
                                                uintptr_t frame, uintptr_t pc, bool is_caller);

 private:
  // Each look back is long, and most stacks have none.
  static constexpr uint32_t kMaxLookBacks = 32;

  uintptr_t method_ = 0;
  CompiledCode code_;
  uint32_t look_backs_ = 0;
};

// The methods at a raw frame of the kind kCompiledElsewhere; see MethodsOf.
uint32_t MethodsElsewhere(const RuntimeFacts& facts, const core::RawFrame& raw,
                          CompiledFrame* frames, CompiledCode* code);

}  // namespace stillframe::walk
