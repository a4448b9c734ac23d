// SPDX-License-Identifier: Apache-2.0
// Writes sections to a file, one after another.
// Context: any thread, one at a time; no JNI, no locks
#pragma once

#include "src/dump/section_stream.h"

namespace stillframe::dump {

// Writes sections in sequence. After a failure nothing more is written.
class SectionWriter {
 public:
  // Callers may deflate payloads with it before their section. It must outlive this.
  explicit SectionWriter(Deflater* deflater) : deflater_(*deflater) {}

  // Starts a file of this minor version with its header.
  // `target`: an os::OwnDescriptor, or a vector of bytes.
  template <typename Target>
  void Open(uint16_t minor, Target* target) {
    file_.Open(target);
    Begin(minor);
  }
  // `fill(Deflater*)` writes the payload.
  template <typename Fill>
  void Add(SectionKind kind, const Fill& fill);
  // A section with an already deflated payload.
  void AddStored(SectionKind kind, uint64_t raw_bytes, uint32_t crc,
                 std::span<const uint8_t> payload);
  // Writes the end section and flushes. False if anything failed since Open.
  bool Close();

  // errno of the file's first failure, or 0; and bytes so far.
  int error() const { return file_.error(); }
  uint64_t offset() const { return file_.offset(); }

 private:
  void Begin(uint16_t minor);

  Deflater& deflater_;
  BufferedFile file_;
  uint32_t sections_ = 0;
  bool is_good_ = false;
};

template <typename Fill>
void SectionWriter::Add(SectionKind kind, const Fill& fill) {
  const uint64_t start = file_.offset();
  // An empty header: if writing ends here, a reader stops before it.
  is_good_ = is_good_ && file_.Put(BytesOf(SectionHeader{})) && deflater_.Begin(&file_);
  if (!is_good_) return;
  fill(&deflater_);
  is_good_ =
      deflater_.End() &&
      file_.Patch(start, BytesOf(MakeSectionHeader(kind, sections_++, deflater_.stored_bytes(),
                                                   deflater_.raw_bytes(), deflater_.crc())));
}

}  // namespace stillframe::dump
