// SPDX-License-Identifier: Apache-2.0
#include "src/elf/elf_reader.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace stillframe::elf {
namespace {

using Header = ElfW(Ehdr);
using ProgramHeader = ElfW(Phdr);
using SectionHeader = ElfW(Shdr);
using DynamicEntry = ElfW(Dyn);
using Symbol = ElfW(Sym);
using BloomWord = ElfW(Addr);

constexpr uint32_t kMaxProgramHeaders = 64;
constexpr uint32_t kMaxSectionHeaders = 4096;
constexpr uint64_t kMaxDynamicEntries = 512;
constexpr uint32_t kMaxChain = 1U << 16;
constexpr uint64_t kMaxSymbols = 1U << 21;
constexpr size_t kMaxNameBytes = 256;
constexpr uint32_t kOwnClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
// A native bridge loads images of another CPU into the process.
#if defined(__x86_64__)
constexpr uint32_t kOwnMachine = EM_X86_64;
#elif defined(__i386__)
constexpr uint32_t kOwnMachine = EM_386;
#elif defined(__aarch64__)
constexpr uint32_t kOwnMachine = EM_AARCH64;
#elif defined(__arm__)
constexpr uint32_t kOwnMachine = EM_ARM;
#endif

bool IsDefined(const Symbol& symbol) {
  const unsigned type = symbol.st_info & 15U;
  return symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 &&
         (type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE);
}

uint32_t GnuHash(std::string_view text) {
  uint32_t hash = 5381;
  for (const char c : text) hash = hash * 33 + static_cast<uint8_t>(c);
  return hash;
}

uint32_t SysvHash(std::string_view text) {
  uint32_t hash = 0;
  for (const char c : text) {
    hash = (hash << 4) + static_cast<uint8_t>(c);
    const uint32_t top = hash & 0xf0000000U;
    hash ^= top >> 24;
    hash &= ~top;
  }
  return hash;
}

constexpr uint32_t kMaxBuckets = 1U << 18;
constexpr uint32_t kMaxDynamicSymbols = 1U << 20;
constexpr size_t kMaxTextBytes = 1024;
constexpr uint64_t kMaxNoteBytes = 4096;
constexpr uint32_t kMaxBuildIdBytes = 64;

uint64_t AlignUpTo4(uint64_t bytes) { return (bytes + 3) & ~uint64_t{3}; }

std::string Hex(const uint8_t* bytes, uint32_t count) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (uint32_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15U];
  }
  return text;
}

}  // namespace

bool ElfReader::Open() {
  Header header;
  if (!ReadAt(0, &header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != kOwnClass || header.e_machine != kOwnMachine ||
      header.e_phentsize != sizeof(ProgramHeader) || header.e_phnum == 0 ||
      header.e_phnum > kMaxProgramHeaders)
    return false;
  program_headers_ = header.e_phoff;
  program_header_count_ = header.e_phnum;
  if (header.e_shentsize == sizeof(SectionHeader) && header.e_shnum <= kMaxSectionHeaders) {
    section_headers_ = header.e_shoff;
    section_header_count_ = header.e_shnum;
  }
  bool has_first = false;
  for (uint32_t i = 0; i < program_header_count_; ++i) {
    ProgramHeader segment;
    if (!ReadAt(program_headers_ + i * sizeof segment, &segment)) return false;
    if (segment.p_type == PT_LOAD) {
      // The first segment contains the ELF header; segments are sorted by address.
      if (!has_first && segment.p_offset != 0) return false;
      if (!has_first) first_address_ = segment.p_vaddr;
      has_first = true;
      end_address_ = std::max<uint64_t>(end_address_, uint64_t{segment.p_vaddr} + segment.p_memsz);
    } else if (segment.p_type == PT_DYNAMIC) {
      dynamic_ = segment.p_vaddr;
      dynamic_bytes_ = segment.p_memsz;
    }
  }
  return has_first;
}

bool ElfReader::PositionOf(uint64_t address, uint64_t* at) const {
  if (mapped_at_ != 0) {
    *at = address - first_address_;
    return address >= first_address_ && address < end_address_;
  }
  for (uint32_t i = 0; i < program_header_count_; ++i) {
    ProgramHeader segment;
    if (!ReadAt(program_headers_ + i * sizeof segment, &segment)) return false;
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz) {
      *at = address - segment.p_vaddr + segment.p_offset;
      return true;
    }
  }
  return false;
}

// Some linkers (glibc's) relocate the pointers of a mapped dynamic section in place; others
// (bionic's) do not.
uint64_t ElfReader::AddressIn(uint64_t pointer) const {
  const uintptr_t bias = BiasAt(mapped_at_);
  const uint64_t address = pointer - bias;
  const bool is_relocated =
      mapped_at_ != 0 && pointer >= mapped_at_ && address < end_address_ && pointer >= bias;
  return is_relocated ? address : pointer;
}

