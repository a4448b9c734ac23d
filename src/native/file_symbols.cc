// SPDX-License-Identifier: Apache-2.0
#include "src/native/file_symbols.h"

#if defined(STILLFRAME_LIBELF)
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <algorithm>

#include "src/elf/elf_reader.h"
#include "src/native/optional_library.h"

namespace stillframe::native {
namespace {

using elf::ElfReader;

// Limit of one read by libelf.
constexpr uint64_t kMaxTableBytes = 32 << 20;

struct Functions {
  decltype(&elf_version) version = nullptr;
  decltype(&elf_begin) begin = nullptr;
  decltype(&elf_end) end = nullptr;
  decltype(&elf_nextscn) next_section = nullptr;
  decltype(&elf_getdata) data = nullptr;
  decltype(&elf_strptr) text = nullptr;
  decltype(&gelf_getshdr) section = nullptr;
  decltype(&gelf_getsym) symbol = nullptr;
};
Functions g_libelf;  // set by Open

class FileBytes final : public elf::ByteSource {
 public:
  explicit FileBytes(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~FileBytes() {
    if (fd_ >= 0) close(fd_);
  }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  bool Read(uint64_t at, void* to, size_t bytes) const override {
    return pread(fd_, to, bytes, static_cast<off_t>(at)) == static_cast<ssize_t>(bytes);
  }
  int fd() const { return fd_; }

 private:
  int fd_;
};

bool IsIn(const GElf_Sym& symbol, uint64_t address) {
  uint64_t begin = symbol.st_value;
#if defined(__arm__)
  begin &= ~uint64_t{1};  // of Thumb code
#endif
  return address - begin < symbol.st_size;
}

void NameBy(Elf* elf, Elf_Scn* section, std::span<const FileSymbols::Place> places) {
  GElf_Shdr header;
  if (g_libelf.section(section, &header) == nullptr || header.sh_type != SHT_SYMTAB ||
      header.sh_entsize == 0 || header.sh_size > kMaxTableBytes)
    return;
  Elf_Data* const data = g_libelf.data(section, nullptr);
  GElf_Sym symbol;
  const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int i = 1; i < count && g_libelf.symbol(data, i, &symbol) != nullptr; ++i) {
    if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
    for (const FileSymbols::Place& place : places) {
      if (!place.name->empty() || !IsIn(symbol, place.address)) continue;
      const char* const name = g_libelf.text(elf, header.sh_link, symbol.st_name);
      if (name != nullptr) *place.name = name;
    }
  }
}

}  // namespace

bool FileSymbols::Open(const char* file) {
  OptionalLibrary library(file, RTLD_LOCAL);
  g_libelf = {SF_FUNCTION(library, elf_version),  SF_FUNCTION(library, elf_begin),
              SF_FUNCTION(library, elf_end),      SF_FUNCTION(library, elf_nextscn),
              SF_FUNCTION(library, elf_getdata),  SF_FUNCTION(library, elf_strptr),
              SF_FUNCTION(library, gelf_getshdr), SF_FUNCTION(library, gelf_getsym)};
  is_open_ = library.has_all() && g_libelf.version(EV_CURRENT) != EV_NONE;
  return is_open_;
}

void FileSymbols::Name(const std::string& path, const std::string& build_id,
                       std::span<const Place> places) const {
  const auto is_open = [](const Place& place) { return place.name->empty(); };
  if (!is_open_ || build_id.empty() || !std::ranges::any_of(places, is_open)) return;
  const FileBytes bytes(path);
  ElfReader reader(bytes);
  if (!reader.Open() || reader.BuildId() != build_id) return;
  Elf* const elf = g_libelf.begin(bytes.fd(), ELF_C_READ, nullptr);
  for (Elf_Scn* section = g_libelf.next_section(elf, nullptr); section != nullptr;
       section = g_libelf.next_section(elf, section))
    NameBy(elf, section, places);
  g_libelf.end(elf);
}

}  // namespace stillframe::native
#else
namespace stillframe::native {

bool FileSymbols::Open(const char*) { return false; }

void FileSymbols::Name(const std::string&, const std::string&, std::span<const Place>) const {}

}  // namespace stillframe::native
#endif
