// SPDX-License-Identifier: Apache-2.0
// Fragments of a managed stack: ManagedStack, one in the thread and one on its stack for each call
// into managed code.
#pragma once

#include <cstdint>

#include "arch/arch.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::walk {

// All three without the tags of pointers.
struct Fragment {
  uintptr_t tagged_quick_frame;
  uintptr_t link;
  uintptr_t shadow_frame;
};

inline bool IsOnStack(const RuntimeFacts& facts, uintptr_t address, uintptr_t alignment) {
  return address >= facts.stack_low && address < facts.stack_high && address % alignment == 0;
}

// False when it cannot be read.
bool LoadFragment(const Layout& layout, uintptr_t address, Fragment* fragment);

// What a signal can find while ART pushes or pops the fragment in the thread, which takes some
// instructions (ART 11 runtime/managed_stack-inl.h, PushManagedStackFragment and
// PopManagedStackFragment).
enum class TopFragment {
  kWhole,
  kCopied,  // its frames stand in the next one too
  kTorn,    // some of what belongs to it is in registers only
};

// `registers`: where the thread was interrupted. What it is about to store is put into `fragment`,
// which was loaded from `address`.
TopFragment SettleTopFragment(const RuntimeFacts& facts, uintptr_t address,
                              const arch::Registers& registers, Fragment* fragment);

}  // namespace stillframe::walk
