// SPDX-License-Identifier: Apache-2.0
// Reads a dump that a test wrote. Context: tests
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "src/dump/reader.h"

namespace stillframe::dump {

// kCannotRead when there is no such file.
inline ReadResult ReadDumpFile(const char* path, const ReadLimits& limits = {}) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    ReadResult none;
    none.status = Status::kCannotRead;
    none.error = std::string("no file ") + path;
    return none;
  }
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  return ReadDump({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, limits);
}

}  // namespace stillframe::dump
