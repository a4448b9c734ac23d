// SPDX-License-Identifier: Apache-2.0
// Finds symbols in, and facts about, one ELF image of this process's class (32 or 64 bits), from
// its file or as mapped by the dynamic linker. The image is not trusted: every count is bounded.
// Every read goes through a ByteSource, which rejects positions outside the image.
// Source: System V ABI, chapters 4 and 5; binutils for DT_GNU_HASH and build ids.
// Context: start-up only
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "arch/arch.h"

namespace stillframe::elf {

// The bytes of an image, from its ELF header on. Read succeeds completely or fails.
class ByteSource {
 public:
  virtual bool Read(uint64_t at, void* to, size_t bytes) const = 0;

 protected:
  ~ByteSource() = default;
};

class ElfReader {
 public:
  // `mapped_at`: address of the ELF header of a mapped image, whose bytes are at their addresses.
  // 0: a file, whose bytes are at their offsets. `bytes` must outlive this.
  explicit ElfReader(const ByteSource& bytes, uintptr_t mapped_at = 0)
      : bytes_(bytes), mapped_at_(mapped_at) {}

  // Reads the headers. False if the image is unusable.
  bool Open();

  // Address in the image; 0: no such function or object, or the tables are unreadable. Symtab: a
  // file's .symtab, which stripped files lack.
  uint64_t FindDynamic(std::string_view symbol) const;
  uint64_t FindInSymtab(std::string_view symbol) const;

  // An address to name.
  struct NamedPlace {
    uint64_t address = 0;
    std::string* name = nullptr;  // owned by the caller
  };
  // Names those of `places` that are inside a function of the dynamic symbols. If a function has
  // several names, prefers one without leading underscores.
  void NameByDynamic(std::span<const NamedPlace> places) const;

  // Hex of the linker's note (NT_GNU_BUILD_ID); "": none.
  std::string BuildId() const;
  // DT_SONAME; "": none.
  std::string Soname() const;

  // Difference between addresses in memory and in the image, if the ELF header is at `header`.
  uintptr_t BiasAt(uintptr_t header) const {
    return header - static_cast<uintptr_t>(first_address_);
  }

 private:
  struct DynamicTables {
    uint64_t symbols = 0;
    uint64_t strings = 0;
    uint64_t strings_bytes = 0;
    uint64_t gnu_hash = 0;
    uint64_t hash = 0;
    uint64_t soname = 0;  // offset in the string table
  };
  // The start of DT_GNU_HASH, before buckets and words.
  struct GnuHashHead {
    uint32_t buckets;
    uint32_t first_symbol;
    uint32_t bloom_words;
    uint32_t bloom_shift;
  };

  template <typename T>
  bool ReadAt(uint64_t at, T* value) const {
    return bytes_.Read(at, value, sizeof *value);
  }
  // Reads at an address of the image.
  template <typename T>
  bool ReadAddress(uint64_t address, T* value) const {
    uint64_t at = 0;
    return PositionOf(address, &at) && ReadAt(at, value);
  }

  bool PositionOf(uint64_t address, uint64_t* at) const;
  uint64_t AddressIn(uint64_t pointer) const;
  bool ReadDynamicTables(DynamicTables* tables) const;
  bool TextIs(uint64_t at, std::string_view text) const;
  uint64_t DynamicSymbol(const DynamicTables& tables, uint64_t index,
                         std::string_view symbol) const;
  uint64_t FindByGnuHash(const DynamicTables& tables, std::string_view symbol) const;
  uint64_t FindByHash(const DynamicTables& tables, std::string_view symbol) const;
  uint32_t DynamicSymbolCount(const DynamicTables& tables) const;
  std::string DynamicText(const DynamicTables& tables, uint64_t offset) const;
  std::string BuildIdInNotes(uint64_t address, uint64_t bytes) const;

  const ByteSource& bytes_;
  const uintptr_t mapped_at_;
  uint64_t program_headers_ = 0;  // position in the bytes
  uint32_t program_header_count_ = 0;
  uint64_t section_headers_ = 0;  // position in the bytes
  uint32_t section_header_count_ = 0;
  uint64_t first_address_ = 0;  // of the ELF header
  uint64_t end_address_ = 0;    // of the last segment
  uint64_t dynamic_ = 0;        // address
  uint64_t dynamic_bytes_ = 0;
};

// The bytes of a library in memory. The library may be unloaded meanwhile: fault recovery must be
// installed.
// Context: any thread; fault recovery must be installed, for the library may go meanwhile
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
