// SPDX-License-Identifier: Apache-2.0
// Reads whole files and folders; removes the oldest files.
#include "src/os/file_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace stillframe::os {
namespace {

bool EndsWith(const char* name, const char* suffix) {
  const size_t length = strlen(name);
  const size_t end = strlen(suffix);
  return length >= end && strcmp(name + length - end, suffix) == 0;
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

int ReadFileText(const char* path, size_t limit, std::string* text) {
  text->clear();
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return errno;
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
  close(fd);
  text->resize(error == 0 ? size : 0);
  return error;
}

int ReadNumericNames(const char* folder, size_t limit, std::vector<int32_t>* numbers,
                     uint32_t* found) {
  numbers->clear();
  *found = 0;
  DIR* entries = opendir(folder);
  if (entries == nullptr) return errno;
  while (const dirent* entry = readdir(entries)) {
    char* end = nullptr;
    const long number = strtol(entry->d_name, &end, 10);
    if (end == entry->d_name || *end != '\0') continue;
    ++*found;
    if (numbers->size() < limit) numbers->push_back(static_cast<int32_t>(number));
  }
  closedir(entries);
  return 0;
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
  if (files.size() <= most) return 0;
  std::sort(files.begin(), files.end());
  files.resize(files.size() - most);
  uint32_t removed = 0;
  for (const DatedFile& file : files) removed += unlink(file.path.c_str()) == 0 ? 1U : 0U;
  return removed;
}

}  // namespace stillframe::os
