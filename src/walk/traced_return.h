// SPDX-License-Identifier: Apache-2.0
// Where a method returns to while ART 11 traces its calls: its frame holds a stub's address then,
// and the thread keeps the true one aside.
#pragma once

#include <cstdint>

#include "src/walk/quick_frame.h"

namespace stillframe::walk {

// Puts the true return address into `place`, a frame that is returned to by the stub. False when
// its pc is no such stub's, or `thread`, an art::Thread*, keeps none for it; what is found still
// has to fit the frame.
// Context: signal
[[gnu::noinline]] bool FindTracedReturn(const RuntimeFacts& facts, uintptr_t thread,
                                        QuickPlace* place);

}  // namespace stillframe::walk
