#include "tools/verbs/dump_input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "src/dump/reader.h"
#include "tools/calltree/clean_text.h"
#include "tools/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

constexpr size_t kMostTokens = 40;

std::string SubjectFor(const std::string& path) { return path == "-" ? "standard input" : path; }

dump::ReadResult ReadStandardInput() {
  const dump::ReadLimits limits;
  std::vector<uint8_t> bytes;
  std::array<uint8_t, 65536> block{};
  for (;;) {
    const ssize_t got = read(STDIN_FILENO, block.data(), block.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      dump::ReadResult result;
      result.status = dump::Status::kCannotRead;
      result.error = fmt::format("cannot read: {}; give it a dump", std::strerror(errno));
      return result;
    }
    bytes.insert(bytes.end(), block.begin(), block.begin() + got);
    // One byte more than allowed is enough for the reader to refuse it.
    if (got == 0 || bytes.size() > limits.max_file_bytes) {
      return dump::ReadDump(bytes, limits);
    }
  }
}

}  // namespace

void Complain(const std::string& subject, const std::string& what) {
  const std::string line = fmt::format("stillframe: {}: {}\n", calltree::CleanText(subject, 400),
                                       calltree::CleanText(what, 2000));
  std::fputs(line.c_str(), stderr);
}

int WithDump(const std::string& path, const std::function<int(const verdict::Case&)>& use) {
  dump::ReadResult result = path == "-" ? ReadStandardInput() : dump::ReadDumpFile(path.c_str());
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
