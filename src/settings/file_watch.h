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

#include <cstdint>
#include <string>
#include <vector>

#include "src/os/own_descriptor.h"

namespace stillframe::settings {

class FileWatch {
 public:
  // Returns 0 or errno. What was written before is for the caller to read. From here on a change
  // wakes the calling thread, if it sleeps for core::Waker's signal.
  int Open(const std::string& path);
  enum class Change { kNone, kBeingWritten, kDone };
  // Whether the file may have changed since, and whether its writer is done with it. Takes what has
  // come in.
  Change Look();

 private:
  // What is watched; a larger number is further above the file.
  static constexpr int kFile = 0;
  static constexpr int kFolder = 1;

  int Watch();
  Change WatchAgain();
  int WatchAbove();
  void WatchWay();
  void Replace(int* watch, int with);
  void RemoveUnused(int watch);

  std::string path_;
  os::OwnDescriptor events_;
  uint32_t times_lost_ = 0;
  int level_ = kFile;
  int watch_ = -1;        // of the file or a folder
  int link_ = -1;         // of the link that the path is
  std::vector<int> way_;  // of the folders above, and of links among them
};

}  // namespace stillframe::settings
