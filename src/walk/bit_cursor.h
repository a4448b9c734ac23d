// SPDX-License-Identifier: Apache-2.0
// Reads the bit stream of art::CodeInfo by guarded loads. After the first failure every read gives
// 0, and ok() stays false.
// Source: ART 11 libartbase/base/bit_memory_region.h, BitMemoryReader.
#pragma once

#include <cstdint>

#include "arch/arch.h"

namespace stillframe::walk {

class BitCursor {
 public:
  // A number up to kMaxSmall takes kSmallBits. A larger value there is kMaxSmall plus the size in
  // bytes of the number that follows.
  static constexpr uint32_t kSmallBits = 4;
  static constexpr uint32_t kMaxSmall = 11;

  // `bit` counts from `base`; it is negative for a table shared with an earlier method.
  BitCursor(uintptr_t base, int64_t bit) : base_(base), bit_(bit) {}

  bool ok() const { return ok_; }
  int64_t bit() const { return bit_; }
  void Fail() { ok_ = false; }

  // At most 32 bits.
  uint32_t Read(uint32_t bits) {
    if (bit_ < window_bit_ || bit_ + bits > window_bit_ + window_bits_) Load(bits);
    const auto shift = static_cast<uint32_t>(bit_ - window_bit_);
    bit_ += bits;
    return ok_ ? static_cast<uint32_t>(window_ >> shift & ((uint64_t{1} << bits) - 1)) : 0;
  }

  uint32_t Number() { return Large(Read(kSmallBits)); }

  // Reads `count` numbers; their small parts come first.
  [[gnu::always_inline]] void Numbers(uint32_t* numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) numbers[i] = Read(kSmallBits);
    for (uint32_t i = 0; i < count; ++i) numbers[i] = Large(numbers[i]);
  }

  void Skip(int64_t bits) { bit_ += bits; }

 private:
  uint32_t Large(uint32_t small) {
    return small <= kMaxSmall ? small : Read((small - kMaxSmall) * 8);
  }

  // Loads eight bytes or, at the end of readable memory, only those requested.
  void Load(uint32_t bits) {
    const uintptr_t first = base_ + static_cast<uintptr_t>(bit_ >> 3);
    window_bit_ = bit_ & ~int64_t{7};
    window_bits_ = 64;
    if (!ok_ || arch::GuardedLoad64(first, &window_)) return;
    const auto bytes = static_cast<uint32_t>((bit_ & 7) + bits + 7) / 8;
    window_bits_ = bytes * 8;
    window_ = 0;
    for (uint32_t i = 0; i < bytes; ++i) {
      uint8_t byte = 0;
      ok_ = ok_ && arch::GuardedLoad8(first + i, &byte);
      window_ |= uint64_t{byte} << (8 * i);
    }
  }

  uintptr_t base_;
  int64_t bit_;
  uint64_t window_ = 0;  // the bits from window_bit_ on
  int64_t window_bit_ = 0;
  uint32_t window_bits_ = 0;
  bool ok_ = true;
};

}  // namespace stillframe::walk
