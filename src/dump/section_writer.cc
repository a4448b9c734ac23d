// SPDX-License-Identifier: Apache-2.0
#include "src/dump/section_writer.h"

namespace stillframe::dump {

void SectionWriter::Begin(uint16_t minor) {
  sections_ = 0;
  is_good_ = file_.Put(BytesOf(MakeFileHeader(minor)));
}

void SectionWriter::AddStored(SectionKind kind, uint64_t raw_bytes, uint32_t crc,
                              std::span<const uint8_t> payload) {
  is_good_ =
      is_good_ &&
      file_.Put(BytesOf(MakeSectionHeader(kind, sections_++, payload.size(), raw_bytes, crc))) &&
      file_.Put(payload);
}

bool SectionWriter::Close() {
  const uint32_t count = sections_;
  Add(SectionKind::kEnd, [count](Deflater* out) { out->Varint(count); });
  return is_good_ && file_.Flush();
}

}  // namespace stillframe::dump