bool ElfReader::ReadDynamicTables(DynamicTables* tables) const {
  const uint64_t count = std::min(dynamic_bytes_ / sizeof(DynamicEntry), kMaxDynamicEntries);
  for (uint64_t i = 0; i < count; ++i) {
    DynamicEntry entry;
    if (!ReadAddress(dynamic_ + i * sizeof entry, &entry)) return false;
    switch (entry.d_tag) {
      case DT_NULL: i = count; break;
      case DT_SYMTAB: tables->symbols = AddressIn(entry.d_un.d_ptr); break;
      case DT_STRTAB: tables->strings = AddressIn(entry.d_un.d_ptr); break;
      // Signed in bionic's headers for 32 bits.
      case DT_STRSZ: tables->strings_bytes = static_cast<uintptr_t>(entry.d_un.d_val); break;
      case DT_GNU_HASH: tables->gnu_hash = AddressIn(entry.d_un.d_ptr); break;
      case DT_SONAME: tables->soname = static_cast<uintptr_t>(entry.d_un.d_val); break;
      case DT_HASH: tables->hash = AddressIn(entry.d_un.d_ptr); break;
      default: break;
    }
  }
  return tables->symbols != 0 && tables->strings != 0;
}

bool ElfReader::TextIs(uint64_t at, std::string_view text) const {
  char found[kMaxNameBytes];
  return text.size() < sizeof found && bytes_.Read(at, found, text.size() + 1) &&
         memcmp(found, text.data(), text.size()) == 0 && found[text.size()] == '\0';
}

uint64_t ElfReader::DynamicSymbol(const DynamicTables& tables, uint64_t index,
                                  std::string_view symbol) const {
  Symbol entry;
  uint64_t name = 0;
  if (!ReadAddress(tables.symbols + index * sizeof entry, &entry) || !IsDefined(entry) ||
      entry.st_name >= tables.strings_bytes ||
      symbol.size() >= tables.strings_bytes - entry.st_name ||
      !PositionOf(tables.strings + entry.st_name, &name) || !TextIs(name, symbol))
    return 0;
  return entry.st_value;
}

// Layout: {buckets, first symbol, bloom words, shift}, bloom words, buckets, then one hash per
// symbol from the first on. Bit 0 of a hash ends its chain.
uint64_t ElfReader::FindByGnuHash(const DynamicTables& tables, std::string_view symbol) const {
  GnuHashHead table;
  if (!ReadAddress(tables.gnu_hash, &table) || table.buckets == 0) return 0;
  const uint32_t hash = GnuHash(symbol);
  const uint64_t buckets =
      tables.gnu_hash + sizeof table + uint64_t{table.bloom_words} * sizeof(BloomWord);
  uint32_t index = 0;
  if (!ReadAddress(buckets + uint64_t{hash % table.buckets} * 4, &index) ||
      index < table.first_symbol)
    return 0;
  const uint64_t hashes = buckets + uint64_t{table.buckets} * 4;
  for (uint32_t steps = 0; steps < kMaxChain; ++steps, ++index) {
    uint32_t other = 0;
    if (!ReadAddress(hashes + uint64_t{index - table.first_symbol} * 4, &other)) return 0;
    if ((other | 1U) == (hash | 1U)) {
      if (const uint64_t value = DynamicSymbol(tables, index, symbol); value != 0) return value;
    }
    if ((other & 1U) != 0) return 0;
  }
  return 0;
}

// {buckets, chains}, buckets, chains; symbol 0 ends a chain.
uint64_t ElfReader::FindByHash(const DynamicTables& tables, std::string_view symbol) const {
  uint32_t buckets = 0;
  uint32_t index = 0;
  if (!ReadAddress(tables.hash, &buckets) || buckets == 0 ||
      !ReadAddress(tables.hash + 8 + uint64_t{SysvHash(symbol) % buckets} * 4, &index))
    return 0;
  for (uint32_t steps = 0; index != 0 && steps < kMaxChain; ++steps) {
    if (const uint64_t value = DynamicSymbol(tables, index, symbol); value != 0) return value;
    if (!ReadAddress(tables.hash + 8 + (uint64_t{buckets} + index) * 4, &index)) return 0;
  }
  return 0;
}

uint64_t ElfReader::FindDynamic(std::string_view symbol) const {
  DynamicTables tables;
  if (!ReadDynamicTables(&tables)) return 0;
  if (tables.gnu_hash != 0) return FindByGnuHash(tables, symbol);
  return tables.hash != 0 ? FindByHash(tables, symbol) : 0;
}

uint64_t ElfReader::FindInSymtab(std::string_view symbol) const {
  if (mapped_at_ != 0) return 0;  // section headers are not mapped
  for (uint32_t i = 0; i < section_header_count_; ++i) {
    SectionHeader symbols;
    SectionHeader strings;
    if (!ReadAt(section_headers_ + i * sizeof symbols, &symbols)) return 0;
    if (symbols.sh_type != SHT_SYMTAB || symbols.sh_entsize != sizeof(Symbol) ||
        symbols.sh_link >= section_header_count_ ||
        !ReadAt(section_headers_ + symbols.sh_link * sizeof strings, &strings))
      continue;
    const uint64_t count = std::min<uint64_t>(symbols.sh_size / sizeof(Symbol), kMaxSymbols);
    for (uint64_t j = 0; j < count; ++j) {
      Symbol entry;
      if (!ReadAt(symbols.sh_offset + j * sizeof entry, &entry)) return 0;
      if (IsDefined(entry) && entry.st_name < strings.sh_size &&
          symbol.size() < strings.sh_size - entry.st_name &&
          TextIs(strings.sh_offset + entry.st_name, symbol))
        return entry.st_value;
    }
  }
  return 0;
}

