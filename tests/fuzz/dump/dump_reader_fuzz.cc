// SPDX-License-Identifier: Apache-2.0
// Drives the production reader with any bytes. Checksums would stop every mutation, so the first
// byte chooses: the file as it is, or the rest as the payload of one section of a file whose
// checksums are right.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "src/dump/reader.h"
#include "src/dump/section_stream.h"

namespace stillframe::dump {
namespace {

constexpr ReadLimits kLimits = {.max_file_bytes = 1 << 20,
                                .max_raw_bytes = 4 << 20,
                                .max_frames = 1 << 14,
                                .max_string_bytes = 1 << 20,
                                .max_nodes = 1 << 14,
                                .max_samples = 1 << 14};

// A section of the kind that `kind` chooses, deflated, behind a file header.
std::vector<uint8_t> FileWith(uint8_t kind, std::span<const uint8_t> raw) {
  std::vector<uint8_t> payload;
  VectorSink sink(&payload);
  static Deflater deflater;
  if (!deflater.Begin(&sink)) std::abort();
  deflater.Bytes(raw);
  deflater.End();
  std::vector<uint8_t> file;
  VectorSink out(&file);
  out.Put(BytesOf(MakeFileHeader(kFormatMinor)));
  out.Put(BytesOf(MakeSectionHeader(static_cast<SectionKind>(1 + kind % kLastSectionKind), 0,
                                    payload.size(), raw.size(), deflater.crc())));
  out.Put(payload);
  return file;
}

// All that was read must be safe to use.
void Use(const model::Document& document) {
  for (const model::TraceTree& tree : document.trees) {
    tree.ForEachStack([&](uint32_t, std::span<const model::FrameId> stack, const model::Sample&) {
      for (model::FrameId id : stack)
        if (id >= document.frames.size()) std::abort();
    });
  }
}

}  // namespace
}  // namespace stillframe::dump

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stillframe::dump;
  if (size == 0) return 0;
  const std::span<const uint8_t> rest(data + 1, size - 1);
  const ReadResult read =
      data[0] == 0 ? ReadDump(rest, kLimits) : ReadDump(FileWith(data[0], rest), kLimits);
  if (read.readable()) Use(read.document);
  return 0;
}
