// SPDX-License-Identifier: Apache-2.0
// A dex file of one class, built from its tables: com.example.Row, Row.java, draw(int,
// Object[])void.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "src/names/dex_file.h"

namespace stillframe::names {

class SmallDex {
 public:
  static constexpr uint32_t kDrawMethod = 0;
  static constexpr uint32_t kChecksum = 8;  // in the header

  SmallDex() {
    const std::vector<std::string> strings = {
        "Lcom/example/Row;", "I", "[Ljava/lang/Object;", "V", "draw", "Row.java"};
    bytes_.resize(112);
    const uint32_t string_ids = Reserve(strings.size() * 4);
    const uint32_t type_ids = Reserve(4 * 4);
    const uint32_t proto_ids = Reserve(12);
    const uint32_t method_ids = Reserve(8);
    const uint32_t class_defs = Reserve(32);
    Put32(0, 0x0a786564U);
    Put32(kChecksum, 0x5eedf11eU);
    PutTable(56, strings.size(), string_ids);
    PutTable(64, 4, type_ids);
    PutTable(72, 1, proto_ids);
    PutTable(88, 1, method_ids);
    PutTable(96, 1, class_defs);
    for (uint32_t i = 0; i < 4; ++i) Put32(type_ids + 4 * i, i);
    for (uint32_t i = 0; i < strings.size(); ++i) {
      Put32(string_ids + 4 * i, size());
      bytes_.push_back(static_cast<uint8_t>(strings[i].size()));
      bytes_.insert(bytes_.end(), strings[i].begin(), strings[i].end());
      bytes_.push_back(0);
    }
    const uint32_t parameters = Reserve(8);
    Put32(parameters, 2);
    Put16(parameters + 4, 1);
    Put16(parameters + 6, 2);
    Put32(proto_ids + 4, 3);
    Put32(proto_ids + 8, parameters);
    Put32(method_ids + 4, 4);  // class 0, proto 0, name 4
    Put32(class_defs + 16, 5);
    code_item_ = Reserve(16);
    // Line 10 at 0, 12 at 3, 11 at 4, 111 at 5.
    const std::vector<uint8_t> program = {
        10,   1,    0,                 // first line, one parameter without a name
        0x07, 0x0e,                    // prologue end; +0, +0
        0x01, 3,    0x03, 1,    2, 3,  // advance the pc by 3; a local begins
        0x10, 0x1c,                    // +0, +2; +1, -1
        0x02, 0xe4, 0x00, 0x05, 1,     // advance the line by 100; the local ends
        0x1d, 0x00};                   // +1, +0
    Put32(code_item_ + 8, size());
    bytes_.insert(bytes_.end(), program.begin(), program.end());
    Put32(32, size());
  }

  DexFileReader Reader() const { return {begin(), bytes_.size(), begin()}; }
  std::vector<uint8_t>& bytes() { return bytes_; }
  uintptr_t begin() const { return reinterpret_cast<uintptr_t>(bytes_.data()); }
  uint32_t size() const { return static_cast<uint32_t>(bytes_.size()); }
  uint32_t code_item() const { return code_item_; }

 private:
  uint32_t Reserve(size_t bytes) {
    const uint32_t at = (size() + 3) & ~3U;
    bytes_.resize(at + bytes);
    return at;
  }
  void Put32(uint32_t at, uint32_t value) { memcpy(&bytes_[at], &value, sizeof value); }
  void Put16(uint32_t at, uint16_t value) { memcpy(&bytes_[at], &value, sizeof value); }
  void PutTable(uint32_t at, size_t count, uint32_t offset) {
    Put32(at, static_cast<uint32_t>(count));
    Put32(at + 4, offset);
  }

  std::vector<uint8_t> bytes_;
  uint32_t code_item_ = 0;
};

}  // namespace stillframe::names
