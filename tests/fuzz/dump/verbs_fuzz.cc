// SPDX-License-Identifier: Apache-2.0
// Drives the whole path from bytes to a verb's output. The first byte chooses the verb. The rest is
// sections, which become a file with correct checksums: each has a byte of kind, two of length, and
// its payload.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "tests/host/damage.h"
#include "tests/host/every_verb.h"
#include "tests/host/sample_documents.h"

namespace {

using namespace stillframe;

std::vector<host_test::Part> PartsIn(std::span<const uint8_t> bytes) {
  std::vector<host_test::Part> parts;
  while (bytes.size() >= 3) {
    const size_t length = std::min<size_t>(bytes[1] + 256U * bytes[2], bytes.size() - 3);
    const std::span<const uint8_t> payload = bytes.subspan(3, length);
    parts.push_back({bytes[0], {payload.begin(), payload.end()}});
    bytes = bytes.subspan(3 + length);
  }
  return parts;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static host_test::EveryVerb verbs(host_test::Written(host_test::AnrDocument()));
  if (size == 0) return 0;
  verbs.SetDump(host_test::FileOf(PartsIn({data + 1, size - 1})));
  if (const std::string wrong = verbs.Run(data[0] % verbs.count()); !wrong.empty()) {
    std::printf("%s\n", wrong.c_str());
    std::abort();
  }
  return 0;
}
