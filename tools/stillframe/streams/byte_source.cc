// SPDX-License-Identifier: Apache-2.0
// Reads blocks, and unpacks them when they begin as gzip does.
#include "tools/stillframe/streams/byte_source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "tools/stillframe/streams/gzip.h"

namespace stillframe::streams {
namespace {

constexpr size_t kBlockBytes = 256 * 1024;

class File {
 public:
  explicit File(const std::string& path)
      : fd_(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (fd_ > STDIN_FILENO) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return fd_ >= 0; }
  // Bytes read, 0 at the end, -1 on an error.
  ssize_t Read(std::vector<char>* block) const {
    ssize_t got = -1;
    do {
      got = read(fd_, block->data(), block->size());
    } while (got < 0 && errno == EINTR);
    return got;
  }

 private:
  int fd_;
};

bool FailRead(std::string* error) {
  *error = std::string("cannot read: ") + strerror(errno) + "; give a file that you may read";
  return false;
}

}  // namespace

bool ReadBlocks(const std::string& path, const std::function<bool(std::string_view)>& take,
                std::string* error) {
  const File file(path);
  if (!file.is_open()) return FailRead(error);
  std::vector<char> block(kBlockBytes);
  std::string head;  // until there are the two bytes that tell gzip
  std::optional<Unpacker> unpacker;
  bool is_known = false;
  for (;;) {
    const ssize_t got = file.Read(&block);
    if (got < 0) return FailRead(error);
    std::string_view bytes(block.data(), static_cast<size_t>(got));
    if (!is_known) {
      head += bytes;
      if (got > 0 && head.size() < 2) continue;
      is_known = true;
      if (IsGzip(head)) unpacker.emplace();
      bytes = head;
    }
    if (unpacker ? !unpacker->Feed(bytes, take, error) : !bytes.empty() && !take(bytes))
      return false;
    if (got == 0) return !unpacker || unpacker->Finish(error);
  }
}

bool ReadWhole(const std::string& path, uint64_t max_bytes, std::string* bytes,
               std::string* error) {
  bool is_full = false;
  const bool is_read = ReadBlocks(
      path,
      [&](std::string_view block) {
        bytes->append(block.substr(0, max_bytes + 1 - bytes->size()));
        is_full = bytes->size() > max_bytes;
        return !is_full;
      },
      error);
  return is_read || is_full;
}

}  // namespace stillframe::streams
