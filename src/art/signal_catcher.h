// SPDX-License-Identifier: Apache-2.0
// The functions of other libraries by which the runtime's Signal Catcher waits for signals and
// hands out its traces.
// Source: ART 8 to 16, runtime/signal_set.h (Wait: sigwait, with bionic sigwait64); ART 10, 11 and
// 14, runtime/signal_catcher.cc (Output) and runtime/Android.bp: PaletteWriteCrashThreadStacks in
// libartpalette, a library of its own.
// Context: start-up only; takes the dynamic linker's lock
#pragma once

#include <cstdint>

namespace stillframe::art {

struct CatcherCall {
  uintptr_t function = 0;  // 0: this build of ART calls no function of another library
  const char* symbol = nullptr;
  uintptr_t* slot = nullptr;  // through which it is called
};

// Its thread; 0 while there is none.
int32_t FindSignalCatcher();

// For the wait: sigwait64 or sigwait.
CatcherCall FindSigwait();
CatcherCall FindTraceOutput();

// Makes the library call `replacement` instead. False when its table of calls cannot be written to;
// nothing is changed then.
bool Replace(const CatcherCall& call, uintptr_t replacement);

}  // namespace stillframe::art
