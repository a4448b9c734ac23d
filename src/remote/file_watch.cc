// SPDX-License-Identifier: Apache-2.0
// One watch at a time.
#include "src/remote/file_watch.h"

#include <errno.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace stillframe::remote {
namespace {

// IN_ATTRIB: another file took its name while somebody has it open.
constexpr uint32_t kOfFile = IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
// Not IN_CREATE: the file is empty then.
constexpr uint32_t kOfFolder = IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR;

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

FileWatch::~FileWatch() {
  if (fd_ >= 0) close(fd_);
}

int FileWatch::Open(const std::string& path) {
  path_ = path;
  fd_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  return fd_ < 0 ? errno : Watch();
}

int FileWatch::Watch() {
  const int before = watch_;
  watch_ = inotify_add_watch(fd_, path_.c_str(), kOfFile);
  if (watch_ < 0 && errno == ENOENT) {
    watch_ = inotify_add_watch(fd_, FolderOf(path_).c_str(), kOfFolder);
    // It may have come in between.
    const int file = watch_ < 0 ? -1 : inotify_add_watch(fd_, path_.c_str(), kOfFile);
    if (file >= 0) {
      inotify_rm_watch(fd_, watch_);
      watch_ = file;
    }
  }
  const int error = watch_ < 0 ? errno : 0;
  // The kernel removes that of a file that is gone by itself.
  if (before >= 0 && before != watch_) inotify_rm_watch(fd_, before);
  return error;
}

bool FileWatch::HasChanged() {
  if (fd_ < 0) return false;
  alignas(inotify_event) char events[1024];
  bool has_changed = false;
  while (read(fd_, events, sizeof events) > 0) has_changed = true;
  if (has_changed) Watch();
  return has_changed;
}

}  // namespace stillframe::remote
