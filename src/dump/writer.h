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

// A trace tree as the payload of its section, deflated. Self-contained but for the frame table it
// was encoded against.
struct EncodedTree {
  Token token = Token::kNone;
  uint64_t raw_bytes = 0;  // of the payload before deflating
  uint32_t crc = 0;        // of `payload`
  uint32_t samples = 0;
  std::vector<uint8_t> payload;
  std::vector<model::FrameId> frames;  // the frames it uses, rising

  size_t memory_bytes() const {
    return sizeof(*this) + payload.capacity() + frames.capacity() * sizeof(model::FrameId);
  }
};

// The trees of a dump, borrowed for the time of the call.
struct EncodedTrees {
  const model::FrameTable* frames = nullptr;  // null only without trees
  std::span<const EncodedTree* const> trees;  // at most one per token; all encoded against `frames`
};

// What takes the place of sections of a dump; null leaves them as they are.
struct Amendment {
  const model::SignalCatcherText* signal_catcher = nullptr;
  const model::Occasion* occasion = nullptr;
};

struct WriteResult {
  Status status = Status::kOk;
  int error_number = 0;  // errno of the call that failed, 0 if it was none
  uint64_t bytes = 0;    // size of the file

  bool ok() const { return status == Status::kOk; }
};

struct WriteOptions {
  bool sync = false;  // fsync before the rename
};

// Holds zlib's state and the buffers, about 80 KiB, allocated once: writing a dump allocates little
// and only in proportion to the longest record and the number of frames used.
class Writer {
 public:
  Writer();
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Encodes `tree` into `*out`, whose memory is used again. kOk or kNoMemory.
  Status EncodeTree(const model::TraceTree& tree, EncodedTree* out);

  // Writes a dump to `final_path`: first to `final_path`.PID.tmp in the same folder, then by
  // rename, which replaces an older file. On any failure the temporary file is removed and nothing
  // appears under the final name.
  WriteResult WriteDump(const model::Dump& dump, const EncodedTrees& trees, const char* final_path,
                        const WriteOptions& options = {});

  // Puts what came late into a dump of this version; the file is replaced as WriteDump does.
  // kCannotWrite, and the file as it was, when it cannot be read or is no whole dump.
  WriteResult Amend(const Amendment& amendment, const char* path);

  // Encodes the trees as well. For host tools and tests.
  WriteResult WriteDocument(const model::Document& document, const char* final_path,
                            const WriteOptions& options = {});

  // What a failure is and what to do about it, as one line without its end.
  static std::string Describe(const WriteResult& result, std::string_view path);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stillframe::dump
