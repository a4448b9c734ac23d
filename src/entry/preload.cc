// SPDX-License-Identifier: Apache-2.0
// The start of a preloaded library: nobody calls stillframe_start then. Loaded by an application,
// the application decides.
// Context: the dynamic linker's thread, before main
#include <stdlib.h>
#include <string.h>

#include "src/collector/process.h"

namespace {

[[gnu::constructor]] void OnLoad() {
  const char* preloaded = getenv("LD_PRELOAD");
  if (preloaded == nullptr || strstr(preloaded, "libstillframe.so") == nullptr) return;
  if (stillframe::collector::StartInProcess() == STILLFRAME_OK)
    stillframe::collector::WatchForExit();
}

}  // namespace
