// SPDX-License-Identifier: Apache-2.0
// Opening, locking, and writes of one piece each.
#include "src/guard/guard_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "src/os/private_file.h"

namespace stillframe::guard {
namespace {

constexpr int kTries = 4;

struct flock WholeFile() {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

int WriteAt(int fd, const void* bytes, size_t size, size_t offset) {
  const ssize_t written = pwrite(fd, bytes, size, static_cast<off_t>(offset));
  if (written == static_cast<ssize_t>(size)) return 0;
  return written < 0 ? errno : ENOSPC;
}

// False where the file is none of ours.
bool ReadContents(int fd, struct stat* status, Contents* contents) {
  char bytes[kFileBytes];
  *contents = {};
  if (fstat(fd, status) != 0 || !S_ISREG(status->st_mode) || status->st_uid != geteuid() ||
      os::WasOpenToOthers(fd, status) || status->st_size > static_cast<off_t>(kFileBytes))
    return false;
  const ssize_t size = pread(fd, bytes, sizeof bytes, 0);
  return size >= 0 && Decode({bytes, static_cast<size_t>(size)}, contents);
}

}  // namespace

GuardFile::Opened GuardFile::Open(const std::string& path, std::string* why) {
  for (int i = 0; i < kTries; ++i) {
    const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (fd < 0) {
      *why = strerror(errno);
      return Opened::kFailed;
    }
    struct flock lock = WholeFile();
    if (fcntl(fd, F_SETLK, &lock) != 0) {
      const int error = errno;
      close(fd);
      *why = strerror(error);
      return error == EACCES || error == EAGAIN ? Opened::kInUse : Opened::kFailed;
    }
    struct stat status = {};
    const bool is_whole = ReadContents(fd, &status, &contents_);
    struct stat named = {};
    const bool is_there = lstat(path.c_str(), &named) == 0 && named.st_ino == status.st_ino;
    if (is_there && (is_whole || (S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
                                  ftruncate(fd, 0) == 0))) {
      if (!is_whole) *why = "it was damaged or not ours, and is taken for empty";
      fd_ = fd;
      device_ = status.st_dev;
      inode_ = status.st_ino;
      return Opened::kOurs;
    }
    close(fd);
    if (!is_there) continue;  // removed meanwhile
    *why = "not a file of ours";
    return Opened::kFailed;
  }
  *why = "it is removed again and again";
  return Opened::kFailed;
}

// The number may be another file's by now, where somebody has closed what is not theirs.
bool GuardFile::IsOurs() const {
  struct stat now = {};
  return fstat(fd_, &now) == 0 && now.st_dev == device_ && now.st_ino == inode_;
}

int GuardFile::Write(Record record, Phase phase) {
  if (!IsOurs()) return EBADF;
  record.generation = contents_.record.generation + 1;
  record.pid = static_cast<uint32_t>(getpid());
  const std::string copy = Encode(record);
  const uint64_t words[] = {PhaseWord(record.generation, phase), 0};
  int error = WriteAt(fd_, copy.data(), copy.size(), CopyOffset(record.generation));
  if (error == 0) error = WriteAt(fd_, words, sizeof words, kPhaseOffset);
  if (error == 0) contents_ = {record, phase, 0};
  return error;
}

int GuardFile::SetPhase(Phase phase) const {
  if (!IsOurs()) return EBADF;
  const uint64_t word = PhaseWord(contents_.record.generation, phase);
  return WriteAt(fd_, &word, sizeof word, kPhaseOffset);
}

core::DeathFile GuardFile::ForDeath() const {
  core::DeathFile file;
  file.fd = fd_;
  file.device = device_;
  file.inode = inode_;
  file.offset = static_cast<int64_t>(kDeathOffset);
  file.mark = DeathWord(contents_.record.generation);
  return file;
}

bool GuardFile::Read(const std::string& path, uint64_t now_s, Contents* contents, bool* is_dead,
                     uint64_t* written_s) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  struct stat status = {};
  struct flock lock = WholeFile();
  // First who has it: what it wrote before it ended is read then.
  *is_dead = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
  const bool is_ours = ReadContents(fd, &status, contents);
  *written_s = static_cast<uint64_t>(std::max<time_t>(status.st_mtime, 0));
  // By a clock that was ahead. From the next start on it is of today.
  if (*written_s > now_s) futimens(fd, nullptr);
  *written_s = std::min(*written_s, now_s);
  close(fd);
  return is_ours;
}

}  // namespace stillframe::guard
