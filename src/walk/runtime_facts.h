// SPDX-License-Identifier: Apache-2.0
// Facts about this process's runtime, found at start-up; constant afterwards.
// Context: signal (reading), start-up only (filling)
#pragma once

#include <cstdint>

#include "src/unwind/code_modules.h"
#include "src/walk/code_index.h"
#include "src/walk/layout.h"

namespace stillframe::walk {

class WarmFacts;

// How to find a monitor's owner; see monitor_owner.cc.
struct MonitorFacts {
  bool are_known = false;
  uint32_t owner = 0;    // offset in art::Monitor
  uint32_t tid = 0;      // offset in art::Thread
  uintptr_t chunks = 0;  // of the monitor pool; only for 8-byte pointers
};

struct RuntimeFacts {
  const Layout* layout = nullptr;
  uint32_t managed_stack = 0;  // offset in art::Thread
  uintptr_t callee_save[kCalleeSaveMethods] = {};
  // Bounds of the watched thread's stack and so of its quick frames.
  uintptr_t stack_low = 0;
  uintptr_t stack_high = 0;
  // Code of the mterp interpreter; 0: unknown. Inside it the live dex pc is in a register.
  uintptr_t mterp_begin = 0;
  uintptr_t mterp_end = 0;
  // Code of the nterp interpreter; 0: not used by this runtime.
  uintptr_t nterp_begin = 0;
  uintptr_t nterp_end = 0;
  // The stub for calls of native methods without a compiled stub.
  uintptr_t generic_jni_begin = 0;
  uintptr_t generic_jni_end = 0;
  // The runtime's library, which stays loaded; 0: unknown.
  uintptr_t runtime_begin = 0;
  uintptr_t runtime_end = 0;
  unwind::CodeModules* modules = nullptr;
  CodeIndex* code_index = nullptr;
  WarmFacts* warm = nullptr;  // for signals of the watched thread; null: none
  MonitorFacts monitors = {};
  // Dex files of the boot class path, each an art::DexFile*. Set for releases that name inlined
  // methods by dex file number.
  const uintptr_t* boot_dex_files = nullptr;
  uint32_t boot_dex_file_count = 0;
};

inline bool IsInNterp(const RuntimeFacts& facts, uintptr_t pc) {
  return pc >= facts.nterp_begin && pc < facts.nterp_end;
}

inline bool IsInLibrary(const RuntimeFacts& facts, uintptr_t pc) {
  return (pc >= facts.runtime_begin && pc < facts.runtime_end) ||
         (facts.modules != nullptr && facts.modules->IsInRow(pc));
}

}  // namespace stillframe::walk
