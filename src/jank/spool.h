// SPDX-License-Identifier: Apache-2.0
// The folder of records as a spool shared by all processes of an application. The number of files
// and the bytes written a day are limited, across restarts too.
//
// The folder is the index. The day's use (day_file.h) is updated before the record is written, and
// rebuilt from the files if it is not readable. A process frozen while it holds the lock blocks the
// others; they retry later.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::jank {

struct SpoolLimits {
  uint32_t files;
  uint64_t bytes_a_day;
};

enum class SpoolResult {
  kWritten,
  kBusy,     // another process writes
  kDayOver,  // the day's budget is used up
  kFailed,   // see errno
};

// Writes `text` to `path`, a name in `folder` that only this process uses. For a record first makes
// space: removes sent records, then those of the least time; never other revisions of this one.
// `now_s`: since the epoch.
SpoolResult WriteToSpool(const std::string& folder, const std::string& path, std::string_view text,
                         const SpoolLimits& limits, int64_t now_s);

// Adds `cpu_ms` to the CPU time that all processes used on the day of `now_s`. `*total_ms`: the
// sum, but at least `own_ms`, which includes `cpu_ms`: the file may have been lost. kWritten, kBusy
// or kFailed.
SpoolResult AddCpuToDay(const std::string& folder, uint64_t cpu_ms, uint64_t own_ms, int64_t now_s,
                        uint64_t* total_ms);

constexpr const char* kRecordPrefix = "stillframe-jank-";
constexpr const char* kRecordSuffix = ".json";
// Suffix of a record that was sent.
constexpr const char* kSentSuffix = ".sent";

}  // namespace stillframe::jank
