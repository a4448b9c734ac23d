// SPDX-License-Identifier: Apache-2.0
// Stands for a device's libcutils: each text is one write to the marker, which is the file MARKER
// of the environment. With TAGS there the system's own trace has these on.
// Context: any thread
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/process/sections/trace.h"

#define SF_EXPORTED [[gnu::visibility("default")]]

extern "C" {
SF_EXPORTED uint64_t atrace_enabled_tags = 0;
SF_EXPORTED int atrace_marker_fd = -1;
}

namespace {

[[gnu::constructor]] void Open() {
  if (const char* marker = getenv("MARKER"))
    atrace_marker_fd = open(marker, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (const char* tags = getenv("TAGS")) atrace_enabled_tags = strtoull(tags, nullptr, 0);
}

template <typename... Values>
void Write(const char* format, Values... values) {
  constexpr size_t kMaxText = 1024;
  char text[kMaxText];
  const int bytes = snprintf(text, sizeof text, format, getpid(), values...);
  [[maybe_unused]] const ssize_t written =
      write(atrace_marker_fd, text,
            bytes < static_cast<int>(kMaxText) ? static_cast<size_t>(bytes) : kMaxText - 1);
}

}  // namespace

extern "C" {

SF_EXPORTED void atrace_begin_body(const char* name) { Write("B|%d|%s", name); }
SF_EXPORTED void atrace_end_body() { Write("E|%d"); }
SF_EXPORTED void atrace_async_begin_body(const char* name, int32_t cookie) {
  Write("S|%d|%s|%d", name, cookie);
}
SF_EXPORTED void atrace_async_end_body(const char* name, int32_t cookie) {
  Write("F|%d|%s|%d", name, cookie);
}
SF_EXPORTED void atrace_async_for_track_begin_body(const char* track, const char* name,
                                                   int32_t cookie) {
  Write("G|%d|%s|%s|%d", track, name, cookie);
}
SF_EXPORTED void atrace_async_for_track_end_body(const char* track, int32_t cookie) {
  Write("H|%d|%s|%d", track, cookie);
}
SF_EXPORTED void atrace_instant_body(const char* name) { Write("I|%d|%s", name); }
SF_EXPORTED void atrace_int64_body(const char* name, int64_t value) {
  Write("C|%d|%s|%lld", name, static_cast<long long>(value));
}
}
