// SPDX-License-Identifier: Apache-2.0
// The walk over ART's managed stack: ManagedStack fragments, ShadowFrames, and the quick frames of
// generic JNI stubs and runtime callee-save methods. Only guarded loads, no calls, no locks,
// bounded by the sink.
#pragma once

#include <cstdint>

#include "arch/arch.h"
#include "src/core/sample.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::walk {

// Leaves the frames of `thread` (art::Thread*) in the sink, innermost first. `registers` is the
// interrupted context; null when the thread stands still outside managed code. Returns ART's state
// number, 0 when it cannot be read. `facts` is a RuntimeFacts. Fits core::WalkFunction.
uint8_t WalkManagedStack(const void* facts, uintptr_t thread, const arch::Registers* registers,
                         core::FrameSink* sink);

}  // namespace stillframe::walk
