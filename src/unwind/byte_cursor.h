// SPDX-License-Identifier: Apache-2.0
// Reads the packed bytes of call frame information by guarded loads, up to its end. After the first
// failure every read gives 0, and ok() stays false.
#pragma once

#include <cstdint>

#include "arch/arch.h"

namespace stillframe::unwind {

class ByteCursor {
 public:
  ByteCursor(uintptr_t at, uintptr_t end) : at_(at), end_(end) {}

  bool ok() const { return ok_; }
  bool at_end() const { return at_ >= end_; }
  uintptr_t at() const { return at_; }

  uint8_t U8() {
    uint8_t value = 0;
    ok_ = ok_ && at_ < end_ && arch::GuardedLoad8(at_, &value);
    ++at_;
    return ok_ ? value : 0;
  }
  uint16_t U16() {
    const uint16_t low = U8();
    return static_cast<uint16_t>(low | U8() << 8);
  }
  uint32_t U32() {
    const uint32_t low = U16();
    return low | uint32_t{U16()} << 16;
  }
  uint64_t Uleb() {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = U8();
      value |= uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80) == 0) return value;
    }
    ok_ = false;
    return 0;
  }
  int64_t Sleb() {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64;) {
      const uint8_t byte = U8();
      value |= uint64_t{byte & 0x7fU} << shift;
      shift += 7;
      if ((byte & 0x80) == 0) {
        if (shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
        return static_cast<int64_t>(value);
      }
    }
    ok_ = false;
    return 0;
  }
  void Skip(uint64_t bytes) {
    ok_ = ok_ && bytes <= end_ - at_;
    at_ += static_cast<uintptr_t>(bytes);
  }
  void Fail() { ok_ = false; }

 private:
  uintptr_t at_;
  uintptr_t end_;
  bool ok_ = true;
};

}  // namespace stillframe::unwind
