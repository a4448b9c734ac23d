// SPDX-License-Identifier: Apache-2.0
// The trace functions that a device's libcutils exports (AOSP cutils/trace.h).
// Context: any thread
#pragma once

#include <cstdint>

extern "C" {
extern uint64_t atrace_enabled_tags;
extern int atrace_marker_fd;
void atrace_begin_body(const char* name);
void atrace_end_body();
void atrace_async_begin_body(const char* name, int32_t cookie);
void atrace_async_end_body(const char* name, int32_t cookie);
void atrace_async_for_track_begin_body(const char* track, const char* name, int32_t cookie);
void atrace_async_for_track_end_body(const char* track, int32_t cookie);
void atrace_instant_body(const char* name);
void atrace_int64_body(const char* name, int64_t value);
}
