// SPDX-License-Identifier: Apache-2.0
// Where a method returns to while ART 10 or 11 traces its calls: its frame holds a stub's address
// then, and the thread keeps the true one aside.
#pragma once

#include <cstdint>

#include "src/walk/runtime_facts.h"

namespace stillframe::walk {

// Whether pc is that stub's, which lies in the runtime's library. Context: signal
[[gnu::noinline]] bool IsTracedExit(const RuntimeFacts& facts, uintptr_t pc);

// The return addresses of one thread that are not in its frames, through one walk from the
// innermost frame outwards.
class TracedReturns {
 public:
  // `thread`: an art::Thread*.
  explicit TracedReturns(uintptr_t thread) : thread_(thread) {}

  // The true return address into `frame`, whose callee says that it returns to `pc`. 0 when that is
  // no such stub, or the thread keeps none for it; what is found is no such stub either, and still
  // has to fit the frame. `callee`: its method, 0 if that is not known.
  [[gnu::noinline]] uintptr_t Find(const RuntimeFacts& facts, uintptr_t frame, uintptr_t callee,
                                   uintptr_t pc);

  // Tells of a return address that the walk does not need: those kept in a row are counted.
  [[gnu::noinline]] void Pass(const RuntimeFacts& facts, uintptr_t pc);

 private:
  uintptr_t thread_;
  uint32_t passed_ = 0;
};

}  // namespace stillframe::walk
