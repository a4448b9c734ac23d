// SPDX-License-Identifier: Apache-2.0
// A guard file, which one process at a time has: by a lock that the kernel takes back when the
// process ends, however it ends, and that no child inherits.
#pragma once

#include <cstdint>
#include <string>

#include "src/core/death_mark.h"
#include "src/guard/guard_record.h"

namespace stillframe::guard {

class GuardFile {
 public:
  GuardFile() = default;
  GuardFile(const GuardFile&) = delete;
  GuardFile& operator=(const GuardFile&) = delete;

  enum class Opened { kOurs, kInUse, kFailed };
  // Makes the file where there is none. What is damaged is empty, and told. A file that is ours
  // stays open for good.
  Opened Open(const std::string& path, std::string* why);
  bool is_open() const { return fd_ >= 0; }
  const Contents& contents() const { return contents_; }

  // Begins the next generation. Returns 0 or errno.
  int Write(Record record, Phase phase);
  int SetPhase(Phase phase) const;
  // Where the mark of this process's death goes; without our code's bounds.
  core::DeathFile ForDeath() const;

  // Another process's file; false where there is none to be read. `*is_dead`: nobody has it.
  // `*written_s`: when it was written last, since the epoch.
  static bool Read(const std::string& path, uint64_t now_s, Contents* contents, bool* is_dead,
                   uint64_t* written_s);

 private:
  bool IsOurs() const;

  int fd_ = -1;
  uint64_t device_ = 0;
  uint64_t inode_ = 0;
  Contents contents_;
};

}  // namespace stillframe::guard
