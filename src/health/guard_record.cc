// SPDX-License-Identifier: Apache-2.0
#include "src/health/guard_record.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "src/core/death_mark.h"
#include "src/os/private_file.h"

namespace stillframe::health {
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

// False if the file is not ours.
bool ReadContents(int fd, struct stat* status, Contents* contents) {
  char bytes[kFileBytes];
  *contents = {};
  if (fstat(fd, status) != 0 || !S_ISREG(status->st_mode) || status->st_uid != geteuid() ||
      os::WasOpenToOthers(fd, status) || status->st_size > static_cast<off_t>(kFileBytes))
    return false;
  const ssize_t size = pread(fd, bytes, sizeof bytes, 0);
  return size >= 0 && Decode({bytes, static_cast<size_t>(size)}, contents);
}

constexpr char kMagic[8] = {'S', 'F', 'G', 'U', 'A', 'R', 'D', '1'};
constexpr uint64_t kPhaseMagic = 0x50480000;
constexpr uint64_t kDeathMagic = 0x44450000;
constexpr uint64_t kMagicMask = 0xffff0000;

struct Copy {
  char magic[8] = {};
  uint32_t bytes = sizeof(Copy);
  uint32_t checksum = 0;  // over all, with 0 here
  Record record;
};
static_assert(std::is_trivially_copyable_v<Copy> && sizeof(Copy) <= kCopyBytes);

uint64_t Hash(std::string_view text) {
  uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211U;
  return hash;
}

uint32_t ChecksumOf(Copy copy) {
  copy.checksum = 0;
  const uint64_t hash = Hash({reinterpret_cast<const char*>(&copy), sizeof copy});
  return static_cast<uint32_t>(hash ^ hash >> 32);
}

bool ReadCopy(std::string_view file, size_t offset, Record* record) {
  Copy copy;
  if (file.size() < offset + sizeof copy) return false;
  memcpy(&copy, file.data() + offset, sizeof copy);
  if (memcmp(copy.magic, kMagic, sizeof kMagic) != 0 || copy.bytes != sizeof copy ||
      copy.checksum != ChecksumOf(copy))
    return false;
  *record = copy.record;
  return true;
}

// A word's bits below its magic; 0: another generation, or no word.
uint64_t ReadWord(std::string_view file, size_t offset, uint64_t magic, uint32_t generation) {
  uint64_t word = 0;
  if (file.size() < offset + sizeof word) return 0;
  memcpy(&word, file.data() + offset, sizeof word);
  if (word >> 32 != generation || (word & kMagicMask) != magic) return 0;
  return word & ~kMagicMask & UINT32_MAX;
}

uint64_t BackOff(const Limits& limits, uint32_t times_before) {
  return limits.back_off_s << std::min(times_before, Limits::kMostDoublings);
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
    if (!is_there) continue;  // removed by another process
    *why = "not a file of ours";
    return Opened::kFailed;
  }
  *why = "it is removed again and again";
  return Opened::kFailed;
}

// The application may have closed our descriptor, and its number be reused for another file.
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

// Not for our own file: closing any descriptor of a file drops this process's POSIX lock on it.
bool GuardFile::Read(const std::string& path, uint64_t now_s, Contents* contents, bool* is_dead,
                     uint64_t* written_s) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  struct stat status = {};
  struct flock lock = WholeFile();
  // Check the lock first: then everything that a dead process wrote is read below.
  *is_dead = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
  const bool is_ours = ReadContents(fd, &status, contents);
  *written_s = static_cast<uint64_t>(std::max<time_t>(status.st_mtime, 0));
  // Written while a clock was ahead. Its time is set to now, for later starts too.
  if (*written_s > now_s) futimens(fd, nullptr);
  *written_s = std::min(*written_s, now_s);
  close(fd);
  return is_ours;
}

const Row* Record::Find(uint64_t key) const {
  for (const Row& row : rows)
    if (row.key == key) return &row;
  return nullptr;
}

