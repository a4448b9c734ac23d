// SPDX-License-Identifier: Apache-2.0
// Decodes loads and stores of aarch64 whose address is a register plus an offset.
// Source: Arm Architecture Reference Manual, C4.1 (encodings) and C6.2, C7.2: LDR, LDUR, LDP, STR,
// STUR, STP of general and of vector registers, in all their addressing modes.
// Context: signal
#pragma once

#include <cstdint>

namespace stillframe::arch {

struct MemoryAccess {
  uint32_t bytes = 0;  // of one register; 0: not decoded
  bool is_pair = false;
  bool is_load = false;
  bool is_vector = false;
  bool is_post = false;  // the offset is added afterwards
  bool writes_back = false;
  int64_t offset = 0;  // bytes from the base register
};

inline bool IsLoadOrStore(uint32_t code) { return (code & 0x0a000000) == 0x08000000; }

inline int64_t SignExtendedField(uint32_t code, uint32_t from, uint32_t bits) {
  return static_cast<int32_t>(code << (32 - from - bits)) >> (32 - bits);
}

inline MemoryAccess ReadPairAccess(uint32_t code) {
  MemoryAccess access;
  access.is_vector = (code & 0x04000000) != 0;
  const uint32_t size = code >> 30;
  const uint32_t mode = code >> 23 & 3;
  if (!access.is_vector && size == 1 && (code & 0x00400000) == 0) return {};  // tags
  access.bytes = access.is_vector ? 4U << size : 4U << (size >> 1);
  access.is_pair = true;
  access.is_load = (code & 0x00400000) != 0;
  access.is_post = mode == 1;
  access.writes_back = (mode & 1) != 0;
  access.offset = SignExtendedField(code, 15, 7) * access.bytes;
  return access;
}

// `code` is a load or a store.
inline MemoryAccess ReadMemoryAccess(uint32_t code) {
  if ((code & 0x3a000000) == 0x28000000) return ReadPairAccess(code);
  MemoryAccess access;
  access.is_vector = (code & 0x04000000) != 0;
  const uint32_t size = code >> 30;
  const uint32_t operation = code >> 22 & 3;
  const uint32_t shift = access.is_vector ? size | (operation & 2) << 1 : size;
  access.is_load = access.is_vector ? (operation & 1) != 0 : operation != 0;
  if ((code & 0x3b000000) == 0x39000000) {
    access.bytes = 1U << shift;
    access.offset = int64_t{code >> 10 & 0xfff} << shift;
  } else if ((code & 0x3b200000) == 0x38000000) {
    const uint32_t mode = code >> 10 & 3;
    access.bytes = 1U << shift;
    access.is_post = mode == 1;
    access.writes_back = (mode & 1) != 0;
    access.offset = SignExtendedField(code, 12, 9);
  }
  return access;
}

}  // namespace stillframe::arch
