// SPDX-License-Identifier: Apache-2.0
// Facts about a single quick frame: its code position, whether a return address fits it, and the
// sizes of the runtime's own frames.
#pragma once

#include <cstdint>

#include "arch/arch.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::walk {

// A quick frame and its position in code.
struct QuickPlace {
  uintptr_t frame;
  uintptr_t pc;     // in the frame's code; 0: a fragment's top frame, left by managed code
  uint32_t dex_pc;  // from a live register; kNoDexPc: read it from the frame
  // The top frame of a generic JNI stub, by the tag of top_quick_frame.
  bool is_generic_jni = false;
};

// Whether the frame at `place` can be the one that its pc, a return address, returns into. It is an
// nterp frame, a compiled method's whose code contains pc, or the invoke stub's null, with pc in a
// library.
bool FitsReturnAddress(const RuntimeFacts& facts, const QuickPlace& place);

// Whether a frame begins at `frame` that fits the return address in the word below it.
bool HasFittingCaller(const RuntimeFacts& facts, uintptr_t frame);

// Size of a callee-save frame; 0: `method` is not a callee-save method.
inline uint32_t CalleeSaveFrameBytes(const RuntimeFacts& facts, uintptr_t method) {
  for (uint32_t i = 0; i < kCalleeSaveMethods; ++i)
    if (facts.callee_save[i] == method) return arch::kCalleeSaveFrameBytes[i];
  return 0;
}

// Size of the generic JNI frame at `frame`; 0: its handle scope is unreadable (ART 10
// runtime/stack.cc, GetCurrentQuickFrameInfo: callee saves without their method, method, handle
// scope).
inline uint32_t GenericJniFrameBytes(const Layout& layout, uintptr_t frame) {
  if (layout.jni_handle_count == 0) return arch::kGenericJniFrameBytes;
  // At most 255 arguments and the class.
  constexpr uint32_t kMaxHandles = 256;
  uint32_t handles = 0;
  if (!arch::GuardedLoad32(frame + layout.jni_handle_count, &handles) || handles > kMaxHandles)
    return 0;
  const uint32_t bytes =
      layout.jni_handles + 4 * handles + arch::kGenericJniFrameBytes - uint32_t{sizeof(uintptr_t)};
  return (bytes + arch::kStackAlignment - 1) & ~(arch::kStackAlignment - 1);
}

}  // namespace stillframe::walk
