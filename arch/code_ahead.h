// SPDX-License-Identifier: Apache-2.0
// What a thread that was interrupted in straight-line code is about to store, for every CPU:
// arch/<cpu>/code_ahead.h reads one instruction of it.
// Context: signal
#pragma once

#include <cstdint>

namespace stillframe::arch {

enum class Ahead {
  kOther,  // computes, or loads what is not followed
  kLoad,   // of one word into one register
  kStore,
  kEnd,  // a branch, or an instruction that is not known here
};

struct Store {
  uintptr_t address = 0;
  uint32_t bytes = 0;
  bool is_known = false;  // the values are, of one word or two
  uintptr_t value[2] = {};

  bool Covers(uintptr_t word) const {
    return word >= address && word + sizeof(uintptr_t) <= address + bytes;
  }
  bool Overlaps(uintptr_t begin, uintptr_t end) const {
    return address < end && begin < address + bytes;
  }
  // Of a word that it covers.
  uintptr_t ValueAt(uintptr_t word) const { return value[(word - address) / sizeof(uintptr_t)]; }
};

struct Load {
  uintptr_t address = 0;
  uint32_t reg = 0;  // by DWARF number; lost until its reader knows what is loaded
};

// Which registers have values that are not known, by DWARF number.
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
