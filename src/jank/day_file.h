// SPDX-License-Identifier: Apache-2.0
// What all processes of an application have used up of today: one line of stillframe-jank.day in
// their folder, under a lock that the kernel gives back however a process ends.
//
// Opening never waits. What is there by that name and is no file of ours (a pipe, a link, somebody
// else's) is not read, but removed. A process that is killed leaves the old line or the new one.
#pragma once

#include <cstdint>
#include <string>

namespace stillframe::jank {

struct Day {
  int64_t day = 0;      // since the epoch, in UTC
  uint64_t writes = 0;  // for processes with a release before, which bounds them
  uint64_t bytes = 0;
  uint64_t cpu_ms = 0;  // of our threads and of our handler
};

class DayFile {
 public:
  DayFile() = default;
  DayFile(const DayFile&) = delete;
  DayFile& operator=(const DayFile&) = delete;
  ~DayFile();

  enum class Opened {
    kOurs,    // until this ends
    kBusy,    // another process has it
    kFailed,  // see errno
  };
  Opened Open(const std::string& folder);

  // What was used up of `today`; a clock that was set back gives nothing back. False where the file
  // has no such line.
  bool Read(int64_t today, Day* day) const;
  // False: see errno.
  bool Write(const Day& day) const;

 private:
  int fd_ = -1;
  std::string path_;
};

}  // namespace stillframe::jank
