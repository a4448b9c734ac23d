// SPDX-License-Identifier: Apache-2.0
#include "src/art/signal_catcher.h"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace stillframe::art {
namespace {

constexpr const char* kLibart[] = {"/libart.so", "/libart.so.0"};
constexpr const char* kUnwinders[] = {"/libbacktrace.so", "/libbacktrace.so.0",
                                      "/libunwindstack.so"};

CatcherCall Find(std::span<const char* const> libraries, const char* symbol,
                 std::string_view folder = {}) {
  for (const bool is_anywhere : {false, true}) {
    for (const char* library : libraries) {
      const elf::ImportSlot slot = elf::FindImportSlot(library, symbol, folder);
      if (slot.at != nullptr && (slot.is_in_folder || is_anywhere))
        return {__atomic_load_n(slot.at, __ATOMIC_ACQUIRE), symbol, slot};
    }
  }
  return {};
}

// Since Android 10 libart lies in an APEX with libraries of its own, and the system may have
// others of the same names.
std::string FolderOfLibart() {
  for (const char* library : kLibart)
    if (std::string folder = elf::FolderOfLibrary(library); !folder.empty()) return folder;
  return {};
}

}  // namespace

CatcherCall FindSigwait() {
  const CatcherCall call = Find(kLibart, "sigwait64");
  return call.function != 0 ? call : Find(kLibart, "sigwait");
}

CatcherCall FindTraceOutput() { return Find(kLibart, "PaletteWriteCrashThreadStacks"); }
CatcherCall FindStackRequest() { return Find(kUnwinders, "tgkill", FolderOfLibart()); }

bool Replace(const CatcherCall& call, uintptr_t replacement) {
  return call.slot.at != nullptr && elf::SetImportSlot(call.slot, call.function, replacement);
}

}  // namespace stillframe::art
