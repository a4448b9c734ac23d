// SPDX-License-Identifier: Apache-2.0
// Names of functions that a library's file has and its image in memory has not (.symtab), by
// libelf, which reads the file and maps nothing: it may be cut short meanwhile. A file of another
// build than the loaded library names nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace stillframe::native {

class FileSymbols {
 public:
  // The file that holds libelf where it is loaded; "" where this build is without it.
  static const char* LibraryName();

  FileSymbols();
  ~FileSymbols();
  FileSymbols(const FileSymbols&) = delete;
  FileSymbols& operator=(const FileSymbols&) = delete;

  // False where there is none.
  bool Open(const char* library = LibraryName());

  struct Place {
    uint64_t address = 0;
    std::string* name = nullptr;  // the caller's
  };
  // Names those of `places`, at addresses as the file counts them, that have no name yet and lie in
  // a function of the file's. Nothing before Open.
  void Name(const std::string& path, const std::string& build_id,
            std::span<const Place> places) const;

 private:
  struct Libelf;
  std::unique_ptr<Libelf> libelf_;
};

}  // namespace stillframe::native
