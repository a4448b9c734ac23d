// SPDX-License-Identifier: Apache-2.0
// Addresses of symbols in libraries of this process that dlsym does not show: the runtime's
// library is in a linker namespace of its own on Android 7 and later.
// Context: start-up only; reads /proc/self/maps and files
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stillframe::elf {

struct Mapping {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  uint64_t file_offset = 0;
  bool is_readable = false;
  bool is_writable = false;
  bool is_executable = false;
};

struct LoadedLibrary {
  std::string path;
  std::vector<Mapping> mappings;  // in order of address, the ELF header first
};

// The first image with code in the text of /proc/<pid>/maps whose file's path ends with `path_end`;
// no mappings when there is none.
LoadedLibrary FindLibraryInMaps(std::string_view maps, std::string_view path_end);

enum class SymbolKind : uint8_t { kCode, kData };

// Calls visit(argument, mapping, path) for each line of a /proc/<pid>/maps, "" where it has no
// path.
void VisitMappings(std::string_view maps,
                   void (*visit)(void* argument, const Mapping& mapping, std::string_view path),
                   void* argument);

// /proc/self/maps; "" when it cannot be read.
std::string ReadOwnMaps();

// Where `symbol` of the library whose path ends with `path_end` is in this process: by the mapped
// image's dynamic symbols, else by the file's .symtab. 0 when it is not found, or not in a mapping
// of the library that fits its kind: executable for code, readable for data.
uintptr_t FindLoadedSymbol(std::string_view path_end, std::string_view symbol, SymbolKind kind);
// The same in `maps`, a text of ReadOwnMaps().
uintptr_t FindSymbolInMaps(std::string_view maps, std::string_view path_end,
                           std::string_view symbol, SymbolKind kind);

}  // namespace stillframe::elf
