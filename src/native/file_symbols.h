// SPDX-License-Identifier: Apache-2.0
// Names of functions that a library's file has and its image in memory has not (.symtab), by
// libelf, which reads the file and maps nothing: it may be cut short meanwhile. A file of another
// build than the loaded library names nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace stillframe::native {

class FileSymbols {
 public:
  // False where there is no libelf, or this build is without.
  bool Open(const char* library = "libelf.so.1");

  struct Place {
    uint64_t address = 0;
    std::string* name = nullptr;  // the caller's
  };
  // Names those of `places`, at addresses as the file counts them, that have no name yet and lie in
  // a function of the file's. Nothing before Open.
  void Name(const std::string& path, const std::string& build_id,
            std::span<const Place> places) const;

 private:
  [[maybe_unused]] bool is_open_ = false;  // a build without libelf has no use for it
};

}  // namespace stillframe::native
