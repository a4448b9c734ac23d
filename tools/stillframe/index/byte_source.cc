// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/index/byte_source.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <optional>
#include <vector>

namespace stillframe::index {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's value for a gzip header
constexpr size_t kGzipBlockBytes = 64 * 1024;

Bytef* Input(const char* bytes) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes));
}

uInt Portion(size_t bytes) {
  return static_cast<uInt>(std::min<size_t>(bytes, std::numeric_limits<uInt>::max()));
}

constexpr size_t kBlockBytes = 256 * 1024;

// On /proc, /sys and the like, where reading may wait forever or have effects.
bool IsOfKernel(int fd) {
  struct statfs system = {};
  if (fstatfs(fd, &system) != 0) return false;
  const auto type = static_cast<uint64_t>(system.f_type);
  return type == PROC_SUPER_MAGIC || type == SYSFS_MAGIC || type == DEBUGFS_MAGIC ||
         type == TRACEFS_MAGIC || type == CGROUP_SUPER_MAGIC || type == CGROUP2_SUPER_MAGIC;
}

class File {
 public:
  explicit File(const std::string& path)
      // A pipe without a writer blocks otherwise.
      : fd_(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (fd_ <= STDIN_FILENO) return;
    refusal_ = RefusalOf(fd_, path);
    fcntl(fd_, F_SETFL, fcntl(fd_, F_GETFL) & ~O_NONBLOCK);
  }
  ~File() {
    if (fd_ > STDIN_FILENO) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return fd_ >= 0; }
  // Why the file is not read; "": it is.
  const std::string& refusal() const { return refusal_; }
  // Bytes read, 0 at the end, -1 on an error.
  ssize_t Read(std::vector<char>* block) const {
    ssize_t got = -1;
    do {
      got = read(fd_, block->data(), block->size());
    } while (got < 0 && errno == EINTR);
    return got;
  }

 private:
  // The shell has opened /dev/fd/63 of <(COMMAND) already, and its writer ends.
  static std::string RefusalOf(int fd, const std::string& path) {
    struct stat is = {};
    if (fstat(fd, &is) != 0) return {};
    const bool is_of_shell =
        path.starts_with("/dev/fd/") || path == "/dev/stdin" || path.starts_with("/proc/self/fd/");
    if (S_ISDIR(is.st_mode)) return "is a folder; name a file in it";
    if (!S_ISREG(is.st_mode) && !is_of_shell)
      return S_ISFIFO(is.st_mode) ? "is a pipe; give a file, or - for standard input"
                                  : "is a device or a socket; give a file";
    if (S_ISREG(is.st_mode) && IsOfKernel(fd)) return "is a file of the kernel; give another one";
    return {};
  }

  int fd_;
  std::string refusal_;
};

bool FailRead(std::string* error) {
  *error = std::string("cannot read: ") + strerror(errno) + "; give a file that you may read";
  return false;
}

}  // namespace

bool IsFolderOfKernel(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
  if (fd < 0) return false;
  const bool is_of_kernel = IsOfKernel(fd);
  close(fd);
  return is_of_kernel;
}

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string Gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::bad_alloc();
  std::string out;
  std::array<char, kGzipBlockBytes> block{};
  int result = Z_OK;
  size_t taken = 0;
  do {
    if (stream.avail_in == 0 && taken < bytes.size()) {
      stream.next_in = Input(bytes.data() + taken);
      stream.avail_in = Portion(bytes.size() - taken);
      taken += stream.avail_in;
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    result = deflate(&stream, taken == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    out.append(block.data(), block.size() - stream.avail_out);
  } while (result == Z_OK || result == Z_BUF_ERROR);
  deflateEnd(&stream);
  return out;
}

struct Unpacker::State {
  z_stream stream{};
  uint64_t offset = 0;  // file offset of the next byte
  bool is_between_members = false;
  std::array<char, kGzipBlockBytes> block{};
};

Unpacker::Unpacker() : state_(std::make_unique<State>()) {
  if (inflateInit2(&state_->stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
}

Unpacker::~Unpacker() { inflateEnd(&state_->stream); }

bool Unpacker::Feed(std::string_view bytes, const std::function<bool(std::string_view)>& take,
                    std::string* error) {
  z_stream& stream = state_->stream;
  stream.next_in = Input(bytes.data());
  stream.avail_in = Portion(bytes.size());
  bool is_block_full = false;
  while (stream.avail_in > 0 || is_block_full) {
    if (state_->is_between_members) {
      // Tapes and some transfers fill the last block with zeros.
      for (; stream.avail_in > 0 && *stream.next_in == 0; --stream.avail_in) ++stream.next_in;
      if (stream.avail_in == 0) break;
      inflateReset(&stream);
      state_->is_between_members = false;
    }
    stream.next_out = reinterpret_cast<Bytef*>(state_->block.data());
    stream.avail_out = static_cast<uInt>(kGzipBlockBytes);
    const int result = inflate(&stream, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      *error = "offset " + std::to_string(state_->offset + bytes.size() - stream.avail_in) +
               " of the gzip file: its compressed data are damaged; copy it again";
      return false;
    }
    const size_t got = kGzipBlockBytes - stream.avail_out;
    is_block_full = stream.avail_out == 0;
    state_->is_between_members = result == Z_STREAM_END;
    if (got > 0 && !take({state_->block.data(), got})) return false;
    if (result == Z_STREAM_END) is_block_full = false;
  }
  state_->offset += bytes.size();
  return true;
}

bool Unpacker::Finish(std::string* error) {
  if (state_->is_between_members) return true;
  *error = "offset " + std::to_string(state_->offset) +
           " of the gzip file: it ends too early; copy it again";
  return false;
}

bool ReadBlocks(const std::string& path, const std::function<bool(std::string_view)>& take,
                std::string* error) {
  const File file(path);
  if (!file.is_open()) return FailRead(error);
  if (!file.refusal().empty()) {
    *error = file.refusal();
    return false;
  }
  std::vector<char> block(kBlockBytes);
  std::string head;  // bytes so far, until the two that identify gzip
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

}  // namespace stillframe::index
