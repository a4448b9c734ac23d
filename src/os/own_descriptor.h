// SPDX-License-Identifier: Apache-2.0
// A descriptor that other code in the process may have closed, and whose number may be reused.
//
// Rule: each use first compares the descriptor with what was opened: device, inode, type, and the
// signal it sends. Remaining risk: it may change between check and use. Descriptors without a file
// of their own, such as inotify's and eventfds, share one inode: only the signal distinguishes
// them.
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

  // Owns `fd` from now on and closes the one before. Negative: none. Returns whether it owns one.
  bool Take(int fd);
  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  // False also if it owns none.
  bool IsOurs() const;
  // From now on input wakes the calling thread by `signal`, which must be blocked there: otherwise
  // it kills the process. The signal also identifies the descriptor from then on. Returns 0 or
  // errno.
  int SignalOnInput(int signal);
  // Closes the descriptor only if it is still ours. False, with errno, if closing failed.
  bool Close();

 private:
  int fd_ = -1;
  uint64_t device_ = 0;
  uint64_t inode_ = 0;
  mode_t type_ = 0;
  int signal_ = 0;  // 0: none
};

}  // namespace stillframe::os
