// SPDX-License-Identifier: Apache-2.0
// Finds the sections of a dump file, and inflates one. Checks everything before use.
// Context: host tools and tests, any thread
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <stillframe/dump_format.h>

#include "src/dump/reader.h"

namespace stillframe::dump {

struct Section {
  SectionHeader header;
  uint64_t offset;  // of the header, in the file
  std::span<const uint8_t> stored;
};

struct ScanResult {
  Status status =
      Status::kOk;  // kOk: the file is a dump that this reader knows; `sections` has what was found
  std::string error;  // one line if not kOk
  std::vector<Section> sections;
  std::vector<std::string> damage;
};

ScanResult ScanSections(std::span<const uint8_t> bytes, const ReadLimits& limits);

// The payload of `section`, inflated into `*raw`. On failure sets `*why`.
bool ReadPayload(const Section& section, uint64_t max_raw_bytes, std::vector<uint8_t>* raw,
                 std::string* why);

// "tree", "section of kind 77", ...
std::string SectionName(uint32_t kind);

// "offset 123: what"
std::string AtOffset(uint64_t offset, std::string_view what);

}  // namespace stillframe::dump
