// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/disk_files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace stillframe::input {
namespace {

void FailRead(std::string* error) {
  *error = std::string("cannot read: ") + strerror(errno) + "; give a file that you may read";
}

// On /proc, /sys and the like, where reading may wait forever or have effects.
bool IsOfKernel(int fd) {
  struct statfs system = {};
  if (fstatfs(fd, &system) != 0) return false;
  const auto type = static_cast<uint64_t>(system.f_type);
  return type == PROC_SUPER_MAGIC || type == SYSFS_MAGIC || type == DEBUGFS_MAGIC ||
         type == TRACEFS_MAGIC || type == CGROUP_SUPER_MAGIC || type == CGROUP2_SUPER_MAGIC;
}

class File : public ByteSource {
 public:
  explicit File(const std::string& path)
      // A pipe without a writer blocks otherwise.
      : fd_(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (fd_ <= STDIN_FILENO) return;
    refusal_ = RefusalOf(fd_, path);
    fcntl(fd_, F_SETFL, fcntl(fd_, F_GETFL) & ~O_NONBLOCK);
  }
  ~File() override {
    if (fd_ > STDIN_FILENO) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return fd_ >= 0; }
  // Why the file is not read; "": it is.
  const std::string& refusal() const { return refusal_; }
  int64_t Read(std::span<char> block, std::string* error) override {
    ssize_t got = -1;
    do {
      got = read(fd_, block.data(), block.size());
    } while (got < 0 && errno == EINTR);
    if (got < 0) FailRead(error);
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

}  // namespace

bool IsFolderOfKernel(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
  if (fd < 0) return false;
  const bool is_of_kernel = IsOfKernel(fd);
  close(fd);
  return is_of_kernel;
}

std::unique_ptr<ByteSource> DiskFiles::Open(const std::string& path, std::string* error) const {
  auto file = std::make_unique<File>(path);
  if (!file->is_open())
    FailRead(error);
  else if (!file->refusal().empty())
    *error = file->refusal();
  else
    return file;
  return nullptr;
}

}  // namespace stillframe::input