std::string ElfReader::DynamicText(const DynamicTables& tables, uint64_t offset) const {
  std::string text;
  for (; offset < tables.strings_bytes && text.size() < kMaxTextBytes; ++offset) {
    char c = 0;
    if (!ReadAddress(tables.strings + offset, &c)) return {};
    if (c == '\0') return text;
    text += c;
  }
  return {};
}

// The symbol table has no count. With DT_GNU_HASH, the last symbol is at the end of the chain that
// begins last. With DT_HASH, it has as many symbols as chain links.
uint32_t ElfReader::DynamicSymbolCount(const DynamicTables& tables) const {
  if (tables.gnu_hash == 0) {
    uint32_t count = 0;
    return tables.hash != 0 && ReadAddress(tables.hash + 4, &count)
               ? std::min(count, kMaxDynamicSymbols)
               : 0;
  }
  GnuHashHead table;
  if (!ReadAddress(tables.gnu_hash, &table) || table.buckets > kMaxBuckets) return 0;
  const uint64_t buckets =
      tables.gnu_hash + sizeof table + uint64_t{table.bloom_words} * sizeof(ElfW(Addr));
  uint32_t last = 0;
  for (uint32_t i = 0; i < table.buckets; ++i) {
    uint32_t first = 0;
    if (!ReadAddress(buckets + uint64_t{i} * 4, &first)) return 0;
    last = std::max(last, first);
  }
  if (last < table.first_symbol) return 0;
  const uint64_t hashes = buckets + uint64_t{table.buckets} * 4;
  for (; last < kMaxDynamicSymbols; ++last) {
    uint32_t hash = 0;
    if (!ReadAddress(hashes + uint64_t{last - table.first_symbol} * 4, &hash)) return 0;
    if ((hash & 1U) != 0) return last + 1;
  }
  return 0;
}

void ElfReader::NameByDynamic(std::span<const NamedPlace> places) const {
  DynamicTables tables;
  if (!ReadDynamicTables(&tables)) return;
  const uint32_t count = DynamicSymbolCount(tables);
  for (uint32_t i = 1; i < count; ++i) {
    Symbol symbol;
    if (!ReadAddress(tables.symbols + uint64_t{i} * sizeof symbol, &symbol)) return;
    const unsigned type = symbol.st_info & 15U;
    if (symbol.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_GNU_IFUNC)) continue;
    uint64_t begin = symbol.st_value;
#if defined(__arm__)
    begin &= ~uint64_t{1};  // Thumb code
#endif
    for (const NamedPlace& place : places) {
      std::string& name = *place.name;
      if (place.address - begin >= symbol.st_size || (!name.empty() && name[0] != '_')) continue;
      std::string other = DynamicText(tables, symbol.st_name);
      if (!other.empty() && (name.empty() || other[0] != '_')) name = std::move(other);
    }
  }
}

std::string ElfReader::Soname() const {
  DynamicTables tables;
  if (!ReadDynamicTables(&tables) || tables.soname == 0) return {};
  return DynamicText(tables, tables.soname);
}

std::string ElfReader::BuildIdInNotes(uint64_t address, uint64_t bytes) const {
  struct {
    uint32_t name_bytes;
    uint32_t content_bytes;
    uint32_t type;
    char name[4];
  } note;
  for (uint64_t at = 0; at + sizeof note <= std::min(bytes, kMaxNoteBytes);) {
    if (!ReadAddress(address + at, &note)) return {};
    if (note.name_bytes == sizeof note.name && note.type == NT_GNU_BUILD_ID &&
        memcmp(note.name, "GNU", sizeof note.name) == 0 && note.content_bytes <= kMaxBuildIdBytes) {
      uint8_t content[kMaxBuildIdBytes];
      for (uint32_t i = 0; i < note.content_bytes; ++i)
        if (!ReadAddress(address + at + sizeof note + i, &content[i])) return {};
      return Hex(content, note.content_bytes);
    }
    at += 12 + AlignUpTo4(note.name_bytes) + AlignUpTo4(note.content_bytes);
  }
  return {};
}

std::string ElfReader::BuildId() const {
  for (uint32_t i = 0; i < program_header_count_; ++i) {
    ElfW(Phdr) segment;
    if (!ReadAt(program_headers_ + i * sizeof segment, &segment)) return {};
    if (segment.p_type != PT_NOTE) continue;
    std::string id = BuildIdInNotes(segment.p_vaddr, segment.p_memsz);
    if (!id.empty()) return id;
  }
  return {};
}

}  // namespace stillframe::elf
