// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/verbs/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/exit_codes.h"

namespace stillframe::verbs {
namespace {

using std::chrono::milliseconds;

bool WriteAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    content.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

int Fail(const std::string& path, int error_number) {
  Complain(path, fmt::format("cannot write: {}; choose another place with -o",
                             std::strerror(error_number)));
  return kExitBadData;
}

int WriteDirectly(const std::string& path, std::string_view content) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return Fail(path, errno);
  const bool is_written = WriteAll(fd, content);
  const int error_number = errno;
  close(fd);
  return is_written ? kExitFine : Fail(path, error_number);
}

int WriteAndRename(const std::string& path, std::string_view content) {
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return Fail(path, errno);
  bool is_done = WriteAll(fd, content);
  int error_number = errno;
  if (close(fd) != 0 && is_done) {
    is_done = false;
    error_number = errno;
  }
  if (is_done && rename(temporary.c_str(), path.c_str()) != 0) {
    is_done = false;
    error_number = errno;
  }
  if (!is_done) {
    unlink(temporary.c_str());
    return Fail(path, error_number);
  }
  return kExitFine;
}

}  // namespace

Terminal StandardOutput() {
  constexpr size_t kUsualColumns = 80;
  if (isatty(STDOUT_FILENO) != 1) return {};
  Terminal terminal;
  winsize size{};
  const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  terminal.columns = is_known ? size.ws_col : kUsualColumns;
  const char* type = std::getenv("TERM");
  const char* no_colour = std::getenv("NO_COLOR");
  terminal.has_colour = type != nullptr && std::string_view(type) != "dumb" &&
                        (no_colour == nullptr || *no_colour == '\0');
  return terminal;
}

Progress::Progress(std::string what, uint64_t steps)
    : what_(std::move(what)),
      steps_(steps),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + milliseconds(1000)) {}

void Progress::Step(uint64_t steps) {
  done_ += steps;
  if (!is_terminal_ || Clock::now() < next_) return;
  next_ = Clock::now() + milliseconds(200);
  is_shown_ = true;
  const std::string of = steps_ == 0 ? "" : " of " + index::Grouped(steps_);
  const std::string line = fmt::format("\rstillframe: {}: {}{}", what_, index::Grouped(done_), of);
  std::fputs(line.c_str(), stderr);
}

void Progress::Clear() {
  if (is_shown_) {
    std::fputs("\r\x1b[K", stderr);
    is_shown_ = false;
  }
}

int WriteOutput(const std::string& path, std::string_view content) {
  if (path == "-")
    return WriteAll(STDOUT_FILENO, content) ? kExitFine : Fail("standard output", errno);
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return Fail(path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return WriteDirectly(path, content);
  // For a link, writes the target and keeps the link.
  std::error_code ignored;
  const std::filesystem::path target = std::filesystem::canonical(path, ignored);
  return WriteAndRename(exists && !ignored ? target.string() : path, content);
}

int WriteDocument(const std::string& path, std::string_view content) {
  if (path.empty() && isatty(STDOUT_FILENO) == 1) {
    Complain("standard output", "is a terminal; name a file with -o, or insist with -o -");
    return kExitUsage;
  }
  return WriteOutput(path.empty() ? "-" : path, content);
}

}  // namespace stillframe::verbs
