// SPDX-License-Identifier: Apache-2.0
// One slot, and the function that stands in it.
#include "src/collector/immediate_exit.h"

#include <unistd.h>

#include "src/elf/import_slot.h"

namespace stillframe::collector {
namespace {

using Exit = void (*)(int);

// Written before the slot is, read by the thread that ends the process.
Exit g_original = nullptr;
void (*g_before)() = nullptr;
pid_t g_process = 0;

void OnExit(int status) {
  // The child of a vfork runs in its parent's memory.
  if (getpid() == g_process) g_before();
  g_original(status);
}

}  // namespace

bool RunBeforeImmediateExit(void (*before)()) {
  const elf::ImportSlot slot = elf::FindImportSlot("/libandroid_runtime.so", "_exit");
  if (slot.at == nullptr || g_original != nullptr) return false;
  const uintptr_t original = __atomic_load_n(slot.at, __ATOMIC_ACQUIRE);
  g_original = reinterpret_cast<Exit>(original);
  g_before = before;
  g_process = getpid();
  return elf::SetImportSlot(slot, original, reinterpret_cast<uintptr_t>(&OnExit));
}

}  // namespace stillframe::collector
