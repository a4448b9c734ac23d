// SPDX-License-Identifier: Apache-2.0
// Notices that a file was written or replaced, by inotify: nothing wakes anybody while nothing
// happens.
//
// Problem: a watch is on an inode, and a file that is replaced by rename has another one. Rule:
// after each event the path is watched anew, before it is read. A symbolic link is watched beside
// the file that it leads to. While there is no such file its folder is watched, and while there is
// none the nearest one above it. The folders on the way, and links among them, are watched for
// their own end or move alone. Surviving risk: of links behind the first one of a place only what
// is at their end is watched.
// Context: collector
#pragma once

#include <string>
#include <vector>

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
  enum class Change { kNone, kBeingWritten, kDone };
  // Whether the file may have changed since, and whether its writer is done with it. Takes what has
  // come in.
  Change Look();

 private:
  // What is watched; a larger number is further above the file.
  static constexpr int kFile = 0;
  static constexpr int kFolder = 1;

  int Watch();
  int WatchAbove();
  void WatchWay();
  void Replace(int* watch, int with);
  void RemoveUnused(int watch);

  std::string path_;
  int fd_ = -1;
  int level_ = kFile;
  int watch_ = -1;        // of the file or a folder
  int link_ = -1;         // of the link that the path is
  std::vector<int> way_;  // of the folders above, and of links among them
};

}  // namespace stillframe::remote
