// SPDX-License-Identifier: Apache-2.0
// What is told of one quick frame by itself: where its code stands, whether a return address fits
// it, how large the runtime's own ones are.
#pragma once

#include <cstdint>

#include "arch/arch.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::walk {

// A quick frame and where its code stands.
struct QuickPlace {
  uintptr_t frame;
  uintptr_t pc;     // inside the frame's code; 0 for the top frame of a fragment that left it
  uint32_t dex_pc;  // known from a live register; kNoDexPc: read it from the frame
  // The top frame of a generic JNI stub, as the tag of top_quick_frame says.
  bool is_generic_jni = false;
};

// True when a frame at `place` can be what its pc, a return address, goes back to: of nterp or of a
// compiled method whose code holds pc, at its entry point or elsewhere, or the null that the invoke
// stub leaves, for a pc in a library.
bool FitsReturnAddress(const RuntimeFacts& facts, const QuickPlace& place);

// A frame that its own return address, the word below, fits begins at `frame`.
bool HasFittingCaller(const RuntimeFacts& facts, uintptr_t frame);

// Bytes of a callee-save frame; 0 when `method` is no callee-save method.
inline uint32_t CalleeSaveFrameBytes(const RuntimeFacts& facts, uintptr_t method) {
  for (uint32_t i = 0; i < kCalleeSaveMethods; ++i)
    if (facts.callee_save[i] == method) return arch::kCalleeSaveFrameBytes[i];
  return 0;
}

// Bytes of the generic JNI frame at `frame`; 0 when its handle scope cannot be read (ART 10
// runtime/stack.cc, GetCurrentQuickFrameInfo: callee saves without their method, method, handle
// scope).
inline uint32_t GenericJniFrameBytes(const Layout& layout, uintptr_t frame) {
  if (layout.jni_handle_count == 0) return arch::kGenericJniFrameBytes;
  // A method has at most 255 arguments, and its class.
  constexpr uint32_t kMaxHandles = 256;
  uint32_t handles = 0;
  if (!arch::GuardedLoad32(frame + layout.jni_handle_count, &handles) || handles > kMaxHandles)
    return 0;
  const uint32_t bytes =
      layout.jni_handles + 4 * handles + arch::kGenericJniFrameBytes - uint32_t{sizeof(uintptr_t)};
  return (bytes + arch::kStackAlignment - 1) & ~(arch::kStackAlignment - 1);
}

}  // namespace stillframe::walk
