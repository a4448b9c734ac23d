// SPDX-License-Identifier: Apache-2.0
// Where a method returns to while ART 11 traces its calls: its frame holds a stub's address then,
// and the thread keeps the true one aside.
#pragma once

#include <cstdint>

#include "src/walk/runtime_facts.h"

namespace stillframe::walk {

// The true return address into `frame`, whose callee says that it returns to `pc`. 0 when that is
// no such stub, or `thread`, an art::Thread*, keeps none for it; what is found is no such stub
// either, and still has to fit the frame.
[[gnu::noinline]] uintptr_t FindTracedReturn(const RuntimeFacts& facts, uintptr_t thread,
                                             uintptr_t frame, uintptr_t pc);

}  // namespace stillframe::walk
