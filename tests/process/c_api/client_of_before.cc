// SPDX-License-Identifier: Apache-2.0
// A client with its own declarations of release 0.1. It must compile with the current header, link,
// and get the results of that release.
#include <stddef.h>
#include <string.h>

#include <stillframe/profiler.h>

extern "C" {
stillframe_status stillframe_configure(const char*, const char*);
stillframe_status stillframe_configure_document(const char*, size_t);
stillframe_status stillframe_identify(const char*, long long);
stillframe_status stillframe_start(void);
stillframe_status stillframe_wait(unsigned);
stillframe_status stillframe_stop(void);
stillframe_status stillframe_resume(void);
stillframe_status stillframe_dump(char*, size_t);
unsigned stillframe_newest_dump(void);
stillframe_status stillframe_await_dump(unsigned, char*, size_t, unsigned);
unsigned stillframe_newest_record(void);
stillframe_status stillframe_await_record(unsigned, char*, size_t, unsigned);
stillframe_status stillframe_on_record(void (*)(const char*, void*), void*);
stillframe_status stillframe_annotate(const char*, const char*);
stillframe_status stillframe_set_scene(const char*);
stillframe_status stillframe_watch_looper(void);
int stillframe_is_enrolled(const char*, const char*, double);
stillframe_status stillframe_bind_java(void*);
const char* stillframe_state(void);
const char* stillframe_group(void);
const char* stillframe_version(void);
}

static_assert(STILLFRAME_OK == 0 && STILLFRAME_NOT_STARTED == 1 &&
                  STILLFRAME_ALREADY_STARTED == 2 && STILLFRAME_NO_DUMP_DIR == 3 &&
                  STILLFRAME_DUMP_FAILED == 4 && STILLFRAME_TIMED_OUT == 5 &&
                  STILLFRAME_NO_THREAD == 6 && STILLFRAME_BAD_ARGUMENT == 7 &&
                  STILLFRAME_TOO_MANY == 8 && STILLFRAME_TOO_LATE == 9,
              "numbers of statuses");

namespace {

void OnRecord(const char* path, void* argument) { *static_cast<int*>(argument) += path != nullptr; }

}  // namespace

int main() {
  int records = 0;
  char path[64];
  if (stillframe_configure("slow_ms", "40") != STILLFRAME_OK) return 1;
  if (stillframe_configure("ring_kib", "256") != STILLFRAME_BAD_ARGUMENT) return 2;  // a constant
  if (stillframe_configure("no_such", "1") != STILLFRAME_BAD_ARGUMENT) return 3;
  if (stillframe_configure_document("{\"jank_kib\": 64}", 16) != STILLFRAME_OK) return 4;
  if (stillframe_identify("install-1", 12) != STILLFRAME_OK) return 5;
  if (stillframe_on_record(OnRecord, &records) != STILLFRAME_OK) return 6;
  if (stillframe_annotate("a", "b") != STILLFRAME_OK) return 7;
  if (stillframe_set_scene("scene") != STILLFRAME_OK) return 8;
  if (stillframe_is_enrolled("install-1", "startup", 21) != 1) return 9;
  if (stillframe_stop() != STILLFRAME_NOT_STARTED) return 10;
  if (stillframe_resume() != STILLFRAME_NOT_STARTED) return 11;
  if (stillframe_dump(path, sizeof path) != STILLFRAME_NOT_STARTED) return 12;
  if (stillframe_newest_dump() != 0 || stillframe_newest_record() != 0) return 13;
  if (stillframe_await_dump(0, path, sizeof path, 1) == STILLFRAME_OK) return 14;
  if (stillframe_await_record(0, path, sizeof path, 1) == STILLFRAME_OK) return 15;
  if (strncmp(stillframe_state(), "on", 2) == 0) return 16;
  if (strcmp(stillframe_group(), "out") != 0 || strlen(stillframe_version()) == 0) return 17;
  // Linked alone: only with a VM do they mean anything.
  const void* linked[] = {reinterpret_cast<const void*>(&stillframe_watch_looper),
                          reinterpret_cast<const void*>(&stillframe_bind_java),
                          reinterpret_cast<const void*>(&stillframe_start),
                          reinterpret_cast<const void*>(&stillframe_wait)};
  for (const void* one : linked)
    if (one == nullptr) return 18;
  return 0;
}
