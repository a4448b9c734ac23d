// SPDX-License-Identifier: Apache-2.0
// The imported functions by which the runtime's Signal Catcher waits for signals and outputs its
// traces.
// Source: ART 8 to 16, runtime/signal_set.h (Wait: sigwait, with bionic sigwait64); ART 10, 11 and
// 14, runtime/signal_catcher.cc (Output) and runtime/Android.bp: PaletteWriteCrashThreadStacks in
// libartpalette, a library of its own.
// Context: start-up only; takes the dynamic linker's lock
#pragma once

#include <cstdint>

namespace stillframe::art {

struct CatcherCall {
  uintptr_t function = 0;  // 0: this build of ART imports no such function
  const char* symbol = nullptr;
  uintptr_t* slot = nullptr;  // the import slot for it
};

// Kernel id of its thread; 0: none.
int32_t FindSignalCatcher();

// The import for the wait: sigwait64 or sigwait.
CatcherCall FindSigwait();
CatcherCall FindTraceOutput();

// Makes the library call `replacement`. False, with nothing changed, if its import table is not
// writable.
bool Replace(const CatcherCall& call, uintptr_t replacement);

}  // namespace stillframe::art
