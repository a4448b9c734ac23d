// SPDX-License-Identifier: Apache-2.0
// The folder of records as a spool that all processes of an application share: bounded in files,
// and in bytes written a day, over restarts too.
//
// The folder itself is the index. What was used up of the day (day_file.h) is changed before the
// record is written, and where it is not readable it is made anew from the files. A process that is
// frozen while it has the lock keeps the others from writing: they try again later.
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
  kDayOver,  // nothing more today
  kFailed,   // see errno
};

// Puts `text` into PATH, which is a name of this process alone in `folder`, and makes room: what
// was sent goes first, then records of the least time. `now_s`: since the epoch.
SpoolResult WriteToSpool(const std::string& folder, const std::string& path, std::string_view text,
                         const SpoolLimits& limits, int64_t now_s);

// Adds `cpu_ms` to what all processes have used of the day of `now_s`, which then is `*total_ms`.
// Where that is not known it is `own_ms`, of this process alone, with these. kWritten, kBusy or
// kFailed.
SpoolResult AddCpuToDay(const std::string& folder, uint64_t cpu_ms, uint64_t own_ms, int64_t now_s,
                        uint64_t* total_ms);

constexpr const char* kRecordPrefix = "stillframe-jank-";
constexpr const char* kRecordSuffix = ".json";
// What a record's name ends with once somebody has sent it.
constexpr const char* kSentSuffix = ".sent";

}  // namespace stillframe::jank
