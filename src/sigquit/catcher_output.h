// SPDX-License-Identifier: Apache-2.0
// Copies the Signal Catcher's report as it is written: the stacks of all threads and the owners of
// locks, without another suspension of the process.
//
// The runtime passes the whole text to PaletteWriteCrashThreadStacks of libartpalette (ART 10, 11
// and 14, runtime/signal_catcher.cc, Output). In libart's import table our function replaces it,
// copies a wanted report, and calls the original. Surviving risk: a runtime with the palette linked
// in calls it directly, and its report is missed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "src/core/waker.h"

namespace stillframe::sigquit {

class CatcherOutput {
 public:
  static constexpr size_t kMaxBytes = 256 * 1024;

  // The function for the runtime to call instead of `original`. Each wanted report wakes `waker`.
  // Once per process. Context: start-up only
  static uintptr_t Replacement(uintptr_t original, const core::Waker* waker);

  // Requests the report on the SIGQUIT with this number (CatcherWatch::arrivals). Drops a copy of
  // an earlier one. Context: collector
  static void Expect(unsigned arrival);

  // Takes the requested report, at most its first kMaxBytes; false: not there yet.
  // Context: collector
  static bool Take(std::string* text, uint64_t* full_bytes);
};

}  // namespace stillframe::sigquit
