// SPDX-License-Identifier: Apache-2.0
// For CPUs whose compiled code is not read: inlining is known at safepoints only.
// Context: any thread
#pragma once

#include "arch/code_flow.h"

namespace stillframe::arch {

inline bool ReadCodeFlow(const uint8_t*, uint32_t, uint32_t, CodeFlow*) { return false; }
inline bool ReadJumpTable(const uint8_t*, uint32_t, const uint32_t*, uint32_t, JumpTable*) {
  return false;
}

}  // namespace stillframe::arch
