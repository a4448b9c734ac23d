// Where the runtime hands out the traces that its Signal Catcher makes.
// Source: ART 10, 11 and 14, runtime/signal_catcher.cc (Output) and runtime/Android.bp: libart calls
// PaletteWriteCrashThreadStacks in libartpalette, a library of its own.
// Context: start-up only
#pragma once

#include <cstdint>

#include "src/elf/import_slot.h"

namespace stillframe::art {

inline elf::ImportSlot FindTraceOutput() {
  return elf::FindImportSlot("libart.so", "PaletteWriteCrashThreadStacks");
}

}  // namespace stillframe::art
