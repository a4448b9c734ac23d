// SPDX-License-Identifier: Apache-2.0
// Where the runtime hands out the traces that its Signal Catcher makes.
// Source: ART 10, 11 and 14, runtime/signal_catcher.cc (Output) and runtime/Android.bp: libart calls
// PaletteWriteCrashThreadStacks in libartpalette, a library of its own.
// Context: start-up only; takes the dynamic linker's lock
#pragma once

#include <cstdint>

namespace stillframe::art {

// The function that libart calls with its traces; 0 when this build does not call one in another
// library.
uintptr_t FindTraceOutput();

// Makes libart call `replacement` instead. False when its table of calls cannot be written to;
// nothing is changed then.
bool ReplaceTraceOutput(uintptr_t replacement);

}  // namespace stillframe::art
