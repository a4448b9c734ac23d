// SPDX-License-Identifier: Apache-2.0
// The next stores of a thread that was interrupted in straight-line code, for every CPU.
// arch/<cpu>/code_ahead.h reads one instruction.
// Context: signal
#pragma once

#include <cstdint>

namespace stillframe::arch {

enum class Ahead {
  kOther,  // a computation, or a load that is not tracked
  kLoad,   // one word into one register
  kStore,
  kEnd,  // a branch, or an instruction that is not decoded
};

struct Store {
  uintptr_t address = 0;
  uint32_t bytes = 0;
  bool is_known = false;  // whether `value` is valid: one or two words
  uintptr_t value[2] = {};

  bool Covers(uintptr_t word) const {
    return word >= address && word + sizeof(uintptr_t) <= address + bytes;
  }
  bool Overlaps(uintptr_t begin, uintptr_t end) const {
    return address < end && begin < address + bytes;
  }
  // `word` must be inside the store.
  uintptr_t ValueAt(uintptr_t word) const { return value[(word - address) / sizeof(uintptr_t)]; }
};

struct Load {
  uintptr_t address = 0;
  uint32_t reg = 0;  // DWARF number; unknown until the caller sets the loaded value
};

// Registers without a known value, by DWARF number.
class UnknownRegisters {
 public:
  bool Has(uint32_t number) const { return (bits_ >> number & 1) != 0; }
  void Set(uint32_t number, bool is_lost) {
    bits_ = (bits_ & ~(uint64_t{1} << number)) | uint64_t{is_lost} << number;
  }

 private:
  uint64_t bits_ = 0;
};

}  // namespace stillframe::arch
