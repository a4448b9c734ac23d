// SPDX-License-Identifier: Apache-2.0
// Reads dumps, whole, truncated, damaged or made by an enemy.
// Context: host tools and tests, any thread
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "src/dump/status.h"
#include "src/model/document.h"

namespace stillframe::dump {

// What one file may cost. A file beyond a bound is kTooLarge or has the section left out, with a
// line in Document::damage.
struct ReadLimits {
  uint64_t max_file_bytes = 256ULL << 20;
  uint64_t max_raw_bytes = 512ULL << 20;  // of all sections together, inflated
  uint32_t max_frames = 1U << 20;
  uint32_t max_string_bytes = 128U << 20;  // of the frames' texts
  uint32_t max_records = 1U << 20;         // in one list
  uint32_t max_sections = 1U << 16;
  uint32_t max_nodes = 1U << 22;  // of one tree
  uint32_t max_samples = 1U << 22;
  uint32_t max_depth = 8192;
};

// kOk: all of the file was read. kDamaged: `document` holds what could be read, and its `damage`
// says what is missing. Otherwise `document` is empty.
struct ReadResult {
  Status status = Status::kOk;
  // Empty if kOk; else one line with the offset: what is wrong and what to do. It does not name the
  // file.
  std::string error;
  model::Document document;

  bool ok() const { return status == Status::kOk; }
  // There is a document, whole or in part.
  bool readable() const { return status == Status::kOk || status == Status::kDamaged; }
};

// Every id, count and offset in the returned document is checked: frames name strings of its table,
// trees name frames of its table and keep TraceTree's invariants, there is at most one tree per
// token. Strings are bytes as they came.
ReadResult ReadDump(std::span<const uint8_t> bytes, const ReadLimits& limits = {});

}  // namespace stillframe::dump
