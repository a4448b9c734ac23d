// SPDX-License-Identifier: Apache-2.0
// Notices that a file was written or replaced, by inotify: nothing wakes anybody while nothing
// happens.
//
// Problem: a watch is on an inode, and a file that is replaced by rename has another one. Rule:
// after each event the path is watched anew, before it is read. While there is no such file its
// folder is watched. Surviving risk: where the path is a symbolic link, only the file that it leads
// to is watched; where there is no folder, nothing is.
// Context: collector
#pragma once

#include <string>

namespace stillframe::remote {

class FileWatch {
 public:
  FileWatch() = default;
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // Returns 0 or errno. What was written before is for the caller to read.
  int Open(const std::string& path);
  // To be polled; -1: not open.
  int fd() const { return fd_; }
  // Whether the file may have changed since. Takes what has come in.
  bool HasChanged();

 private:
  int Watch();

  std::string path_;
  int fd_ = -1;
  int watch_ = -1;  // of the file or of its folder
};

}  // namespace stillframe::remote
