// SPDX-License-Identifier: Apache-2.0
// Frames of compiled methods on x86. Prologues and epilogues are not decoded: a sample that lands
// in one is truncated. arch/x86_64/compiled_frame.h describes the functions.
// Context: signal; FindCallerIn*: also collector (src/names)
#pragma once

#include <cstdint>

#include "arch/caller_place.h"
#include "arch/x86/unwind_registers.h"

namespace stillframe::arch {

// Moves of the stack pointer within a method's body are not tracked.
constexpr uint32_t kMaxScratchBytes = 0;

// This CPU has no link register: calls push the return address.
constexpr uint32_t kLinkRegister = kDwarfPc;

inline bool IsInFrame(uintptr_t, uintptr_t, uint32_t) { return true; }
inline bool FindCallerInPrologue(uintptr_t, uintptr_t, uint32_t, CallerPlace*) { return false; }
inline bool FindCallerInEpilogue(uintptr_t, CallerPlace*) { return false; }
// A leaf without a frame has its return address on top of the stack.
inline bool FindCallerInBody(uintptr_t, uintptr_t, uint32_t frame_bytes, CallerPlace* place) {
  *place = {sizeof(uintptr_t), false};
  return frame_bytes == 0;
}

// Whether the code begins with a stack allocation: sub $imm8, %esp.
inline bool TakesStack(uintptr_t begin) {
  uint32_t code = 0;
  return GuardedLoad32(begin, &code) && (code & 0xffff) == 0xec83;
}

inline bool IsRuntimeTrampoline(uintptr_t) { return false; }
inline bool HasStoredMethod(uintptr_t, uintptr_t) { return false; }
inline bool DroppedFrameBytes(uintptr_t, uint32_t*) { return false; }

}  // namespace stillframe::arch
