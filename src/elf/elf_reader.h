// SPDX-License-Identifier: Apache-2.0
// Finds symbols in, and facts about, one ELF image of this process's own class (32 or 64 bits), in
// its file or as the dynamic linker mapped it. The image is believed nothing: every count is
// bounded, and every read goes through a ByteSource, which refuses what lies outside.
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

// The bytes of an image, from its ELF header on. Read is all or nothing.
class ByteSource {
 public:
  virtual bool Read(uint64_t at, void* to, size_t bytes) const = 0;

 protected:
  ~ByteSource() = default;
};

class ElfReader {
 public:
  // `mapped_at`: where the ELF header lies when the bytes are those of a mapped image, at their
  // addresses; 0 when they are those of a file, at their offsets. The source must outlive this.
  explicit ElfReader(const ByteSource& bytes, uintptr_t mapped_at = 0)
      : bytes_(bytes), mapped_at_(mapped_at) {}

  // Reads the headers. False when this is no image that the rest can work with.
  bool Open();

  // Addresses as the image counts them; 0 when there is no such function or object, or the tables
  // cannot be read. Symtab: a file's .symtab, which stripped files do not have.
  uint64_t FindDynamic(std::string_view symbol) const;
  uint64_t FindInSymtab(std::string_view symbol) const;

  // An address, and the function that holds it.
  struct NamedPlace {
    uint64_t address = 0;
    std::string* name = nullptr;  // the caller's
  };
  // Names those of `places` that lie in a function of the dynamic symbols. Of several names for one
  // function one without underscores in front is taken.
  void NameByDynamic(std::span<const NamedPlace> places) const;

  // Hex of the note that linkers write (NT_GNU_BUILD_ID); "" when there is none.
  std::string BuildId() const;
  // DT_SONAME; "" when there is none.
  std::string Soname() const;

  // What the linker added to the image's addresses when it put the ELF header at `header`.
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
    uint64_t soname = 0;  // offset in strings
  };
  // Before the buckets and words of DT_GNU_HASH.
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
  // Reads at an address as the image counts them.
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
  uint64_t program_headers_ = 0;  // position
  uint32_t program_header_count_ = 0;
  uint64_t section_headers_ = 0;  // position
  uint32_t section_header_count_ = 0;
  uint64_t first_address_ = 0;  // of the ELF header
  uint64_t end_address_ = 0;    // of the last segment
  uint64_t dynamic_ = 0;        // address
  uint64_t dynamic_bytes_ = 0;
};

// The bytes of a library as it lies in memory.
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
