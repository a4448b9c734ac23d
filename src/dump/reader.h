// SPDX-License-Identifier: Apache-2.0
// Reads dumps: complete, truncated, damaged or malicious.
// Context: host tools and tests, any thread
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "src/dump/status.h"
#include "src/model/document.h"

namespace stillframe::dump {

// Limits for one file. Above one the file is kTooLarge, or the section is omitted with a line in
// Document::damage.
struct ReadLimits {
  uint64_t max_file_bytes = 256ULL << 20;
  uint64_t max_raw_bytes = 512ULL << 20;  // of all sections, inflated
  uint32_t max_frames = 1U << 20;
  uint32_t max_string_bytes = 128U << 20;  // of the frames' texts
  uint32_t max_records = 1U << 20;         // in one list
  uint32_t max_sections = 1U << 16;
  uint32_t max_nodes = 1U << 22;  // of one tree
  uint32_t max_samples = 1U << 22;
  uint32_t max_depth = 8192;
};

// kOk: the whole file was read. kDamaged: `document` has what was readable, and its `damage` lists
// what is missing. Otherwise `document` is empty.
struct ReadResult {
  Status status = Status::kOk;
  // "" if kOk; otherwise one line with offset, error and remedy, without the file's name.
  std::string error;
  model::Document document;

  bool ok() const { return status == Status::kOk; }
  // Whether `document` has content, complete or not.
  bool readable() const { return status == Status::kOk || status == Status::kDamaged; }
};

// All ids, counts and offsets in the returned document are checked. Frames refer to strings of its
// table, and trees to its frames. Trees keep TraceTree's invariants, and there is at most one per
// token. Strings are raw bytes.
ReadResult ReadDump(std::span<const uint8_t> bytes, const ReadLimits& limits = {});

}  // namespace stillframe::dump
