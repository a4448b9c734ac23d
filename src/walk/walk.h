// SPDX-License-Identifier: Apache-2.0
// The walk of ART's managed stack: ManagedStack fragments, ShadowFrames, and quick frames. Guarded
// loads only, no calls out, no locks, bounded by the sink.
#pragma once

#include <cstdint>

#include "arch/arch.h"
#include "src/core/sample.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::walk {

// Writes the frames of `thread` (art::Thread*) to the sink, innermost first. `registers`: the
// interrupted context; null if the thread is blocked outside managed code. Returns ART's state
// number; 0: unreadable. `facts`: a RuntimeFacts. Matches core::WalkFunction.
uint8_t WalkManagedStack(const void* facts, uintptr_t thread, const arch::Registers* registers,
                         core::FrameSink* sink);

}  // namespace stillframe::walk
