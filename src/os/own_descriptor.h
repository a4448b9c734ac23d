// SPDX-License-Identifier: Apache-2.0
// A descriptor that may have been closed by somebody else in the process, and be another's by now.
//
// Rule: before each use it is compared with what it was: device, inode, type, and the signal that
// it sends. Remaining risk: between look and use there is a moment; and descriptors without a file
// of their own, as inotify's and eventfds, share one inode: only the signal tells them apart.
// Context: any thread, one at a time; signal-safe but for Take
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace stillframe::os {

class OwnDescriptor {
 public:
  OwnDescriptor() = default;
  ~OwnDescriptor() { Close(); }
  OwnDescriptor(const OwnDescriptor&) = delete;
  OwnDescriptor& operator=(const OwnDescriptor&) = delete;

  // Owns `fd` from here on, in the place of what it had; a negative one is none. Returns whether
  // there is one.
  bool Take(int fd);
  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  // False too when there is none.
  bool IsOurs() const;
  // From here on what can be read wakes the calling thread by `signal`, if it has that blocked; a
  // thread that has not would be killed by it. Ours is known by it from then on. Returns 0 or
  // errno.
  int SignalOnInput(int signal);
  // Only what is still ours is closed. False, with errno, when that failed.
  bool Close();

 private:
  int fd_ = -1;
  uint64_t device_ = 0;
  uint64_t inode_ = 0;
  mode_t type_ = 0;
  int signal_ = 0;  // 0: none
};

}  // namespace stillframe::os
