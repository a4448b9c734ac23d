// How compiled methods build and give up their frames on arm. Entries and exits are not decoded for
// this CPU: a sample that lands in one is cut. What the functions say:
// arch/x86_64/compiled_frame.h.
// Context: signal
#pragma once

#include <cstdint>

#include "arch/arm/unwind_registers.h"
#include "arch/caller_place.h"

namespace stillframe::arch {

constexpr uint32_t kLinkRegister = 14;  // by DWARF number

inline bool IsInFrame(uintptr_t, uintptr_t, uint32_t) { return true; }
inline bool FindCallerAtEntry(uintptr_t, uintptr_t, uint32_t, CallerPlace*) { return false; }
inline bool FindCallerAtExit(uintptr_t, CallerPlace*) { return false; }
inline bool FindCallerInBody(uintptr_t, uintptr_t, uint32_t, CallerPlace*) { return false; }
inline bool GivenUpBytes(uintptr_t, uint32_t*) { return false; }

}  // namespace stillframe::arch
