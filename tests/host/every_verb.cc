// SPDX-License-Identifier: Apache-2.0
#include "tests/host/every_verb.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "tools/stillframe/verbs/command_line.h"

namespace stillframe::host_test {
namespace {

constexpr double kMaxSeconds = 1;

void Replace(int fd, std::span<const uint8_t> bytes) {
  const auto size = static_cast<off_t>(bytes.size());
  if (ftruncate(fd, 0) != 0 || pwrite(fd, bytes.data(), bytes.size(), 0) != size) std::abort();
}

int FileOf(std::span<const uint8_t> bytes) {
  const int fd = memfd_create("dump", MFD_CLOEXEC);
  if (fd < 0) std::abort();
  Replace(fd, bytes);
  return fd;
}

std::string PathOf(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

}  // namespace

EveryVerb::EveryVerb(std::span<const uint8_t> whole)
    : errors_(stderr), dump_fd_(FileOf(whole)), whole_fd_(FileOf(whole)) {
  constexpr std::string_view kMapping =
      "shop.Checkout -> fixture.Checkout:\n    1:9:long total(int):10:18 -> total\n";
  mapping_fd_ = FileOf({reinterpret_cast<const uint8_t*>(kMapping.data()), kMapping.size()});
  const std::string dump = PathOf(dump_fd_);
  const std::string other = PathOf(whole_fd_);
  command_lines_ = {{"text", dump},
                    {"text", dump, other},
                    {"inspect", dump},
                    {"inspect", dump, "--json", "--mapping", PathOf(mapping_fd_)},
                    {"report", dump},
                    {"report", other, dump, "--app", "fixture,shop"},
                    {"flame", dump},
                    {"flame", dump, "--message", "17"},
                    {"top", dump, "--json"},
                    {"top", dump, other, "--by", "total"},
                    {"symbolize", dump, "--symbols", STILLFRAME_SYMBOLS},
                    {"diff", dump, other, "--json"},
                    {"diff", other, dump, "--format", "svg"},
                    {"diff", other, dump, "--format", "folded"},
                    {"export", dump, "--format", "collapsed", "--unit", "us", "--message", "17"},
                    {"export", dump, "--format", "speedscope", "--lines"}};
  for (const char* format : {"collapsed", "speedscope", "pprof", "perfetto", "firefox", "article",
                             "history", "matrix", "blockcanary", "json"})
    command_lines_.push_back({"export", dump, "--format", format});
  for (std::vector<std::string>& line : command_lines_) {
    line.insert(line.begin(), "stillframe");
    line.insert(line.end(), {"-o", "/dev/null"});
  }
  // glibc's streams are variables; the descriptor stays, for the sanitizers.
  stderr = std::fopen("/dev/null", "w");
  if (stderr == nullptr) std::abort();
}

EveryVerb::~EveryVerb() {
  std::fclose(stderr);
  stderr = errors_;
  close(dump_fd_);
  close(whole_fd_);
  close(mapping_fd_);
}

void EveryVerb::SetDump(std::span<const uint8_t> dump) { Replace(dump_fd_, dump); }

std::string EveryVerb::CommandLine(size_t which) const {
  std::string line;
  for (const std::string& word : command_lines_[which])
    line += (line.empty() ? "" : " ") + (word == PathOf(dump_fd_) ? "DUMP" : word);
  return line;
}

std::string EveryVerb::Run(size_t which) {
  std::vector<const char*> words;
  for (const std::string& word : command_lines_[which]) words.push_back(word.c_str());
  const std::clock_t start = std::clock();
  const int exit_code = verbs::RunCommandLine(static_cast<int>(words.size()), words.data());
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  // A damaged dump may lack the requested message, which is wrong usage.
  const bool is_asked = std::ranges::count(command_lines_[which], "--message") != 0;
  if (exit_code != 0 && exit_code != 1 && !(exit_code == 2 && is_asked))
    return CommandLine(which) + ": exit code " + std::to_string(exit_code);
  return seconds <= kMaxSeconds
             ? ""
             : CommandLine(which) + ": " + std::to_string(seconds) + " s of CPU time";
}

std::string EveryVerb::RunAll() {
  for (size_t which = 0; which < count(); ++which)
    if (std::string wrong = Run(which); !wrong.empty()) return wrong;
  return {};
}

std::string EveryVerb::RunOneOfEach(uint64_t seed) {
  for (size_t first = 0, end = 0; first < count(); first = end) {
    const std::string& verb = command_lines_[first][1];
    while (end < count() && command_lines_[end][1] == verb) ++end;
    if (std::string wrong = Run(first + seed % (end - first)); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace stillframe::host_test
