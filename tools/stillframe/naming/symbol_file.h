// SPDX-License-Identifier: Apache-2.0
// One library's symbols and debugging information, read by libelf and libdw.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace stillframe::naming {

// A function, and where in it the code stands.
struct CodePlace {
  std::string function;  // as the file has it: of C++ mangled; "" where only the line is known
  std::string place;     // "file:line"; "" when it is not known
};

class SymbolFile {
 public:
  // `debug_path`: the file of debugging information that belongs to the file at `path`; "" when it
  // has its own, or there is none. Null when the file at `path` cannot be read as ELF.
  static std::unique_ptr<SymbolFile> Open(const std::string& path, const std::string& debug_path);
  ~SymbolFile();
  SymbolFile(const SymbolFile&) = delete;
  SymbolFile& operator=(const SymbolFile&) = delete;

  // The function that holds an address, as the file counts it, innermost first: each but the last
  // is inlined into the one behind it. Empty when no function is known to hold it.
  std::vector<CodePlace> PlacesOf(uint64_t address) const;

 private:
  class Impl;
  explicit SymbolFile(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace stillframe::naming
