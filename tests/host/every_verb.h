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
  // The verbs that compare get `whole` as the other dump. While this object is there, what verbs
  // say on standard error is lost, but not what a sanitizer says.
  explicit EveryVerb(std::span<const uint8_t> whole);
  ~EveryVerb();
  EveryVerb(const EveryVerb&) = delete;
  EveryVerb& operator=(const EveryVerb&) = delete;

  // The dump that all verbs read from now on.
  void SetDump(std::span<const uint8_t> dump);

  size_t count() const { return command_lines_.size(); }
  // "stillframe export DUMP --format pprof -o /dev/null"
  std::string CommandLine(size_t which) const;

  // What is wrong with how a verb took the dump: an exit code other than 0 and 1, or more than a
  // second of CPU time. "" if nothing is; what a verb throws goes on.
  std::string Run(size_t which);
  // The same of all verbs, up to the first with which something is wrong.
  std::string RunAll();
  // The same of one command line of each verb, which `seed` chooses.
  std::string RunOneOfEach(uint64_t seed);

 private:
  std::FILE* errors_;  // standard error as it was
  int dump_fd_;
  int whole_fd_;
  int mapping_fd_;
  std::vector<std::vector<std::string>> command_lines_;  // those of a verb follow each other
};

}  // namespace stillframe::host_test
