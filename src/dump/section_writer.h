// SPDX-License-Identifier: Apache-2.0
// Writes sections to a file, one after another.
// Context: any thread, one at a time; no JNI, no locks
#pragma once

#include "src/dump/section_stream.h"

namespace stillframe::dump {

// Where sections go, one after another. After a failure nothing more is written.
class SectionWriter {
 public:
  // Also for payloads that are made before their section. It must outlive this.
  explicit SectionWriter(Deflater* deflater) : deflater_(*deflater) {}

  // Starts a file of that minor version with its header.
  void Open(uint16_t minor, const os::OwnDescriptor* file);
  // `fill(Deflater*)` writes the payload.
  template <typename Fill>
  void Add(SectionKind kind, const Fill& fill);
  // A section whose payload is deflated already.
  void AddStored(SectionKind kind, uint64_t raw_bytes, uint32_t crc,
                 std::span<const uint8_t> payload);
  // The end section, and what is still in the buffer. False if anything failed since Open.
  bool Close();

  // Of the file: errno of the first failure, or 0; bytes so far.
  int error() const { return file_.error(); }
  uint64_t offset() const { return file_.offset(); }

 private:
  Deflater& deflater_;
  BufferedFile file_;
  uint32_t sections_ = 0;
  bool is_good_ = false;
};

template <typename Fill>
void SectionWriter::Add(SectionKind kind, const Fill& fill) {
  const uint64_t start = file_.offset();
  // Not a header yet: a reader of a file that ends here stops before it.
  is_good_ = is_good_ && file_.Put(BytesOf(SectionHeader{})) && deflater_.Begin(&file_);
  if (!is_good_) return;
  fill(&deflater_);
  is_good_ =
      deflater_.End() &&
      file_.Patch(start, BytesOf(MakeSectionHeader(kind, sections_++, deflater_.stored_bytes(),
                                                   deflater_.raw_bytes(), deflater_.crc())));
}

}  // namespace stillframe::dump
