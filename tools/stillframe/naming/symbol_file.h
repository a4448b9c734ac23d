// SPDX-License-Identifier: Apache-2.0
// One library's symbols and debugging information, through libelf and libdw.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace stillframe::naming {

// A function, and the code's position in it.
struct CodePlace {
  std::string function;  // as in the file (C++: mangled); "": only the line is known
  std::string place;     // "file:line"; "": unknown
};

class SymbolFile {
 public:
  // `debug_path`: separate debugging information for `path`; "" without such a file. Null if `path`
  // cannot be read as ELF.
  static std::unique_ptr<SymbolFile> Open(const std::string& path, const std::string& debug_path);
  ~SymbolFile();
  SymbolFile(const SymbolFile&) = delete;
  SymbolFile& operator=(const SymbolFile&) = delete;

  // The functions at a file address, innermost first: each but the last is inlined into the next.
  // Empty if none is known.
  std::vector<CodePlace> PlacesOf(uint64_t address) const;

 private:
  class Impl;
  explicit SymbolFile(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace stillframe::naming
