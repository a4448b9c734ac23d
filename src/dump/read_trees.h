// SPDX-License-Identifier: Apache-2.0
// Reads the sections of stack frames and of trace trees.
// Context: host tools and tests, any thread
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "src/dump/field_cursor.h"
#include "src/dump/reader.h"
#include "src/model/document.h"

namespace stillframe::dump {

constexpr const char* kMalformed = "its fields are not what the format says";

// Frames and the trees that name them; the frames go first. Each returns nothing, or why the
// section was left out.
class TreeReader {
 public:
  TreeReader(const ReadLimits& limits, model::Document* document)
      : limits_(limits), document_(*document) {}

  const char* ReadFrames(FieldCursor* fields);
  // From the file's ids to the document's.
  const char* ReadStacks(model::ThreadStacks* stacks);
  // `payload_bytes` bounds what the counts in the payload may be.
  const char* ReadTree(FieldCursor* fields, size_t payload_bytes);

 private:
  trace::FrameId FrameOf(uint64_t id, bool* is_missing);
  const char* ReadNodes(std::span<const trace::FrameId> frames, uint32_t sample_count,
                        FieldCursor* fields, std::vector<trace::PreorderNode>* nodes) const;

  const ReadLimits& limits_;
  model::Document& document_;
  std::unordered_set<uint64_t> tokens_;
  std::unordered_map<uint64_t, trace::FrameId> frame_ids_;
};

}  // namespace stillframe::dump
