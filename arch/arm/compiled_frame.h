// SPDX-License-Identifier: Apache-2.0
// Frames of compiled methods on arm. Prologues and epilogues are not decoded: a sample that lands
// in one is truncated. arch/x86_64/compiled_frame.h describes the functions.
// Context: signal
#pragma once

#include <cstdint>

#include "arch/arm/guarded_load.h"
#include "arch/arm/unwind_registers.h"
#include "arch/caller_place.h"

namespace stillframe::arch {

// Compiled code does not move the stack pointer within a method's body.
constexpr uint32_t kMaxScratchBytes = 0;

constexpr uint32_t kLinkRegister = 14;  // by DWARF number

// A class check and the stack probe precede the push.
constexpr uint32_t kMaxPrologueInstructions = 32;

// Before the push, the stack pointer is the caller's, which may be the same method. After it, the
// word there is a saved register until the frame is complete.
inline bool IsInFrame(uintptr_t begin, uintptr_t pc, uint32_t) {
  for (uint32_t i = 0; begin < pc && i < kMaxPrologueInstructions; ++i) {
    uint16_t first = 0;
    uint16_t second = 0;
    if (!GuardedLoad16(begin, &first)) return false;
    const bool is_wide = first >= 0xe800;
    if (is_wide && !GuardedLoad16(begin + 2, &second)) return false;
    const bool is_push = (first & 0xff00) == 0xb500 ||
                         (first == 0xe92d && (second & 0x4000) != 0) ||
                         (first == 0xf84d && second == 0xed04);  // str lr, [sp, -4]!
    if (is_push) return true;
    begin += is_wide ? 4 : 2;
  }
  return false;
}
inline bool FindCallerInPrologue(uintptr_t, uintptr_t, uint32_t, CallerPlace*) { return false; }
inline bool FindCallerInEpilogue(uintptr_t, CallerPlace*) { return false; }
inline bool FindCallerInBody(uintptr_t, uintptr_t, uint32_t, CallerPlace*) { return false; }
// Not decoded on this CPU.
inline bool TakesStack(uintptr_t) { return false; }

inline bool IsRuntimeTrampoline(uintptr_t) { return false; }
inline bool HasStoredMethod(uintptr_t, uintptr_t) { return false; }
inline bool DroppedFrameBytes(uintptr_t, uint32_t*) { return false; }

}  // namespace stillframe::arch
