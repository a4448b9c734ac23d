// SPDX-License-Identifier: Apache-2.0
// Files that come into folders, by inotify(7).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace stillframe::verbs {

class FolderWatch {
 public:
  // Null if one of `folders` cannot be watched; then `*error` is one line.
  static std::unique_ptr<FolderWatch> Start(const std::vector<std::string>& folders,
                                            bool (*is_wanted)(const std::filesystem::path&),
                                            std::string* error);
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // The files that are in the folders now, by path. Folders in them are not followed.
  std::vector<std::string> Present() const;
  // Files that were closed or moved into a folder since, each once; waits a second for the first.
  // If the kernel lost count, all that are present.
  std::vector<std::string> Wait();
  // The folder that was moved or removed, "": none. It is not followed any more.
  const std::string& lost_folder() const { return lost_folder_; }

 private:
  FolderWatch() = default;

  using Stamp = std::pair<uintmax_t, std::filesystem::file_time_type>;  // size, time of change
  // A web server renames a file and then closes it, which are two events.
  bool IsNew(const std::filesystem::path& path);

  int inotify_ = -1;
  std::string lost_folder_;
  std::map<std::string, Stamp> recent_;               // by path
  std::vector<std::pair<int, std::string>> folders_;  // by watch
  bool (*is_wanted_)(const std::filesystem::path&) = nullptr;
};

}  // namespace stillframe::verbs
