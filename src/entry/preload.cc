// SPDX-License-Identifier: Apache-2.0
// Starts the profiler of a preloaded library, which has no caller of stillframe_start. If an
// application loads the library, the application decides.
// Context: the dynamic linker's thread, before main
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "src/collector/process.h"

namespace {

[[gnu::constructor]] void OnLoad() {
  const char* preloaded = getenv("LD_PRELOAD");
  Dl_info own = {};
  if (preloaded == nullptr || dladdr(reinterpret_cast<void*>(&OnLoad), &own) == 0) return;
  // By its current file name: the file may be renamed.
  const char* slash = strrchr(own.dli_fname, '/');
  if (strstr(preloaded, slash == nullptr ? own.dli_fname : slash + 1) == nullptr) return;
  stillframe::collector::StartInProcess();
}

}  // namespace
