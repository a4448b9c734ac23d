// SPDX-License-Identifier: Apache-2.0
#include "tests/host/damage.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <random>

#include "src/dump/section_scan.h"
#include "src/dump/section_stream.h"
#include "src/dump/writer.h"

namespace stillframe::host_test {
namespace {

using Random = std::mt19937_64;

size_t Below(Random* random, size_t bound) {
  return bound == 0 ? 0 : static_cast<size_t>((*random)() % bound);
}

ptrdiff_t Signed(size_t value) { return static_cast<ptrdiff_t>(value); }

// A byte at random, or one that is the edge of something.
uint8_t Edge(Random* random) {
  constexpr std::array<uint8_t, 6> kEdges = {0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF};
  return Below(random, 2) == 0 ? kEdges[Below(random, kEdges.size())]
                               : static_cast<uint8_t>((*random)());
}

void ChangeBytes(Random* random, Bytes* bytes) {
  for (size_t left = 1 + Below(random, 8); left > 0 && !bytes->empty(); --left) {
    uint8_t& byte = (*bytes)[Below(random, bytes->size())];
    byte = Below(random, 2) == 0 ? static_cast<uint8_t>(byte ^ (1U << Below(random, 8)))
                                 : Edge(random);
  }
}

// Removes, repeats or overwrites.
void ChangeStretch(Random* random, Bytes* bytes) {
  if (bytes->empty()) return;
  const size_t begin = Below(random, bytes->size());
  const size_t length = 1 + Below(random, std::min<size_t>(bytes->size() - begin, 64));
  const auto first = bytes->begin() + Signed(begin);
  const Bytes stretch(first, first + Signed(length));
  switch (Below(random, 3)) {
    case 0: bytes->erase(first, first + Signed(length)); break;
    case 1: bytes->insert(first, stretch.begin(), stretch.end()); break;
    default: std::fill_n(first, length, Edge(random)); break;
  }
}

void ChangeParts(Random* random, std::vector<Part>* parts) {
  for (size_t left = 1 + Below(random, 4); left > 0 && !parts->empty(); --left) {
    const size_t which = Below(random, parts->size());
    Bytes& payload = (*parts)[which].payload;
    switch (Below(random, 7)) {
      case 0: parts->erase(parts->begin() + Signed(which)); break;
      case 1: payload.clear(); break;
      case 2: payload.assign(8, 0); break;  // every list and every record in it is empty
      case 3: payload.resize(Below(random, payload.size() + 1)); break;
      case 4: std::swap((*parts)[which], (*parts)[Below(random, parts->size())]); break;
      case 5: ChangeStretch(random, &payload); break;
      default: ChangeBytes(random, &payload); break;
    }
  }
}

}  // namespace

std::vector<Part> PartsOf(std::span<const uint8_t> dump) {
  std::vector<Part> parts;
  const dump::ReadLimits limits;
  for (const dump::Section& section : dump::ScanSections(dump, limits).sections) {
    Part part{section.header.kind, {}};
    std::string why;
    if (part.kind <= dump::kLastSectionKind &&
        dump::ReadPayload(section, limits.max_raw_bytes, &part.payload, &why))
      parts.push_back(std::move(part));
  }
  return parts;
}

Bytes FileOf(std::span<const Part> parts) {
  Bytes file;
  dump::VectorSink out(&file);
  uint32_t index = 0;
  const auto add = [&](dump::SectionKind kind, const Bytes& raw) {
    Bytes payload;
    dump::VectorSink sink(&payload);
    static dump::Deflater deflater;
    if (!deflater.Begin(&sink)) std::abort();
    deflater.Bytes(raw);
    if (!deflater.End()) std::abort();
    out.Put(dump::BytesOf(
        dump::MakeSectionHeader(kind, index++, payload.size(), raw.size(), deflater.crc())));
    out.Put(payload);
  };
  out.Put(dump::BytesOf(dump::MakeFileHeader(dump::kFormatMinor)));
  for (const Part& part : parts) add(static_cast<dump::SectionKind>(part.kind), part.payload);
  add(dump::SectionKind::kEnd, {static_cast<uint8_t>(std::min<size_t>(parts.size(), 127))});
  return file;
}

Bytes Written(const model::Document& document) {
  std::string folder = "/tmp/stillframe-damage-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) std::abort();
  const std::string path = folder + "/whole.sfdump";
  if (!dump::Writer().WriteDocument(document, path.c_str()).ok()) std::abort();
  std::ifstream in(path, std::ios::binary);
  Bytes bytes{std::istreambuf_iterator<char>(in), {}};
  unlink(path.c_str());
  rmdir(folder.c_str());
  return bytes;
}

Bytes Damaged(std::span<const uint8_t> dump, uint64_t seed) {
  Random random(seed);
  Bytes bytes(dump.begin(), dump.end());
  switch (Below(&random, 5)) {
    case 0: ChangeBytes(&random, &bytes); return bytes;
    case 1: ChangeStretch(&random, &bytes); return bytes;
    case 2: bytes.resize(Below(&random, bytes.size())); return bytes;
    default: break;
  }
  std::vector<Part> parts = PartsOf(dump);
  ChangeParts(&random, &parts);
  return FileOf(parts);
}

}  // namespace stillframe::host_test
