// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/verbs/folder_watch.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace stillframe::verbs {

namespace fs = std::filesystem;

std::unique_ptr<FolderWatch> FolderWatch::Start(const std::vector<std::string>& folders,
                                                bool (*is_wanted)(const fs::path&),
                                                std::string* error) {
  std::unique_ptr<FolderWatch> watch(new FolderWatch());
  watch->is_wanted_ = is_wanted;
  watch->inotify_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  for (const std::string& folder : folders) {
    const int number = inotify_add_watch(
        watch->inotify_, folder.c_str(),
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR);
    if (number < 0) {
      *error = fmt::format("cannot be watched: {}; name a folder", std::strerror(errno));
      return nullptr;
    }
    watch->folders_.emplace_back(number, folder);
  }
  return watch;
}

FolderWatch::~FolderWatch() {
  if (inotify_ >= 0) close(inotify_);
}

std::vector<std::string> FolderWatch::Present() const {
  std::vector<std::string> paths;
  for (const auto& [number, folder] : folders_) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      std::error_code ignored;
      if (is_wanted_(entry->path()) && entry->is_regular_file(ignored))
        paths.push_back(entry->path().string());
    }
  }
  std::ranges::sort(paths);
  return paths;
}

bool FolderWatch::IsNew(const fs::path& path) {
  std::error_code error;
  const Stamp stamp = {fs::file_size(path, error), fs::last_write_time(path, error)};
  constexpr size_t kMostRecent = 10'000;
  if (recent_.size() >= kMostRecent) recent_.clear();
  const auto [known, is_new] = recent_.try_emplace(path.string(), stamp);
  if (!is_new && known->second == stamp) return false;
  known->second = stamp;
  return true;
}

std::vector<std::string> FolderWatch::Wait() {
  constexpr int kWaitMs = 1'000;
  pollfd poll_for = {.fd = inotify_, .events = POLLIN, .revents = 0};
  poll(&poll_for, 1, kWaitMs);
  std::vector<std::string> paths;
  alignas(inotify_event) std::array<char, 64 << 10> buffer;
  for (;;) {
    const ssize_t size = read(inotify_, buffer.data(), buffer.size());
    if (size <= 0) return paths;
    for (ssize_t at = 0; at < size;) {
      inotify_event event;
      std::memcpy(&event, buffer.data() + at, sizeof(event));
      const char* name = buffer.data() + at + sizeof(event);
      at += static_cast<ssize_t>(sizeof(event) + event.len);
      if ((event.mask & IN_Q_OVERFLOW) != 0) return Present();
      const auto folder =
          std::ranges::find(folders_, event.wd, &std::pair<int, std::string>::first);
      if (folder == folders_.end()) continue;
      if ((event.mask & (IN_MOVE_SELF | IN_DELETE_SELF)) != 0) lost_folder_ = folder->second;
      if (event.len == 0) continue;
      const fs::path path = fs::path(folder->second) / name;
      if (is_wanted_(path) && IsNew(path)) paths.push_back(path.string());
    }
  }
}

}  // namespace stillframe::verbs
