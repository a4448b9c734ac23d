// The C API over the one profiler, and the start of a preloaded library.
#include <stdlib.h>
#include <string.h>

#include "src/collector/profiler.h"
#include "src/core/clock.h"

using stillframe::collector::Profiler;
using stillframe::core::MonotonicNs;

namespace {

constexpr uint32_t kDumpTimeoutMs = 5'000;

// Preloaded, nobody calls stillframe_start; loaded by an application, the application decides.
[[gnu::constructor]] void OnLoad() {
  const char* preloaded = getenv("LD_PRELOAD");
  if (preloaded == nullptr || strstr(preloaded, "libstillframe.so") == nullptr) return;
  if (stillframe_start() == STILLFRAME_OK) {
    atexit([] { Profiler::Get().AtExit(); });
  }
}

}  // namespace

extern "C" {

stillframe_status stillframe_start(void) { return Profiler::Get().Start(); }
stillframe_status stillframe_wait(unsigned timeout_ms) { return Profiler::Get().Wait(timeout_ms); }
stillframe_status stillframe_stop(void) { return Profiler::Get().Stop(); }
stillframe_status stillframe_resume(void) { return Profiler::Get().Resume(); }
stillframe_status stillframe_watch_looper(void) { return Profiler::Get().WatchLooper(); }
const char* stillframe_state(void) { return Profiler::Get().State(); }
const char* stillframe_version(void) { return STILLFRAME_VERSION; }

stillframe_status stillframe_dump(char* path, size_t path_bytes) {
  std::string written;
  const stillframe_status status =
      Profiler::Get().RequestDump(stillframe::model::Trigger::kApi, kDumpTimeoutMs, &written);
  if (path != nullptr && path_bytes > 0) {
    strncpy(path, written.c_str(), path_bytes - 1);
    path[path_bytes - 1] = '\0';
  }
  return status;
}

stillframe_status stillframe_annotate(const char* name, const char* value) {
  return Profiler::Get().annotations().Set(name, value, MonotonicNs()) ? STILLFRAME_OK
                                                                       : STILLFRAME_BAD_ARGUMENT;
}

stillframe_status stillframe_set_scene(const char* scene) {
  Profiler::Get().annotations().SetScene(scene, MonotonicNs());
  return STILLFRAME_OK;
}

}  // extern "C"
