// SPDX-License-Identifier: Apache-2.0
// Real return addresses while ART 10 or 11 traces calls: frames then return to a stub, and the
// thread keeps the real address elsewhere.
#pragma once

#include <cstdint>

#include "src/walk/runtime_facts.h"

namespace stillframe::walk {

// Whether pc is at that stub, in the runtime's library. Context: signal
[[gnu::noinline]] bool IsTracedExit(const RuntimeFacts& facts, uintptr_t pc);

// Return addresses of one thread that are not in its frames, for one walk from the innermost frame
// outwards.
class TracedReturns {
 public:
  // `thread`: an art::Thread*.
  explicit TracedReturns(uintptr_t thread) : thread_(thread) {}

  // The real return address into `frame`, whose callee returns to `pc`. 0: pc is not the stub, or
  // the thread keeps no address. The result is never the stub, but must still fit the frame.
  // `callee`: its method; 0: unknown.
  [[gnu::noinline]] uintptr_t Find(const RuntimeFacts& facts, uintptr_t frame, uintptr_t callee,
                                   uintptr_t pc);

  // Skips one return address. Addresses kept in sequence (ART 10) must be counted.
  [[gnu::noinline]] void Pass(const RuntimeFacts& facts, uintptr_t pc);

 private:
  uintptr_t thread_;
  uint32_t passed_ = 0;
};

}  // namespace stillframe::walk
