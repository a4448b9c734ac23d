// SPDX-License-Identifier: Apache-2.0
// One line at a time, to logcat or to a copy of standard error.
#include "src/os/log.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__ANDROID__)
#include <android/log.h>
#endif

namespace stillframe::os {
namespace {

constexpr const char* kTag = "stillframe";

// Written once at start-up.
int g_log_fd = STDERR_FILENO;

}  // namespace

void KeepLogOpen() {
  const int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (fd >= 0) g_log_fd = fd;
}

void Log(const char* format, ...) {
  char line[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
#if defined(__ANDROID__)
  __android_log_write(ANDROID_LOG_INFO, kTag, line);
#else
  dprintf(g_log_fd, "%s: %s\n", kTag, line);
#endif
}

}  // namespace stillframe::os
