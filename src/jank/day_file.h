// SPDX-License-Identifier: Apache-2.0
// The use of today's limits by all processes of an application: one line of stillframe-jank.day
// in their folder. The kernel releases its lock however a process ends.
//
// Opening never blocks. A foreign file of that name (a pipe, a link, another user's) is not read
// but removed. A killed process leaves either the old line or the new one.
#pragma once

#include <cstdint>
#include <string>

namespace stillframe::jank {

struct Day {
  int64_t day = 0;      // since the epoch, UTC
  uint64_t writes = 0;  // for processes with an earlier release, which limits them
  uint64_t bytes = 0;
  uint64_t cpu_ms = 0;  // of our threads and our handler
};

class DayFile {
 public:
  DayFile() = default;
  DayFile(const DayFile&) = delete;
  DayFile& operator=(const DayFile&) = delete;
  ~DayFile();

  enum class Opened {
    kOurs,    // locked until destruction
    kBusy,    // another process has it
    kFailed,  // see errno
  };
  Opened Open(const std::string& folder);

  // Use of `today`. A clock set back frees nothing. False if the file has no valid line.
  bool Read(int64_t today, Day* day) const;
  // False: see errno.
  bool Write(const Day& day) const;

 private:
  int fd_ = -1;
  std::string path_;
};

}  // namespace stillframe::jank
