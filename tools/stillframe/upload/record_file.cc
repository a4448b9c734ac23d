// SPDX-License-Identifier: Apache-2.0
// What was opened is looked at, not the name.
#include "tools/stillframe/upload/record_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace stillframe::upload {
namespace {

bool ReadRegular(int fd, size_t most, std::string* bytes) {
  struct stat facts = {};
  if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
  bytes->resize(most);
  size_t filled = 0;
  while (filled < most) {
    const ssize_t got = read(fd, bytes->data() + filled, most - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    filled += static_cast<size_t>(got);
  }
  bytes->resize(filled);
  return true;
}

}  // namespace

bool ReadRecordFile(const std::string& path, size_t most, std::string* bytes) {
  bytes->clear();
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  const bool is_read = ReadRegular(fd, most, bytes);
  close(fd);
  return is_read;
}

}  // namespace stillframe::upload
