// SPDX-License-Identifier: Apache-2.0
// Looks through each table of symbols once for all places.
#include "src/native/file_symbols.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

#include "src/elf/elf_reader.h"
#include "src/native/libelf_functions.h"

namespace stillframe::native {
namespace {

using elf::ElfReader;

// What libelf reads at once.
constexpr uint64_t kMaxTableBytes = 32 << 20;

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

}  // namespace

struct FileSymbols::Libelf {
  void NameBy(Elf* elf, Elf_Scn* section, std::span<const Place> places) const;

  LibelfFunctions functions;
};

const char* FileSymbols::LibraryName() { return "libelf.so.1"; }

FileSymbols::FileSymbols() = default;
FileSymbols::~FileSymbols() = default;

bool FileSymbols::Open(const char* library) {
  std::unique_ptr<Libelf> libelf(new (std::nothrow) Libelf);
  if (libelf == nullptr || !FindLibelf(library, &libelf->functions) ||
      libelf->functions.version(EV_CURRENT) == EV_NONE)
    return false;
  libelf_ = std::move(libelf);
  return true;
}

void FileSymbols::Name(const std::string& path, const std::string& build_id,
                       std::span<const Place> places) const {
  const auto is_open = [](const Place& place) { return place.name->empty(); };
  if (libelf_ == nullptr || build_id.empty() || !std::ranges::any_of(places, is_open)) return;
  const FileBytes bytes(path);
  ElfReader reader(bytes);
  if (!reader.Open() || reader.BuildId() != build_id) return;
  const LibelfFunctions& functions = libelf_->functions;
  Elf* const elf = functions.begin(bytes.fd(), ELF_C_READ, nullptr);
  for (Elf_Scn* section = functions.next_section(elf, nullptr); section != nullptr;
       section = functions.next_section(elf, section))
    libelf_->NameBy(elf, section, places);
  functions.end(elf);
}

void FileSymbols::Libelf::NameBy(Elf* elf, Elf_Scn* section, std::span<const Place> places) const {
  GElf_Shdr header;
  if (functions.section(section, &header) == nullptr || header.sh_type != SHT_SYMTAB ||
      header.sh_entsize == 0 || header.sh_size > kMaxTableBytes)
    return;
  Elf_Data* const data = functions.data(section, nullptr);
  GElf_Sym symbol;
  const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int i = 1; i < count && functions.symbol(data, i, &symbol) != nullptr; ++i) {
    if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
    for (const Place& place : places) {
      if (!place.name->empty() || !IsIn(symbol, place.address)) continue;
      const char* const name = functions.text(elf, header.sh_link, symbol.st_name);
      if (name != nullptr) *place.name = name;
    }
  }
}

}  // namespace stillframe::native
