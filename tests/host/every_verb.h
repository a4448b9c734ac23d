// SPDX-License-Identifier: Apache-2.0
// Takes the bytes of a dump through what each verb does, within this process.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace stillframe::host_test {

class EveryVerb {
 public:
  // The verbs that compare get `whole` as the other dump. During this object's lifetime, the verbs'
  // standard error is discarded, but not the sanitizers'.
  explicit EveryVerb(std::span<const uint8_t> whole);
  ~EveryVerb();
  EveryVerb(const EveryVerb&) = delete;
  EveryVerb& operator=(const EveryVerb&) = delete;

  // The dump that all verbs read from now on.
  void SetDump(std::span<const uint8_t> dump);

  size_t count() const { return command_lines_.size(); }
  // "stillframe export DUMP --format pprof -o /dev/null"
  std::string CommandLine(size_t which) const;

  // Runs one command line. Returns "", or the error: an exit code other than 0 and 1 (with
  // --message also 2), or too much CPU time. Exceptions of a verb propagate.
  std::string Run(size_t which);
  // Runs all verbs, up to the first error.
  std::string RunAll();
  // Runs one command line of each verb, chosen by `seed`.
  std::string RunOneOfEach(uint64_t seed);

 private:
  std::FILE* errors_;  // standard error as it was
  int dump_fd_;
  int whole_fd_;
  int mapping_fd_;
  std::vector<std::vector<std::string>> command_lines_;  // those of a verb follow each other
};

}  // namespace stillframe::host_test
