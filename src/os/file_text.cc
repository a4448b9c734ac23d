// SPDX-License-Identifier: Apache-2.0
#include "src/os/file_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "src/os/duration.h"

namespace stillframe::os {
namespace {

bool EndsWith(const char* name, const char* suffix) {
  const size_t length = strlen(name);
  const size_t end = strlen(suffix);
  return length >= end && strcmp(name + length - end, suffix) == 0;
}

bool ParseNumber(const char* name, int32_t* number) {
  char* end = nullptr;
  *number = static_cast<int32_t>(strtol(name, &end, 10));
  return end != name && *end == '\0';
}

// Visits the numeric names in a folder until `visit` returns false. Opens no DIR: Android's fdsan
// aborts a shell that closes a descriptor owned by a DIR. Reads a few names at a time; readdir
// would read more than a thousand. Returns 0 or errno.
template <typename Visit>
int VisitNumbers(const char* folder, Visit&& visit) {
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return errno;
  alignas(dirent64) char entries[1024];
  long bytes = 0;
  while ((bytes = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0) {
    for (long at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      int32_t number = 0;
      if (!ParseNumber(entry->d_name, &number) || visit(number)) continue;
      close(fd);
      return 0;
    }
  }
  close(fd);
  return 0;
}

struct DatedFile {
  int64_t seconds;
  int64_t nanoseconds;
  std::string path;

  bool operator<(const DatedFile& other) const {
    if (seconds != other.seconds) return seconds < other.seconds;
    if (nanoseconds != other.nanoseconds) return nanoseconds < other.nanoseconds;
    return path < other.path;
  }
};

}  // namespace

int ReadOpenFile(int fd, size_t limit, std::string* text) {
  text->resize(limit);
  size_t size = 0;
  int error = 0;
  while (size < limit) {
    const ssize_t bytes = read(fd, text->data() + size, limit - size);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) error = errno;
    if (bytes <= 0) break;
    size += static_cast<size_t>(bytes);
  }
  text->resize(error == 0 ? size : 0);
  return error;
}

int ReadFileText(const char* path, size_t limit, std::string* text) {
  text->clear();
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return errno;
  const int error = ReadOpenFile(fd, limit, text);
  close(fd);
  return error;
}

int ReadNumericNames(const char* folder, size_t limit, std::vector<int32_t>* numbers,
                     uint32_t* found) {
  numbers->clear();
  *found = 0;
  return VisitNumbers(folder, [&](int32_t number) {
    ++*found;
    if (numbers->size() < limit) numbers->push_back(number);
    return true;
  });
}

void ReadFirstNumericNames(const char* folder, size_t limit, std::vector<int32_t>* numbers) {
  numbers->clear();
  VisitNumbers(folder, [&](int32_t number) {
    if (numbers->size() < limit) numbers->push_back(number);
    return numbers->size() < limit;
  });
}

int ReplaceFile(const std::string& path, std::string_view text) {
  const std::string part = path + "." + std::to_string(getpid()) + ".part";
  // A leftover of a killed process with the same pid.
  unlink(part.c_str());
  const int fd = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return errno;
  int error = 0;
  while (!text.empty() && error == 0) {
    const ssize_t bytes = write(fd, text.data(), text.size());
    if (bytes > 0)
      text.remove_prefix(static_cast<size_t>(bytes));
    else if (bytes == 0 || errno != EINTR)
      error = bytes == 0 ? ENOSPC : errno;
  }
  if (close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && rename(part.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) unlink(part.c_str());
  return error;
}

uint32_t KeepNewestFiles(const std::string& folder, const char* prefix, const char* suffix,
                         uint32_t most) {
  DIR* entries = opendir(folder.c_str());
  if (entries == nullptr) return 0;
  std::vector<DatedFile> files;
  while (const dirent* entry = readdir(entries)) {
    if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 || !EndsWith(entry->d_name, suffix))
      continue;
    const std::string path = folder + "/" + entry->d_name;
    struct stat facts = {};
    if (lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
    files.push_back({facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec, path});
  }
  closedir(entries);
  uint32_t removed = 0;
  // One at a time: usually only one must go.
  while (files.size() > most) {
    const auto oldest = std::min_element(files.begin(), files.end());
    removed += unlink(oldest->path.c_str()) == 0 ? 1U : 0U;
    *oldest = std::move(files.back());
    files.pop_back();
  }
  return removed;
}

void RemoveUnfinished(const std::string& folder, std::string_view prefix) {
  DIR* entries = opendir(folder.c_str());
  if (entries == nullptr) return;
  while (const dirent* entry = readdir(entries)) {
    std::string name = entry->d_name;
    if (!name.starts_with(prefix) || !(name.ends_with(".tmp") || name.ends_with(".part"))) continue;
    name.resize(name.rfind('.'));
    const size_t dot = name.rfind('.');
    int32_t pid = 0;
    if (dot == std::string::npos || !ParseNumber(name.c_str() + dot + 1, &pid) || pid <= 0)
      continue;
    const std::string path = folder + "/" + entry->d_name;
    struct stat facts = {};
    if (lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
    const bool is_over = pid == getpid() || (kill(pid, 0) != 0 && errno == ESRCH);
    if (is_over || time(nullptr) - facts.st_mtim.tv_sec > kSecondsPerDay) unlink(path.c_str());
  }
  closedir(entries);
}

}  // namespace stillframe::os