Row& Record::FindOrAdd(uint64_t key, uint64_t now_s) {
  Row* place = rows.data();
  for (Row& row : rows) {
    if (row.key == key) return row;
    if (place->key != 0 && (row.key == 0 || row.last_s < place->last_s)) place = &row;
  }
  *place = {};
  place->key = key;
  place->last_s = now_s;
  return *place;
}

bool Decode(std::string_view file, Contents* contents) {
  *contents = {};
  if (file.empty()) return true;
  Record other;
  const bool has_first = ReadCopy(file, 0, &contents->record);
  if (ReadCopy(file, kCopyBytes, &other)) {
    if (!has_first || other.generation - contents->record.generation < UINT32_MAX / 2)
      contents->record = other;
  } else if (!has_first) {
    return false;
  }
  const uint32_t generation = contents->record.generation;
  const uint64_t phase = ReadWord(file, kPhaseOffset, kPhaseMagic, generation);
  if (phase <= static_cast<uint64_t>(Phase::kEnded)) contents->phase = static_cast<Phase>(phase);
  contents->death = ReadWord(file, kDeathOffset, kDeathMagic, generation) & core::kDeathBits;
  return true;
}

std::string Encode(const Record& record) {
  Copy copy;
  memcpy(copy.magic, kMagic, sizeof kMagic);
  copy.record = record;
  copy.checksum = ChecksumOf(copy);
  std::string bytes(kCopyBytes, '\0');
  memcpy(bytes.data(), &copy, sizeof copy);
  return bytes;
}

uint64_t PhaseWord(uint32_t generation, Phase phase) {
  return uint64_t{generation} << 32 | kPhaseMagic | static_cast<uint64_t>(phase);
}

uint64_t DeathWord(uint32_t generation) { return uint64_t{generation} << 32 | kDeathMagic; }

void Settle(const Limits& limits, uint64_t now_s, uint64_t others, Contents* contents) {
  const uint64_t death = contents->death;
  // A collector that was idle had no wake-up to write that the process was healthy.
  const bool is_late = contents->phase == Phase::kArmed && (death & core::kDeathIsLate) != 0;
  const Phase phase = is_late ? Phase::kHealthy : contents->phase;
  const uint64_t key = contents->record.armed_key;
  contents->phase = Phase::kNone;
  contents->death = 0;
  contents->record.armed_key = 0;
  if (key == 0 || phase == Phase::kNone) return;
  Row& row = contents->record.FindOrAdd(key, now_s);
  row.last_s = now_s;
  const bool is_ours = (death & core::kDeathIsOurs) != 0;
  if (phase == Phase::kHealthy) row.strikes = 0;
  if (death == 0) {
    row.kills += phase == Phase::kArmed ? 1U : 0U;
    return;
  }
  if (phase != Phase::kArmed && !is_ours) return;
  ++row.deaths;
  row.deaths_in_our_code += is_ours ? 1U : 0U;
  row.last_signal = static_cast<uint32_t>(death & ~core::kDeathIsLate);
  row.strikes = is_ours ? std::max(row.strikes + 1, limits.deaths) : row.strikes + 1;
  if (row.strikes + others < limits.deaths) return;
  row.strikes = std::max(row.strikes, limits.deaths);
  row.off_until_s = now_s + BackOff(limits, row.times_off++);
}

void ClampToClock(const Limits& limits, uint64_t now_s, Record* record) {
  for (Row& row : record->rows) {
    const uint64_t longest_s = BackOff(limits, row.times_off == 0 ? 0 : row.times_off - 1);
    row.off_until_s = std::min(row.off_until_s, now_s + longest_s);
  }
}

uint64_t KeyOf(std::string_view text) {
  const uint64_t hash = Hash(text);
  return hash == 0 ? 1 : hash;
}

}  // namespace stillframe::health
