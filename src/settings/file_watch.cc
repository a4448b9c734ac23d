// SPDX-License-Identifier: Apache-2.0
#include "src/settings/file_watch.h"

#include <errno.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "src/core/wake_signal.h"
#include "src/os/log.h"

namespace stillframe::settings {
namespace {

// IN_ATTRIB: another file replaced it while a process has it open.
constexpr uint32_t kOfFile = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
constexpr uint32_t kOfLink = IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_DONT_FOLLOW;
// For folders on the path: only their own end or move. A link there is also watched for
// replacement.
constexpr uint32_t kPathEvents = IN_DELETE_SELF | IN_MOVE_SELF;
// IN_CREATE: links and folders have no IN_CLOSE_WRITE.
constexpr uint32_t kOfFolder =
    IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

bool IsLink(const std::string& path) {
  struct stat facts = {};
  return lstat(path.c_str(), &facts) == 0 && S_ISLNK(facts.st_mode);
}

bool HasContent(const std::string& path) {
  struct stat facts = {};
  return stat(path.c_str(), &facts) == 0 && facts.st_size > 0;
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Takes the C library's function: its watch is unsigned in bionic, signed in glibc.
template <typename Watch>
void Remove(int (*remove)(int, Watch), int fd, int watch) {
  remove(fd, static_cast<Watch>(watch));
}

}  // namespace

int FileWatch::Open(const std::string& path) {
  path_ = path;
  way_.clear();
  watch_ = -1;
  link_ = -1;
  if (!events_.Take(inotify_init1(IN_NONBLOCK | IN_CLOEXEC))) return errno;
  events_.SignalOnInput(core::kWakeSignal);
  return Watch();
}

// The kernel itself removes the watch of a deleted file.
void FileWatch::RemoveUnused(int watch) {
  if (watch >= 0 && watch != watch_ && watch != link_ &&
      std::find(way_.begin(), way_.end(), watch) == way_.end())
    Remove(inotify_rm_watch, events_.fd(), watch);
}

void FileWatch::Replace(int* watch, int with) {
  const int before = *watch;
  *watch = with;
  RemoveUnused(before);
}

// Replacing a folder moves the path with it, while the watched file may live on under another one.
// Folders that cannot be watched (e.g. of other users) are skipped.
void FileWatch::WatchPath() {
  std::vector<int> way;
  for (std::string folder = FolderOf(path_); folder != "/" && folder != ".";
       folder = FolderOf(folder)) {
    const bool is_link = IsLink(folder);
    if (is_link) way.push_back(inotify_add_watch(events_.fd(), folder.c_str(), kOfLink));
    way.push_back(inotify_add_watch(events_.fd(), folder.c_str(), kPathEvents | IN_ONLYDIR));
  }
  way_.swap(way);
  for (const int before : way) RemoveUnused(before);
}

int FileWatch::Watch() {
  // Must be first: WatchParent then adds events to the folder that it finds.
  WatchPath();
  const int link = IsLink(path_) ? inotify_add_watch(events_.fd(), path_.c_str(), kOfLink) : -1;
  const int file = inotify_add_watch(events_.fd(), path_.c_str(), kOfFile);
  const int error = file < 0 ? errno : 0;
  Replace(&link_, link);
  level_ = kFile;
  if (error == ENOENT || error == ENOTDIR) return WatchParent();
  Replace(&watch_, file);
  return error;
}

// The nearest existing folder.
int FileWatch::WatchParent() {
  std::string folder = path_;
  int watch = -1;
  int error = 0;
  do {
    const bool is_top = folder == "/" || folder == ".";
    folder = FolderOf(folder);
    ++level_;
    watch = inotify_add_watch(events_.fd(), folder.c_str(), kOfFolder);
    error = watch < 0 ? errno : 0;
    if (is_top) break;
  } while (error == ENOENT || error == ENOTDIR);
  Replace(&watch_, watch);
  if (error != 0) return error;
  // The file may have appeared before its folder was watched.
  const int file = inotify_add_watch(events_.fd(), path_.c_str(), kOfFile);
  if (file >= 0) {
    level_ = kFile;
    Replace(&watch_, file);
  } else if (level_ > kFolder && access(FolderOf(path_).c_str(), F_OK) == 0) {
    return Watch();
  }
  return 0;
}

// The application may have closed our descriptor by accident.
FileWatch::Change FileWatch::WatchAgain() {
  constexpr uint32_t kMostTimes = 3;
  if (times_lost_ == kMostTimes) return Change::kNone;
  const int error = Open(path_);
  // No descriptor is free: retry at the next check.
  if (!events_.is_open() && (error == EMFILE || error == ENFILE || error == ENOMEM))
    return Change::kNone;
  ++times_lost_;
  os::Log("the descriptor that watches %s was closed; it is opened again",
          path_.substr(0, 200).c_str());
  return Change::kDone;
}

FileWatch::Change FileWatch::Look() {
  if (path_.empty()) return Change::kNone;
  if (!events_.IsOurs()) return WatchAgain();
  alignas(inotify_event) char events[1024];
  uint32_t seen = 0;
  ssize_t bytes = 0;
  while ((bytes = read(events_.fd(), events, sizeof events)) > 0) {
    for (ssize_t at = 0; at + static_cast<ssize_t>(sizeof(inotify_event)) <= bytes;) {
      const auto* event = reinterpret_cast<const inotify_event*>(events + at);
      seen |= event->mask;
      at += static_cast<ssize_t>(sizeof *event + event->len);
    }
  }
  if (seen == 0) return Change::kNone;
  const int level = level_;
  Watch();
  const bool is_done =
      (seen & ~uint32_t{IN_MODIFY | IN_CREATE | IN_ISDIR | IN_IGNORED}) != 0 ||
      // A new file is read once it is closed; a link has its content at once.
      (level_ == kFile && (level > kFolder || (level == kFolder && HasContent(path_))));
  if (is_done) return Change::kDone;
  return (seen & IN_MODIFY) != 0 ? Change::kBeingWritten : Change::kNone;
}

}  // namespace stillframe::settings
