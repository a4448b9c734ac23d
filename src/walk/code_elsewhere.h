// SPDX-License-Identifier: Apache-2.0
// Compiled code that is not at its method's entry point: made for a loop that ran already (on-stack
// replacement), older than what the entry point names, or behind one that is a stub.
//
// Found by looking back from the pc to the header that stands before all compiled code. Nothing
// vouches for what looks like one, so it has to prove itself: its CodeInfo describes
// a method with as many registers as this one's bytecode has, and has safepoints in the code; the
// prologue behind it makes a frame of the size that it says, and stores the method in it.
// Context: signal, collector (naming)
#pragma once

#include <cstdint>

#include "src/walk/code_index.h"
#include "src/walk/compiled_code.h"
#include "src/walk/layout.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::walk {

// Whether the code makes a frame, and has at the pc.
enum class CodeFrame { kMade, kBeingMade, kNone };

// The code of `method` around `pc`; of a native method the stub that was compiled for it. Asks the
// places in `seen` first, which may be null. Some ten thousand loads at most, and no more than a
// few of places that may be unmapped: such a one costs a fault.
bool FindCodeElsewhere(const Layout& layout, const CodeIndex* seen, uintptr_t method, uintptr_t pc,
                       CompiledCode* code, CodeFrame frame = CodeFrame::kMade);

// The stub around `pc`, which is behind its prologue, whatever native method it was compiled for.
bool FindStub(const Layout& layout, uintptr_t pc, CompiledCode* code);

// What a raw frame of compiled code has for its dex pc.
inline uint32_t RawPc(uintptr_t pc) { return static_cast<uint32_t>(pc); }

// The methods at a raw frame of compiled code, see MethodsAt. Where that code is gone, or other
// code has come to its place, one frame without a dex pc, and `code` is empty.
uint32_t MethodsOf(const RuntimeFacts& facts, const core::RawFrame& raw, CompiledFrame* frames,
                   CompiledCode* code);

}  // namespace stillframe::walk
