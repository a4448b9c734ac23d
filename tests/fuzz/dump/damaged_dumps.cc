// SPDX-License-Identifier: Apache-2.0
// Takes dumps that are damaged at random through every verb: damaged_dumps COUNT [FIRST [DUMP...]]
// Each dump meets one command line of each verb; the seeds go through all of them in turn.
// The seeds are FIRST (0 if not given) and the numbers after it, so that several processes can
// share the work; what is damaged are the dumps given, or else those of the host tool's tests.
#include <sanitizer/common_interface_defs.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/host/damage.h"
#include "tests/host/every_verb.h"
#include "tests/host/sample_documents.h"

namespace {

using namespace stillframe;
using host_test::Bytes;

uint64_t current_seed = 0;

// Checked in addition to the sanitizers.
void PrintSeed() {
  std::printf("seed %llu ended it\n", static_cast<unsigned long long>(current_seed));
  std::fflush(stdout);
}

uint64_t NumberOf(const char* text) {
  uint64_t number = 0;
  const char* const end = text + std::strlen(text);
  if (std::from_chars(text, end, number).ptr != end) std::abort();
  return number;
}

std::vector<Bytes> Dumps(int count, char** paths) {
  std::vector<Bytes> dumps;
  for (int i = 0; i < count; ++i) {
    std::ifstream in(paths[i], std::ios::binary);
    dumps.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  if (dumps.empty())
    for (const model::Document& document : {host_test::AnrDocument(), host_test::HostileDocument()})
      dumps.push_back(host_test::Written(document));
  return dumps;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::printf("usage: damaged_dumps COUNT [FIRST [DUMP...]]\n");
    return 2;
  }
  const uint64_t count = NumberOf(argv[1]);
  const uint64_t first = argc > 2 ? NumberOf(argv[2]) : 0;
  const std::vector<Bytes> dumps = Dumps(std::max(argc - 3, 0), argv + 3);
  host_test::EveryVerb verbs(host_test::Written(host_test::AnrDocument()));
  __sanitizer_set_death_callback(PrintSeed);
  std::signal(SIGABRT, [](int) { PrintSeed(); });
  uint64_t wrong_dumps = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    current_seed = seed;
    verbs.SetDump(host_test::Damaged(dumps[seed % dumps.size()], seed));
    std::string wrong;
    try {
      wrong = verbs.RunOneOfEach(seed / dumps.size());
    } catch (const std::exception& error) {
      wrong = error.what();
    }
    if (!wrong.empty()) {
      ++wrong_dumps;
      std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), wrong.c_str());
    }
  }
  std::printf("%llu damaged dumps through every verb, by %zu command lines in turn, %llu wrong\n",
              static_cast<unsigned long long>(count), verbs.count(),
              static_cast<unsigned long long>(wrong_dumps));
  return wrong_dumps == 0 ? 0 : 1;
}
