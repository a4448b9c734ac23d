// SPDX-License-Identifier: Apache-2.0
// A whole ELF file in memory, with the bounds that a hostile one must not leave.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "src/elf/elf_reader.h"

namespace stillframe::elf {

class FileImage final : public ByteSource {
 public:
  explicit FileImage(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {}

  static FileImage Of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return FileImage({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
  }

  bool Read(uint64_t at, void* to, size_t bytes) const override {
    ++reads_;
    if (at > bytes_.size() || bytes > bytes_.size() - at) return false;
    memcpy(to, bytes_.data() + at, bytes);
    return true;
  }

  std::vector<uint8_t>& bytes() { return bytes_; }
  uint64_t reads() const { return reads_; }

 private:
  std::vector<uint8_t> bytes_;
  mutable uint64_t reads_ = 0;
};

}  // namespace stillframe::elf
