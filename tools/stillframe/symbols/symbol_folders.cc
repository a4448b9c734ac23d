// SPDX-License-Identifier: Apache-2.0
// Reads the headers of each ELF file once, and contents where a checksum must fit.
#include "tools/stillframe/symbols/symbol_folders.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <memory>

namespace stillframe::symbols {
namespace {

namespace fs = std::filesystem;

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }

 private:
  int fd_;
};

std::string Hex(const uint8_t* bytes, size_t count) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4U];
    text += kDigits[bytes[i] & 15U];
  }
  return text;
}

// The checksum of .gnu_debuglink is zlib's, over the whole file.
bool HasChecksum(const std::string& path, uint32_t checksum) {
  const Descriptor file(path);
  std::array<unsigned char, 1U << 16U> part;
  uLong sum = crc32(0, nullptr, 0);
  ssize_t got = 1;
  while (got > 0) {
    got = read(file.get(), part.data(), part.size());
    if (got > 0) sum = crc32(sum, part.data(), static_cast<uInt>(got));
  }
  return got == 0 && sum == checksum;
}

}  // namespace

std::string FileName(const std::string& path) {
  return path.substr(path.find_last_of("/!") + 1);  // from 0 where there is none
}

bool SymbolFolders::Examine(const std::string& path, File* file) {
  const Descriptor descriptor(path);
  std::array<char, SELFMAG> magic;
  if (descriptor.get() < 0 || pread(descriptor.get(), magic.data(), SELFMAG, 0) != SELFMAG ||
      memcmp(magic.data(), ELFMAG, SELFMAG) != 0)
    return false;
  const std::unique_ptr<Elf, ElfEnd> elf(elf_begin(descriptor.get(), ELF_C_READ_MMAP, nullptr));
  size_t names = 0;
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF) return false;
  file->path = path;
  const void* id = nullptr;
  if (const ssize_t bytes = dwelf_elf_gnu_build_id(elf.get(), &id); bytes > 0)
    file->build_id = Hex(static_cast<const uint8_t*>(id), static_cast<size_t>(bytes));
  GElf_Word checksum = 0;
  if (const char* const link = dwelf_elf_gnu_debuglink(elf.get(), &checksum)) {
    file->link = link;
    file->link_checksum = checksum;
  }
  if (elf_getshdrstrndx(elf.get(), &names) != 0) return true;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
    const char* const name = elf_strptr(elf.get(), names, header.sh_name);
    if (name == nullptr) continue;
    file->has_debug_info |= strcmp(name, ".debug_info") == 0 || strcmp(name, ".zdebug_info") == 0;
    file->has_symbols |= header.sh_type == SHT_SYMTAB || strcmp(name, ".gnu_debugdata") == 0;
  }
  return true;
}

SymbolFolders::SymbolFolders(const std::vector<std::string>& folders) {
  elf_version(EV_CURRENT);
  size_t seen = 0;
  for (const std::string& folder : folders) {
    std::error_code error;
    constexpr auto kOptions = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(folder, kOptions, error), end;
         !error && entry != end && seen < kMaxFiles; entry.increment(error)) {
      std::error_code ignored;
      File file;
      ++seen;
      if (!entry->is_regular_file(ignored) || !Examine(entry->path().string(), &file)) continue;
      if (!file.build_id.empty()) by_build_id_.emplace(file.build_id, files_.size());
      by_name_.emplace(FileName(file.path), files_.size());
      files_.push_back(std::move(file));
    }
  }
}

// The name is looked for in all folders, since the one of the library need not be among them.
std::string SymbolFolders::LinkedTo(const File& file) const {
  if (file.link.empty()) return {};
  const auto [first, last] = by_name_.equal_range(FileName(file.link));
  for (auto other = first; other != last; ++other) {
    const File& linked = files_[other->second];
    if (linked.has_debug_info && HasChecksum(linked.path, file.link_checksum)) return linked.path;
  }
  return {};
}

std::optional<SymbolPaths> SymbolFolders::Find(const model::Module& module) const {
  const bool has_id = !module.build_id.empty();
  const auto [first, last] = has_id ? by_build_id_.equal_range(module.build_id)
                                    : by_name_.equal_range(FileName(module.path));
  const File* best = nullptr;
  std::string best_debug;
  int best_rank = -1;
  for (auto candidate = first; candidate != last; ++candidate) {
    const File& file = files_[candidate->second];
    if (!has_id && !file.build_id.empty()) continue;
    std::string debug = file.has_debug_info ? "" : LinkedTo(file);
    const int rank = file.has_debug_info || !debug.empty() ? 2 : file.has_symbols ? 1 : 0;
    if (rank <= best_rank) continue;
    best = &file;
    best_debug = std::move(debug);
    best_rank = rank;
  }
  if (best == nullptr) return std::nullopt;
  return SymbolPaths{best->path, best_debug};
}

}  // namespace stillframe::symbols
