// SPDX-License-Identifier: Apache-2.0
// Fragments of a managed stack: one ManagedStack in the thread, and one on its stack per call into
// managed code.
#pragma once

#include <cstdint>

#include "arch/arch.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::walk {

// All three without pointer tags.
struct Fragment {
  uintptr_t tagged_quick_frame;
  uintptr_t link;
  uintptr_t shadow_frame;
};

inline bool IsOnStack(const RuntimeFacts& facts, uintptr_t address, uintptr_t alignment) {
  return address >= facts.stack_low && address < facts.stack_high && address % alignment == 0;
}

// False if it is unreadable.
bool LoadFragment(const Layout& layout, uintptr_t address, Fragment* fragment);

// State of the thread's own fragment. A signal may interrupt ART while it pushes or pops it (ART 11
// runtime/managed_stack-inl.h, PushManagedStackFragment and PopManagedStackFragment).
enum class TopFragment {
  kWhole,
  kCopied,  // the next fragment has the same frames
  kTorn,    // parts of it are in registers only
};

// Applies the stores ahead of the interrupted `registers` to `fragment`, loaded from `address`.
TopFragment SettleTopFragment(const RuntimeFacts& facts, uintptr_t address,
                              const arch::Registers& registers, Fragment* fragment);

}  // namespace stillframe::walk
