// How compiled methods build and give up their frames on arm. Entries and exits are not decoded for
// this CPU: a sample that lands in one is cut.
// Context: signal
#pragma once

#include <cstdint>

namespace stillframe::arch {

// A call leaves its return address on the stack, not in a register.
constexpr bool kCallPushesReturnAddress = false;

inline bool EnteredFrameBytes(uintptr_t, uintptr_t, uint32_t*) { return false; }
inline bool LeftFrameBytes(uintptr_t, uint32_t*) { return false; }
inline bool IsBehindEntry(uintptr_t, uintptr_t, uint32_t) { return false; }
inline bool GivenUpBytes(uintptr_t, uint32_t*) { return false; }

}  // namespace stillframe::arch
