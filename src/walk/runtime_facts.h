// SPDX-License-Identifier: Apache-2.0
// What was found out about the runtime of this process at start-up; constant afterwards.
// Context: signal (reading), start-up only (filling)
#pragma once

#include <cstdint>

#include "src/unwind/code_modules.h"
#include "src/walk/code_index.h"
#include "src/walk/layout.h"

namespace stillframe::walk {

// How the owner of a monitor is found; see monitor_owner.cc.
struct MonitorFacts {
  bool are_known = false;
  uint32_t owner = 0;    // offset in art::Monitor
  uint32_t tid = 0;      // offset in art::Thread
  uintptr_t chunks = 0;  // of the pool of monitors; only where pointers have 8 bytes
};

struct RuntimeFacts {
  const Layout* layout = nullptr;
  uint32_t managed_stack = 0;  // offset in art::Thread
  uintptr_t callee_save[kCalleeSaveMethods] = {};
  // Bounds of the watched thread's stack; its quick frames lie inside.
  uintptr_t stack_low = 0;
  uintptr_t stack_high = 0;
  // Code of the mterp interpreter; 0 when not known. Inside it the live dex pc is in a register.
  uintptr_t mterp_begin = 0;
  uintptr_t mterp_end = 0;
  // Code of the nterp interpreter; 0 when this runtime does not run it.
  uintptr_t nterp_begin = 0;
  uintptr_t nterp_end = 0;
  // The stub through which native methods without compiled stubs are called.
  uintptr_t generic_jni_begin = 0;
  uintptr_t generic_jni_end = 0;
  unwind::CodeModules* modules = nullptr;
  CodeIndex* code_index = nullptr;
  MonitorFacts monitors = {};
  // The dex files of the boot class path, each an art::DexFile*; where releases name inlined
  // methods by their number.
  const uintptr_t* boot_dex_files = nullptr;
  uint32_t boot_dex_file_count = 0;
};

inline bool IsInNterp(const RuntimeFacts& facts, uintptr_t pc) {
  return pc >= facts.nterp_begin && pc < facts.nterp_end;
}

inline bool IsInLibrary(const RuntimeFacts& facts, uintptr_t pc) {
  return facts.modules != nullptr && facts.modules->IsInRow(pc);
}

}  // namespace stillframe::walk
