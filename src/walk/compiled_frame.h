// The innermost frame when compiled code was interrupted, at any of its instructions.
// Context: signal
#pragma once

#include "arch/arch.h"
#include "src/walk/walk_quick.h"

namespace stillframe::walk {

enum class LiveCompiled {
  kNone,      // no compiled code that is known
  kFrame,     // `place` is its frame
  kNoFrame,   // `method` runs without a frame, or between frames; `place` is its caller's
  kNameless,  // as kNoFrame, but which method is not known
};

// With registers inside native code at the interrupted place, or behind a call (`is_call`).
LiveCompiled FindLiveCompiledFrame(const RuntimeFacts& facts,
                                   const arch::UnwindRegisters& registers, bool is_call,
                                   QuickPlace* place, uintptr_t* method, uint32_t* offset);

}  // namespace stillframe::walk
