// SPDX-License-Identifier: Apache-2.0
// Writes dumps: encodes trees when their message ends, and puts everything into one file.
// Context: any thread, one at a time; no JNI, no locks
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <stillframe/token.h>

#include "src/dump/status.h"
#include "src/model/dump.h"
#include "src/model/frame_table.h"
#include "src/model/trace_tree.h"

namespace stillframe::model {
struct Document;
}

namespace stillframe::dump {

// A trace tree as the deflated payload of its section. Needs the frame table that it was encoded
// with.
struct EncodedTree {
  Token token = Token::kNone;
  uint64_t raw_bytes = 0;  // of the payload, inflated
  uint32_t crc = 0;        // of `payload`
  uint32_t samples = 0;
  std::vector<uint8_t> payload;
  std::vector<model::FrameId> frames;  // frames used, ascending

  size_t memory_bytes() const {
    return sizeof(*this) + payload.capacity() + frames.capacity() * sizeof(model::FrameId);
  }
};

// The trees of a dump, borrowed for the call.
struct EncodedTrees {
  const model::FrameTable* frames = nullptr;  // null only without trees
  std::span<const EncodedTree* const> trees;  // at most one per token, all encoded with `frames`
  std::span<const EncodedTree* const> of_threads = {};  // those of Dump::other_threads
};

// Replacements for sections of a dump; null: unchanged.
struct Amendment {
  const model::SignalCatcherText* signal_catcher = nullptr;
  const model::Occasion* occasion = nullptr;
};

struct WriteResult {
  Status status = Status::kOk;
  int error_number = 0;  // errno of the failed call; 0: none
  uint64_t bytes = 0;    // of the file

  bool ok() const { return status == Status::kOk; }
};

struct WriteOptions {
  bool sync = false;  // fsync before the rename
};

// Holds zlib's state and the buffers, about 80 KiB, allocated once. Writing a dump allocates only
// in proportion to the longest record and the frames used.
class Writer {
 public:
  Writer();
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Encodes `tree` into `*out`, whose memory is reused. Times become multiples of `unit_us`. kOk or
  // kNoMemory.
  Status EncodeTree(const model::TraceTree& tree, EncodedTree* out, uint32_t unit_us = 1);

  // Writes a dump to `final_path`.PID.tmp, then renames it to `final_path`, replacing an older
  // file. On failure removes the temporary file and leaves `final_path` unchanged.
  WriteResult WriteDump(const model::Dump& dump, const EncodedTrees& trees, const char* final_path,
                        const WriteOptions& options = {});

  // Writes a dump into `*bytes`, which is replaced. False if zlib has no memory. Empty lists have
  // no sections.
  bool WriteBytes(const model::Dump& dump, const EncodedTrees& trees, std::vector<uint8_t>* bytes);

  // Adds late facts to a dump of this version, and replaces the file as WriteDump does.
  // kCannotWrite with the file unchanged if it is not readable or not complete.
  WriteResult Amend(const Amendment& amendment, const char* path);

  // Encodes the trees too. For host tools and tests.
  WriteResult WriteDocument(const model::Document& document, const char* final_path,
                            const WriteOptions& options = {});

  // The failure and its remedy, as one line without its end.
  static std::string Describe(const WriteResult& result, std::string_view path);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stillframe::dump
