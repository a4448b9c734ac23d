// SPDX-License-Identifier: Apache-2.0
// The Signal Catcher's report, copied while it is handed out: the stacks of all threads and who
// owns which lock, without another suspension of the process.
//
// The runtime gives the whole text to PaletteWriteCrashThreadStacks of libartpalette (ART 10, 11
// and 14, runtime/signal_catcher.cc, Output). The function here takes that one's place in libart's
// table of calls, copies what is wanted, and calls the original. Surviving risk: a runtime that is
// linked with the palette inside calls it without a table, and is not heard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "src/core/waker.h"

namespace stillframe::sigquit {

class CatcherOutput {
 public:
  static constexpr size_t kMaxBytes = 256 * 1024;

  // What the runtime is to call instead of `original`; each report that was wanted wakes `waker`.
  // Once per process. Context: start-up only
  static uintptr_t Replacement(uintptr_t original, const core::Waker* waker);

  // The report on the SIGQUIT of this number (CatcherWatch::arrivals) is wanted; a copy of an
  // earlier one is dropped. Context: collector
  static void Expect(unsigned arrival);

  // The report that was wanted, at most its first kMaxBytes; false while it has not come.
  // Context: collector
  static bool Take(std::string* text, uint64_t* full_bytes);
};

}  // namespace stillframe::sigquit
