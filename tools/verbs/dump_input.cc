#include "tools/verbs/dump_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "src/dump/reader.h"
#include "tools/calltree/clean_text.h"
#include "tools/streams/gzip.h"
#include "tools/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

constexpr size_t kMostTokens = 40;

std::string SubjectFor(const std::string& path) { return path == "-" ? "standard input" : path; }

dump::ReadResult CannotRead(int error_number) {
  dump::ReadResult result;
  result.status = dump::Status::kCannotRead;
  result.error =
      fmt::format("cannot read: {}; give it a dump that you may read", std::strerror(error_number));
  return result;
}

// One byte more than allowed is read, which is enough for the reader to refuse it.
bool ReadAll(int fd, uint64_t max_bytes, std::string* bytes) {
  std::array<char, 65536> block{};
  while (bytes->size() <= max_bytes) {
    const ssize_t got = read(fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return got == 0;
    }
    bytes->append(block.data(), static_cast<size_t>(got));
  }
  return true;
}

dump::ReadResult ReadBytes(std::string_view bytes, const dump::ReadLimits& limits) {
  return dump::ReadDump({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, limits);
}

}  // namespace

dump::ReadResult ReadInput(const std::string& path) {
  const dump::ReadLimits limits;
  const int fd = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return CannotRead(errno);
  }
  std::string bytes;
  const bool is_read = ReadAll(fd, limits.max_file_bytes, &bytes);
  const int error_number = errno;
  if (fd != STDIN_FILENO) {
    close(fd);
  }
  if (!is_read) {
    return CannotRead(error_number);
  }
  if (!streams::IsGzip(bytes)) {
    return ReadBytes(bytes, limits);
  }
  std::string content;
  std::string error;
  const bool is_whole = streams::Gunzip(bytes, limits.max_file_bytes, &content, &error);
  dump::ReadResult result = ReadBytes(content, limits);
  if (!is_whole) {
    result.error = error;
    if (result.readable()) {
      result.status = dump::Status::kDamaged;
      result.document.damage.insert(result.document.damage.begin(), error);
    }
  }
  return result;
}

void Complain(const std::string& subject, const std::string& what) {
  const std::string line = fmt::format("stillframe: {}: {}\n", calltree::CleanText(subject, 400),
                                       calltree::CleanText(what, 2000));
  std::fputs(line.c_str(), stderr);
}

int WithDump(const std::string& path, const std::function<int(const verdict::Case&)>& use) {
  dump::ReadResult result = ReadInput(path);
  if (!result.ok()) {
    Complain(SubjectFor(path), result.error);
  }
  if (!result.readable()) {
    return kExitBadData;
  }
  if (!result.ok() && result.document.damage.empty()) {
    result.document.damage.push_back(result.error);
  }
  const verdict::Case evidence(result.document);
  const int exit_code = use(evidence);
  return result.ok() ? exit_code : std::max(exit_code, kExitBadData);
}

std::optional<uint64_t> ChooseTree(const verdict::Case& evidence, const std::string& path,
                                   std::optional<uint64_t> asked) {
  const std::vector<uint64_t> tokens = evidence.TreeTokens();
  if (tokens.empty()) {
    Complain(SubjectFor(path),
             "holds no trace tree, since none of its messages was sampled and long enough; see "
             "'stillframe text' for what it holds");
    return std::nullopt;
  }
  if (!asked) {
    return tokens.front();
  }
  if (evidence.TreeOf(*asked) != nullptr) {
    return asked;
  }
  std::string known;
  for (size_t i = 0; i < std::min(tokens.size(), kMostTokens); ++i) {
    known += fmt::format("{}{}", i == 0 ? "" : ", ", tokens[i]);
  }
  Complain(SubjectFor(path), fmt::format("has no tree with token {}; choose one of {}{}", *asked,
                                         known, tokens.size() > kMostTokens ? ", ..." : ""));
  return std::nullopt;
}

}  // namespace stillframe::verbs
