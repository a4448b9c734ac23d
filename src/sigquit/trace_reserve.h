// SPDX-License-Identifier: Apache-2.0
// Address space reserved for the Signal Catcher's trace.
//
// Problem: the catcher needs address space for its trace (ART 14 aborts without,
// libartbase/base/mem_map_arena_pool.cc), and a dump of ours needs some at the same time. The
// process may have none left.
// Rule: enough for both is reserved early, without touching a page. It is released right before the
// catcher gets its signal, and reserved again afterwards.
// Surviving risk: another thread takes the released space first.
#pragma once

#include <cstddef>

namespace stillframe::sigquit {

class TraceReserve {
 public:
  static constexpr size_t kBytes = sizeof(void*) == 8 ? 8U << 20 : 2U << 20;

  // Does nothing if space is reserved already or unavailable. Context: collector
  static void Keep();
  // One system call. Context: any thread and signal
  static void Release();
};

}  // namespace stillframe::sigquit
