// SPDX-License-Identifier: Apache-2.0
// Checks the code before a return address on x86 and x86_64. Their unwind_registers.h provide the
// guarded loads.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2: CALL.
// Context: signal
#pragma once

#include <cstdint>
#include <initializer_list>

#include "arch/call_before.h"

namespace stillframe::arch {

// Whether the word before an address is a pointer into the upper half of user space, to mapped
// memory. The kernel puts libraries and stacks there. The high bytes of such a pointer may decode
// as a call; instructions form such a pointer by chance only. The lower half is excluded: a near
// call's distance can look like a pointer there, where much is mapped (a sanitizer's shadow).
inline bool FollowsPointer(uintptr_t address) {
  uint64_t word = 0;
  uint8_t there = 0;
  return sizeof(uintptr_t) == 8 && address % 8 == 0 && GuardedLoad64(address - 8, &word) &&
         word >> 46 == 1 && GuardedLoad8(static_cast<uintptr_t>(word), &there);
}

// Whether the bytes before a return address are a call: direct, or through a register or memory.
// Rejects words that only look like return addresses while registers are being restored.
inline CallBefore ReadCallBefore(uintptr_t return_address) {
  uint8_t before[8] = {};
  for (uintptr_t i = 1; i < sizeof before; ++i)
    if (!GuardedLoad8(return_address - i, &before[i])) return CallBefore::kUnreadable;
  bool is_call = before[5] == 0xe8;
  for (const uint32_t length : {2U, 3U, 4U, 6U, 7U}) {
    if (is_call) break;
    is_call = before[length] == 0xff && (before[length - 1] & 0x38) == 0x10;
  }
  const bool is_pointer = before[1] == 0 && before[2] == 0 && FollowsPointer(return_address);
  return is_call && !is_pointer ? CallBefore::kYes : CallBefore::kNo;
}

inline bool FollowsCall(uintptr_t return_address) {
  return ReadCallBefore(return_address) == CallBefore::kYes;
}

// ART's stub that a method returns to while its calls are traced, without a call before it (ART 8
// to 13 runtime/arch/x86_64/quick_entrypoints_x86_64.S, art_quick_instrumentation_exit): push $0,
// and the first pushes of SETUP_SAVE_EVERYTHING_FRAME.
inline bool IsInstrumentationExit(uintptr_t return_address) {
  constexpr bool kIs64 = sizeof(void*) == 8;
  uint32_t first = 0;
  uint32_t second = 0;
  return GuardedLoad32(return_address, &first) && first == (kIs64 ? 0x5741006a : 0x5657006a) &&
         GuardedLoad32(return_address + 4, &second) && second == (kIs64 ? 0x55415641 : 0x51525355);
}

// ART's long jump loads the stack pointer first on these CPUs.
inline bool IsInLongJump(uintptr_t) { return false; }

// Target of the direct call before a return address; 0: not a direct call.
inline uintptr_t DirectCallTarget(uintptr_t return_address) {
  uint8_t opcode = 0;
  uint32_t distance = 0;
  if (!GuardedLoad8(return_address - 5, &opcode) || opcode != 0xe8 ||
      !GuardedLoad32(return_address - 4, &distance))
    return 0;
  return return_address + static_cast<uintptr_t>(intptr_t{static_cast<int32_t>(distance)});
}

}  // namespace stillframe::arch
