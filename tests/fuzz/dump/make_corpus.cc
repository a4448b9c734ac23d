// SPDX-License-Identifier: Apache-2.0
// Writes the seeds of both fuzzers into a folder: make_corpus FOLDER
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "src/dump/section_scan.h"
#include "src/dump/writer.h"
#include "tests/host/damage.h"
#include "tests/host/sample_documents.h"
#include "tests/unit/dump/sample_document.h"

namespace {

using namespace stillframe;

void WriteSeed(const std::filesystem::path& path, uint8_t choice, std::span<const uint8_t> bytes) {
  std::ofstream out(path, std::ios::binary);
  out.put(static_cast<char>(choice));
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
}

// As verbs_fuzz takes them: each section's kind and length before it.
void WriteParts(const std::filesystem::path& path, uint8_t verb, std::span<const uint8_t> dump) {
  std::vector<uint8_t> bytes;
  for (const host_test::Part& part : host_test::PartsOf(dump)) {
    const size_t length = std::min<size_t>(part.payload.size(), 0xFFFF);
    bytes.insert(bytes.end(), {static_cast<uint8_t>(part.kind), static_cast<uint8_t>(length),
                               static_cast<uint8_t>(length >> 8U)});
    bytes.insert(bytes.end(), part.payload.begin(),
                 part.payload.begin() + static_cast<ptrdiff_t>(length));
  }
  WriteSeed(path, verb, bytes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_corpus FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder / "dump");
  const model::Document document = dump::SampleDocument(1, 10);
  const std::string whole = (folder / "whole.sfdump").string();
  if (!dump::Writer().WriteDocument(document, whole.c_str()).ok()) {
    std::cerr << "cannot write to " << folder << '\n';
    return 1;
  }
  const std::vector<uint8_t> bytes = dump::FileBytes(whole);
  std::filesystem::remove(whole);
  WriteSeed(folder / "dump" / "whole", 0, bytes);
  for (const dump::Section& section : dump::ScanSections(bytes, {}).sections) {
    std::vector<uint8_t> raw;
    std::string why;
    if (section.header.kind <= dump::kLastSectionKind &&
        dump::ReadPayload(section, 1 << 20, &raw, &why)) {
      // The fuzzer takes 1 + choice % kLastSectionKind as the kind, and 0 as a whole file.
      const uint8_t choice = static_cast<uint8_t>(section.header.kind - 1 + dump::kLastSectionKind);
      WriteSeed(folder / "dump" / ("section-" + std::to_string(section.header.index)), choice, raw);
    }
  }
  std::filesystem::create_directories(folder / "verbs");
  constexpr uint8_t kVerbs = 32;
  for (uint8_t verb = 0; verb < kVerbs; ++verb) {
    const std::string name = std::to_string(verb);
    WriteParts(folder / "verbs" / ("anr-" + name), verb,
               host_test::Written(host_test::AnrDocument()));
    WriteParts(folder / "verbs" / ("sample-" + name), verb, bytes);
  }
  return 0;
}
