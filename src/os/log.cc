// SPDX-License-Identifier: Apache-2.0
#include "src/os/log.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "src/core/clock.h"
#include "src/os/own_descriptor.h"

#if defined(__ANDROID__)
#include <android/log.h>
#endif

namespace stillframe::os {
namespace {

constexpr const char* kTag = "stillframe";

#if defined(__ANDROID__)
void Write(const char* line) { __android_log_write(ANDROID_LOG_INFO, kTag, line); }
#else
// Opened at start-up, never closed.
OwnDescriptor* Output() {
  static auto* output = new OwnDescriptor;
  return output;
}

void Write(const char* line) {
  const OwnDescriptor* output = Output();
  if (!output->is_open())
    dprintf(STDERR_FILENO, "%s: %s\n", kTag, line);
  else if (output->IsOurs())
    dprintf(output->fd(), "%s: %s\n", kTag, line);
}
#endif

}  // namespace

void KeepLogOpen() {
#if !defined(__ANDROID__)
  Output()->Take(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3));
#endif
}

bool LogBudget::Spend(uint64_t now_ns, uint32_t* left_out) {
  if (now_ns - period_ns_ >= kPeriodNs) {
    period_ns_ = now_ns;
    lines_ = 0;
  }
  *left_out = 0;
  const uint32_t lines = ++lines_;
  if (lines > kMostLines) {
    ++left_out_;
    return false;
  }
  if (lines == 1) *left_out = left_out_.exchange(0);
  return true;
}

void Log(const char* format, ...) {
  static auto* budget = new LogBudget;
  uint32_t left_out = 0;
  if (!budget->Spend(core::MonotonicNs(), &left_out)) return;
  char line[2048];
  if (left_out != 0) {
    snprintf(line, sizeof line, "%u lines before this one are left out", left_out);
    Write(line);
  }
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  Write(line);
}

}  // namespace stillframe::os
