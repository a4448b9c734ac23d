// SPDX-License-Identifier: Apache-2.0
// Compiled code that is not at its method's entry point: made for a running loop (on-stack
// replacement), replaced by newer code, or behind a stub.
//
// Found by a backward search from pc for the header before all compiled code. A candidate header
// must pass three tests. Its CodeInfo matches the register count of the method's bytecode and has
// safepoints in the code. The prologue makes a frame of the header's size. The prologue stores the
// method in it.
// Context: signal, collector (naming)
#pragma once

#include <cstdint>

#include "src/walk/code_index.h"
#include "src/walk/compiled_code.h"
#include "src/walk/layout.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::walk {

// Whether the code makes a frame, and has made it at the pc.
enum class CodeFrame { kMade, kBeingMade, kNone };

// Finds the code of `method` around `pc`; for a native method its compiled stub. Tries the entries
// of `seen` first, which may be null. Bounded: at most some ten thousand loads, of which few may
// fault.
bool FindCodeElsewhere(const Layout& layout, const CodeIndex* seen, uintptr_t method, uintptr_t pc,
                       CompiledCode* code, CodeFrame frame = CodeFrame::kMade);

// Finds the stub around `pc`, for any native method. pc is after its prologue.
bool FindStub(const Layout& layout, uintptr_t pc, CompiledCode* code);

// The dex_pc value of a raw frame of compiled code.
inline uint32_t RawPc(uintptr_t pc) { return static_cast<uint32_t>(pc); }

// The methods at a raw frame of compiled code, see MethodsAt. If the code is gone or replaced: one
// frame without a dex pc, and empty `code`.
uint32_t MethodsOf(const RuntimeFacts& facts, const core::RawFrame& raw, CompiledFrame* frames,
                   CompiledCode* code);

}  // namespace stillframe::walk
