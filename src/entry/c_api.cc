// SPDX-License-Identifier: Apache-2.0
// The C API over the one collector.
#include <string.h>

#include <string>

#include "src/collector/process.h"

namespace collector = stillframe::collector;

namespace {

constexpr uint32_t kDumpTimeoutMs = 5'000;

}  // namespace

extern "C" {

stillframe_status stillframe_start(void) { return collector::StartInProcess(); }
stillframe_status stillframe_wait(unsigned timeout_ms) {
  return collector::WaitForStart(timeout_ms);
}
stillframe_status stillframe_stop(void) { return collector::StopSampling(); }
stillframe_status stillframe_resume(void) { return collector::ResumeSampling(); }
stillframe_status stillframe_watch_looper(void) { return collector::WatchThisLooper(); }
const char* stillframe_state(void) { return collector::StateText(); }
const char* stillframe_version(void) { return STILLFRAME_VERSION; }

stillframe_status stillframe_dump(char* path, size_t path_bytes) {
  std::string written;
  const stillframe_status status = collector::DumpOnRequest(kDumpTimeoutMs, &written);
  if (path != nullptr && path_bytes > 0) {
    strncpy(path, written.c_str(), path_bytes - 1);
    path[path_bytes - 1] = '\0';
  }
  return status;
}

stillframe_status stillframe_configure(const char* name, const char* value) {
  return collector::Configure(name, value);
}

stillframe_status stillframe_annotate(const char* name, const char* value) {
  return collector::Annotate(name, value);
}

stillframe_status stillframe_set_scene(const char* scene) { return collector::SetScene(scene); }

}  // extern "C"
