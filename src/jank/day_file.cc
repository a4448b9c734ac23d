// SPDX-License-Identifier: Apache-2.0
#include "src/jank/day_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/os/private_file.h"

namespace stillframe::jank {
namespace {

constexpr const char* kName = "/stillframe-jank.day";
constexpr size_t kMaxLine = 96;
constexpr int kTries = 4;

bool IsOurs(const struct stat& facts) {
  return S_ISREG(facts.st_mode) && facts.st_uid == geteuid() && facts.st_nlink == 1;
}

// True if a file that is not ours was removed.
bool HasRemovedForeign(const char* path) {
  struct stat facts = {};
  return lstat(path, &facts) == 0 && !IsOurs(facts) && remove(path) == 0;
}

// "DAY WRITES BYTES CPU\n"; releases before this one omit CPU. False for anything else.
bool Parse(const std::string& text, Day* day) {
  constexpr size_t kLeast = 3;
  constexpr size_t kMost = 4;
  uint64_t numbers[kMost] = {};
  const char* at = text.c_str();
  size_t count = 0;
  for (; count < kMost && *at >= '0' && *at <= '9'; ++count) {
    char* end = nullptr;
    numbers[count] = strtoull(at, &end, 10);
    at = *end == ' ' ? end + 1 : end;
  }
  *day = {static_cast<int64_t>(numbers[0]), numbers[1], numbers[2], numbers[3]};
  return count >= kLeast && *at == '\n';
}

}  // namespace

DayFile::~DayFile() {
  const int error = errno;
  if (fd_ >= 0) close(fd_);
  errno = error;
}

DayFile::Opened DayFile::Open(const std::string& folder) {
  const std::string path = folder + kName;
  for (int i = 0; i < kTries; ++i) {
    const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    const int error = errno;
    struct stat facts = {};
    struct stat named = {};
    const bool is_ours = fd >= 0 && fstat(fd, &facts) == 0 && IsOurs(facts);
    if (is_ours && os::WasOpenToOthers(fd, &facts)) {
      unlink(path.c_str());
    } else if (is_ours) {
      // A file system without locks: proceed; at least each process alone keeps to the limits.
      if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(fd);
        return Opened::kBusy;
      }
      if (lstat(path.c_str(), &named) == 0 && named.st_ino == facts.st_ino) {
        fd_ = fd;
        path_ = path;
        return Opened::kOurs;
      }
    }
    if (fd >= 0) close(fd);
    if (HasRemovedForeign(path.c_str()) || fd >= 0) continue;
    errno = error;
    return Opened::kFailed;
  }
  errno = EEXIST;
  return Opened::kFailed;
}

bool DayFile::Read(int64_t today, Day* day) const {
  std::string text(kMaxLine, '\0');
  const ssize_t bytes = pread(fd_, text.data(), text.size(), 0);
  text.resize(bytes > 0 ? static_cast<size_t>(bytes) : 0);
  if (!Parse(text, day)) return false;
  if (day->day < today) *day = {today, 0, 0, 0};
  // The day was written while a clock was ahead. Without this its budget would cover all days until
  // then.
  const bool is_ahead = day->day > today;
  day->day = today;
  if (is_ahead) Write(*day);
  return true;
}

// One write of a few bytes at the start of the file.
bool DayFile::Write(const Day& day) const {
  const auto number = [](uint64_t value) { return static_cast<unsigned long long>(value); };
  char line[kMaxLine];
  const auto length = static_cast<ssize_t>(
      snprintf(line, sizeof line, "%lld %llu %llu %llu\n", static_cast<long long>(day.day),
               number(day.writes), number(day.bytes), number(day.cpu_ms)));
  // A crash before ftruncate leaves the end of a longer old line after this one, which Parse
  // ignores.
  if (pwrite(fd_, line, static_cast<size_t>(length), 0) == length && ftruncate(fd_, length) == 0)
    return true;
  const int error = errno;
  struct stat facts = {};
  // Leave no empty file on a full disk.
  if (fstat(fd_, &facts) == 0 && facts.st_size == 0) unlink(path_.c_str());
  errno = error;
  return false;
}

}  // namespace stillframe::jank
