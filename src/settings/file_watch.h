// SPDX-License-Identifier: Apache-2.0
// Notices by inotify that a file was written or replaced. Causes no wake-up while nothing changes.
//
// Problem: a watch is on an inode, and a file that is replaced by rename has another one.
// Rule: after each event the path is watched anew, before it is read. A symbolic link is watched as
// well as its target. Without a file its folder is watched, or the nearest existing one above.
// Folders on the path, and links among them, are watched for their own end or move.
// Remaining risk: in a chain of links only the first and the final target are watched.
// Context: collector
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/os/own_descriptor.h"

namespace stillframe::settings {

class FileWatch {
 public:
  // Returns 0 or errno. The caller reads earlier content. From now on a change wakes the calling
  // thread, if it waits for core::Waker's signal.
  int Open(const std::string& path);
  enum class Change { kNone, kBeingWritten, kDone };
  // Whether the file may have changed, and whether its writer has finished. Consumes pending
  // events.
  Change Look();

 private:
  // Level of the watch; a larger number is further above the file.
  static constexpr int kFile = 0;
  static constexpr int kFolder = 1;

  int Watch();
  Change WatchAgain();
  int WatchParent();
  void WatchPath();
  void Replace(int* watch, int with);
  void RemoveUnused(int watch);

  std::string path_;
  os::OwnDescriptor events_;
  uint32_t times_lost_ = 0;
  int level_ = kFile;
  int watch_ = -1;        // of the file or a folder
  int link_ = -1;         // if the path is a link
  std::vector<int> way_;  // folders above, and links among them
};

}  // namespace stillframe::settings
