// SPDX-License-Identifier: Apache-2.0
// Files that come into folders, by inotify(7).
#pragma once

#include <filesystem>
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
  // Files that were closed or moved into a folder since; waits a second for the first. If the
  // kernel lost count, all that are present.
  std::vector<std::string> Wait();

 private:
  FolderWatch() = default;

  int inotify_ = -1;
  std::vector<std::pair<int, std::string>> folders_;  // by watch
  bool (*is_wanted_)(const std::filesystem::path&) = nullptr;
};

}  // namespace stillframe::verbs
