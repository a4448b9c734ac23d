// SPDX-License-Identifier: Apache-2.0
// The slots in libart's table of calls, which Debian's builds have under another file name.
#include "src/art/signal_catcher.h"

#include "src/elf/import_slot.h"

namespace stillframe::art {
namespace {

elf::ImportSlot SlotOf(const char* symbol) {
  const elf::ImportSlot slot = elf::FindImportSlot("libart.so", symbol);
  return slot.at != nullptr ? slot : elf::FindImportSlot("libart.so.0", symbol);
}

CatcherCall Find(const char* symbol) {
  const elf::ImportSlot slot = SlotOf(symbol);
  if (slot.at == nullptr) return {};
  return {*slot.at, symbol};
}

}  // namespace

CatcherCall FindSigwait() {
  const CatcherCall call = Find("sigwait64");
  return call.function != 0 ? call : Find("sigwait");
}

CatcherCall FindTraceOutput() { return Find("PaletteWriteCrashThreadStacks"); }

bool Replace(const CatcherCall& call, uintptr_t replacement) {
  const elf::ImportSlot slot = SlotOf(call.symbol);
  return slot.at != nullptr && elf::SetImportSlot(slot, replacement);
}

}  // namespace stillframe::art
