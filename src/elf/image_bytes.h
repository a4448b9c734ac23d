// SPDX-License-Identifier: Apache-2.0
// The bytes of a library as it lies in memory.
// Context: any thread; fault recovery must be installed, for the library may go meanwhile
#pragma once

#include "arch/arch.h"
#include "src/elf/elf_reader.h"

namespace stillframe::elf {

class ImageBytes final : public ByteSource {
 public:
  ImageBytes(uintptr_t begin, uintptr_t end) : begin_(begin), end_(end) {}

  bool Read(uint64_t at, void* to, size_t bytes) const override {
    if (at > end_ - begin_ || bytes > end_ - begin_ - at) return false;
    const uintptr_t address = begin_ + static_cast<uintptr_t>(at);
    for (size_t i = 0; i < bytes; ++i)
      if (!arch::GuardedLoad8(address + i, static_cast<uint8_t*>(to) + i)) return false;
    return true;
  }

 private:
  uintptr_t begin_;
  uintptr_t end_;
};

}  // namespace stillframe::elf
