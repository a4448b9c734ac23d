// SPDX-License-Identifier: Apache-2.0
// Writes the seeds of the dump reader's fuzzer into a folder: make_corpus FOLDER
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "src/dump/section_scan.h"
#include "src/dump/writer.h"
#include "tests/unit/dump/sample_document.h"

namespace {

void WriteSeed(const std::filesystem::path& path, uint8_t choice, std::span<const uint8_t> bytes) {
  std::ofstream out(path, std::ios::binary);
  out.put(static_cast<char>(choice));
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

int main(int argc, char** argv) {
  using namespace stillframe;
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
  return 0;
}
