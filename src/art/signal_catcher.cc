// SPDX-License-Identifier: Apache-2.0
// The slots in tables of calls, which Debian's builds have under other file names.
#include "src/art/signal_catcher.h"

#include <span>

#include "src/elf/import_slot.h"

namespace stillframe::art {
namespace {

constexpr const char* kLibart[] = {"/libart.so", "/libart.so.0"};
constexpr const char* kUnwinders[] = {"/libbacktrace.so", "/libbacktrace.so.0",
                                      "/libunwindstack.so"};

CatcherCall Find(std::span<const char* const> libraries, const char* symbol) {
  for (const char* library : libraries) {
    const elf::ImportSlot slot = elf::FindImportSlot(library, symbol);
    if (slot.at != nullptr) return {*slot.at, symbol, library};
  }
  return {};
}

}  // namespace

CatcherCall FindSigwait() {
  const CatcherCall call = Find(kLibart, "sigwait64");
  return call.function != 0 ? call : Find(kLibart, "sigwait");
}

CatcherCall FindTraceOutput() { return Find(kLibart, "PaletteWriteCrashThreadStacks"); }
CatcherCall FindStackRequest() { return Find(kUnwinders, "tgkill"); }

bool Replace(const CatcherCall& call, uintptr_t replacement) {
  const elf::ImportSlot slot = elf::FindImportSlot(call.library, call.symbol);
  return slot.at != nullptr && elf::SetImportSlot(slot, replacement);
}

}  // namespace stillframe::art
