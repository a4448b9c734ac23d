// SPDX-License-Identifier: Apache-2.0
#include "src/art/signal_catcher.h"

#include <initializer_list>

#include "src/elf/import_slot.h"
#include "src/os/proc.h"

namespace stillframe::art {
namespace {

CatcherCall Find(const char* symbol) {
  for (const char* libart : {"/libart.so", "/libart.so.0"}) {
    uintptr_t* slot = elf::FindImportSlot(libart, symbol);
    if (slot != nullptr) return {__atomic_load_n(slot, __ATOMIC_ACQUIRE), symbol, slot};
  }
  return {};
}

}  // namespace

int32_t FindSignalCatcher() { return os::FindThreadByName("Signal Catcher"); }

CatcherCall FindSigwait() {
  const CatcherCall call = Find("sigwait64");
  return call.function != 0 ? call : Find("sigwait");
}

CatcherCall FindTraceOutput() { return Find("PaletteWriteCrashThreadStacks"); }

bool Replace(const CatcherCall& call, uintptr_t replacement) {
  return call.slot != nullptr && elf::SetImportSlot(call.slot, call.function, replacement);
}

}  // namespace stillframe::art
