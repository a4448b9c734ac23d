// SPDX-License-Identifier: Apache-2.0
// Addresses of symbols in libraries that dlsym cannot see. On Android 7 and later the runtime's
// library is in a linker namespace of its own.
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
  std::vector<Mapping> mappings;  // sorted by address, the ELF header first
};

// The first image with code whose file's path ends with `path_end`, in the text of
// /proc/<pid>/maps. Without mappings: not found.
LoadedLibrary FindLibraryInMaps(std::string_view maps, std::string_view path_end);

enum class SymbolKind : uint8_t { kCode, kData };

// Calls visit(argument, mapping, path) for each line of /proc/<pid>/maps. path: "" for none.
void VisitMappings(std::string_view maps,
                   void (*visit)(void* argument, const Mapping& mapping, std::string_view path),
                   void* argument);

// Text of /proc/self/maps; "": unreadable.
std::string ReadOwnMaps();

// Address of `symbol` in the library whose path ends with `path_end`: by the mapped image's dynamic
// symbols, else by the file's .symtab. 0: not found, or not in a mapping of the right kind
// (executable for code, readable for data).
uintptr_t FindLoadedSymbol(std::string_view path_end, std::string_view symbol, SymbolKind kind);
// The same in `maps`, a text of ReadOwnMaps().
uintptr_t FindSymbolInMaps(std::string_view maps, std::string_view path_end,
                           std::string_view symbol, SymbolKind kind);

}  // namespace stillframe::elf
