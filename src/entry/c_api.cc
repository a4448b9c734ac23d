// SPDX-License-Identifier: Apache-2.0
// The C API over the one collector.
#include <string.h>

#include <string>

#include "src/collector/process.h"
#include "src/core/clock.h"

using stillframe::collector::OfProcess;
using stillframe::core::MonotonicNs;

namespace {

constexpr uint32_t kDumpTimeoutMs = 5'000;

}  // namespace

extern "C" {

stillframe_status stillframe_start(void) { return stillframe::collector::StartInProcess(); }
stillframe_status stillframe_wait(unsigned timeout_ms) { return OfProcess().Wait(timeout_ms); }
stillframe_status stillframe_stop(void) { return OfProcess().Stop(); }
stillframe_status stillframe_resume(void) { return OfProcess().Resume(); }
stillframe_status stillframe_watch_looper(void) { return OfProcess().WatchLooper(); }
const char* stillframe_state(void) { return OfProcess().StateText(); }
const char* stillframe_version(void) { return STILLFRAME_VERSION; }

stillframe_status stillframe_dump(char* path, size_t path_bytes) {
  std::string written;
  const stillframe_status status =
      OfProcess().RequestDump(stillframe::model::Trigger::kApi, kDumpTimeoutMs, &written);
  if (path != nullptr && path_bytes > 0) {
    strncpy(path, written.c_str(), path_bytes - 1);
    path[path_bytes - 1] = '\0';
  }
  return status;
}

stillframe_status stillframe_annotate(const char* name, const char* value) {
  return OfProcess().annotations().Set(name, value, MonotonicNs()) ? STILLFRAME_OK
                                                                   : STILLFRAME_BAD_ARGUMENT;
}

stillframe_status stillframe_set_scene(const char* scene) {
  OfProcess().annotations().SetScene(scene, MonotonicNs());
  return STILLFRAME_OK;
}

}  // extern "C"
