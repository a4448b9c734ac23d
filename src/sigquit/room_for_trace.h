// SPDX-License-Identifier: Apache-2.0
// Address space that is kept for the Signal Catcher's trace.
//
// Problem: in a process that has used up its address space the catcher needs some for its trace
// (ART 14 aborts without, libartbase/base/mem_map_arena_pool.cc), and a dump of ours takes some at
// the same time. Rule: as much as both need is kept while there is plenty, not a page of it
// touched, and given back right before the catcher gets its signal; it is kept anew afterwards.
// Surviving risk: another thread of the process takes it first.
#pragma once

#include <cstddef>

namespace stillframe::sigquit {

class RoomForTrace {
 public:
  static constexpr size_t kBytes = sizeof(void*) == 8 ? 8U << 20 : 2U << 20;

  // Nothing where it is kept already, or there is none. Context: collector
  static void Keep();
  // One system call. Context: any thread and signal
  static void GiveBack();
};

}  // namespace stillframe::sigquit
