// SPDX-License-Identifier: Apache-2.0
// Writes the sections of a dump, one function for each group of them.
// Context: any thread, one at a time; no JNI, no locks
#pragma once

#include "src/dump/section_stream.h"
#include "src/dump/writer.h"

namespace stillframe::dump {

// Where sections go, one after another. After a failure nothing more is written.
class SectionWriter {
 public:
  // Starts a file with its header.
  void Open(int fd);
  // `fill(Record*, Deflater*)` writes the payload.
  template <typename Fill>
  void Add(SectionKind kind, const Fill& fill);
  void AddTree(const EncodedTree& tree);
  // A section of another file of ours, as it is there.
  void AddStored(const SectionHeader& header, std::span<const uint8_t> payload);
  // The end section, and what is still in the buffer. False if anything failed since Open.
  bool Close();

  // For payloads that are written before their section.
  Status EncodeTree(const trace::TraceTree& tree, EncodedTree* out);

  const BufferedFile& file() const { return file_; }

 private:
  Deflater deflater_;
  BufferedFile file_;
  Record record_;
  uint32_t sections_ = 0;
  bool is_good_ = false;
};

template <typename Fill>
void SectionWriter::Add(SectionKind kind, const Fill& fill) {
  const uint64_t start = file_.offset();
  // Not a header yet: a reader of a file that ends here stops before it.
  is_good_ = is_good_ && file_.Put(BytesOf(SectionHeader{})) && deflater_.Begin(&file_);
  if (!is_good_) {
    return;
  }
  fill(&record_, &deflater_);
  is_good_ =
      deflater_.End() &&
      file_.Patch(start, BytesOf(MakeSectionHeader(kind, sections_++, deflater_.stored_bytes(),
                                                   deflater_.raw_bytes(), deflater_.crc())));
}

void AddOccasion(const model::Occasion& occasion, SectionWriter* out);
// Identity, trigger, configuration, counters.
void AddFacts(const model::Dump& dump, SectionWriter* out);
// Running, history in its views, pending, Loopers, frame statistics.
void AddMessages(const model::Dump& dump, SectionWriter* out);
// Context, threads, annotations, the Signal Catcher's text.
void AddContext(const model::Dump& dump, SectionWriter* out);
void AddSignalCatcher(const model::SignalCatcherText& captured, SectionWriter* out);
// Frames and trees.
void AddTrees(const EncodedTrees& trees, SectionWriter* out);

}  // namespace stillframe::dump
