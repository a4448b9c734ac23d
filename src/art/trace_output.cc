// SPDX-License-Identifier: Apache-2.0
// The slot in libart's table of calls through which it hands out its traces.
#include "src/art/trace_output.h"

#include "src/elf/import_slot.h"

namespace stillframe::art {
namespace {

elf::ImportSlot Slot() { return elf::FindImportSlot("libart.so", "PaletteWriteCrashThreadStacks"); }

}  // namespace

uintptr_t FindTraceOutput() {
  const elf::ImportSlot slot = Slot();
  return slot.at != nullptr ? *slot.at : 0;
}

bool ReplaceTraceOutput(uintptr_t replacement) {
  const elf::ImportSlot slot = Slot();
  return slot.at != nullptr && elf::SetImportSlot(slot, replacement);
}

}  // namespace stillframe::art
