// SPDX-License-Identifier: Apache-2.0
#include "src/elf/loaded_library.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "arch/arch.h"
#include "src/elf/elf_reader.h"

namespace stillframe::elf {
namespace {

constexpr size_t kMaxMapsBytes = 16U << 20;

// Memory that contains an image. Loads are guarded, because a file can shrink.
class MappedBytes final : public ByteSource {
 public:
  explicit MappedBytes(const std::vector<Mapping>& mappings) : mappings_(mappings) {}

  bool Read(uint64_t at, void* to, size_t bytes) const override {
    const uintptr_t begin = mappings_.front().begin;
    const uintptr_t address = begin + static_cast<uintptr_t>(at);
    if (address < begin || at != address - begin || !IsReadable(address, bytes)) return false;
    for (size_t i = 0; i < bytes; ++i)
      if (!arch::GuardedLoad8(address + i, static_cast<uint8_t*>(to) + i)) return false;
    return true;
  }

 private:
  // One object may span adjacent mappings.
  bool IsReadable(uintptr_t address, size_t bytes) const {
    for (const Mapping& mapping : mappings_) {
      if (!mapping.is_readable || address < mapping.begin || address >= mapping.end) continue;
      const size_t here = mapping.end - address;
      if (bytes <= here) return true;
      address += here;
      bytes -= here;
    }
    return false;
  }

  const std::vector<Mapping>& mappings_;
};

uint64_t FindInFile(const std::string& path, std::string_view symbol) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  struct stat status = {};
  uint64_t address = 0;
  if (fstat(fd, &status) == 0 && status.st_size > 0) {
    const auto bytes = static_cast<size_t>(status.st_size);
    void* const mapped = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (mapped != MAP_FAILED) {
      const auto begin = reinterpret_cast<uintptr_t>(mapped);
      const std::vector<Mapping> whole = {
          {.begin = begin, .end = begin + bytes, .is_readable = true}};
      const MappedBytes file_bytes(whole);
      ElfReader file(file_bytes);
      if (file.Open()) address = file.FindInSymtab(symbol);
      munmap(mapped, bytes);
    }
  }
  close(fd);
  return address;
}

// Removes a hexadecimal number and the character after it from the front.
bool TakeHex(std::string_view* text, char after, uint64_t* value) {
  *value = 0;
  size_t i = 0;
  for (; i < text->size() && i <= 16; ++i) {
    const char c = (*text)[i];
    if (c >= '0' && c <= '9')
      *value = *value << 4 | static_cast<uint64_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      *value = *value << 4 | static_cast<uint64_t>(c - 'a' + 10);
    else
      break;
  }
  if (i == 0 || i >= text->size() || (*text)[i] != after) return false;
  text->remove_prefix(i + 1);
  return true;
}

// "begin-end rwxp offset device inode      path"
bool ParseMapping(std::string_view line, Mapping* mapping, std::string_view* path) {
  uint64_t begin = 0;
  uint64_t end = 0;
  if (!TakeHex(&line, '-', &begin) || !TakeHex(&line, ' ', &end) || line.size() < 5) return false;
  mapping->is_readable = line[0] == 'r';
  mapping->is_writable = line[1] == 'w';
  mapping->is_executable = line[2] == 'x';
  line.remove_prefix(5);
  if (!TakeHex(&line, ' ', &mapping->file_offset)) return false;
  mapping->begin = static_cast<uintptr_t>(begin);
  mapping->end = static_cast<uintptr_t>(end);
  const size_t name = line.find_first_of("/[");
  *path = name == std::string_view::npos ? std::string_view() : line.substr(name);
  return begin < end;
}

// True for a segment that begins in the first page of its image's file. It is mapped from offset 0
// again, adjacent to the one before, one page each: so lld lays out the smallest libraries. The
// first of these mappings is not executable. Without this test an adjacent mapping of another
// image, or of code that reads the file, would match by chance.
bool ContinuesFirstPage(const std::vector<Mapping>& before, bool has_code, const Mapping& mapping) {
  constexpr size_t kLargestPage = 64U << 10;
  if (before.empty()) return false;
  const Mapping& last = before.back();
  return last.file_offset == 0 && last.end == mapping.begin &&
         last.end - last.begin <= kLargestPage && (has_code || mapping.is_executable);
}

std::string_view TakeLine(std::string_view* text) {
  const size_t end = text->find('\n');
  const std::string_view line = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  return line;
}

}  // namespace

std::string ReadOwnMaps() {
  std::string text;
  const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  char part[4096];
  for (ssize_t got = 1; got > 0 && text.size() < kMaxMapsBytes;) {
    got = read(fd, part, sizeof part);
    if (got > 0) text.append(part, static_cast<size_t>(got));
  }
  close(fd);
  return text;
}

void VisitMappings(std::string_view maps,
                   void (*visit)(void* argument, const Mapping& mapping, std::string_view path),
                   void* argument) {
  while (!maps.empty()) {
    Mapping mapping;
    std::string_view path;
    if (ParseMapping(TakeLine(&maps), &mapping, &path)) visit(argument, mapping, path);
  }
}

LoadedLibrary FindLibraryInMaps(std::string_view maps, std::string_view path_end) {
  LoadedLibrary library;
  bool has_code = false;
  while (!maps.empty()) {
    const std::string_view line = TakeLine(&maps);
    Mapping mapping;
    std::string_view path;
    if (!ParseMapping(line, &mapping, &path) || !path.ends_with(path_end)) continue;
    // Offset 0 begins another image. Code may also have mapped the file just to read it.
    if (mapping.file_offset == 0 && !ContinuesFirstPage(library.mappings, has_code, mapping)) {
      if (has_code) break;
      library = {.path = std::string(path), .mappings = {}};
    }
    if (path != library.path) continue;
    has_code |= mapping.is_executable;
    library.mappings.push_back(mapping);
  }
  return has_code ? library : LoadedLibrary{};
}

uintptr_t FindLoadedSymbol(std::string_view path_end, std::string_view symbol, SymbolKind kind) {
  return FindSymbolInMaps(ReadOwnMaps(), path_end, symbol, kind);
}

uintptr_t FindSymbolInMaps(std::string_view maps, std::string_view path_end,
                           std::string_view symbol, SymbolKind kind) {
  const LoadedLibrary library = FindLibraryInMaps(maps, path_end);
  if (library.mappings.empty()) return 0;
  const uintptr_t header = library.mappings.front().begin;
  const MappedBytes bytes(library.mappings);
  ElfReader image(bytes, header);
  if (!image.Open()) return 0;
  uint64_t value = image.FindDynamic(symbol);
  if (value == 0) value = FindInFile(library.path, symbol);
  if (value == 0) return 0;
  const uintptr_t address = image.BiasAt(header) + static_cast<uintptr_t>(value);
  const bool fits = std::any_of(
      library.mappings.begin(), library.mappings.end(), [address, kind](const Mapping& mapping) {
        return address >= mapping.begin && address < mapping.end &&
               (kind == SymbolKind::kCode ? mapping.is_executable : mapping.is_readable);
      });
  return fits ? address : 0;
}

}  // namespace stillframe::elf
