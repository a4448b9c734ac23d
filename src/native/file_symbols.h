// SPDX-License-Identifier: Apache-2.0
// Names functions by a library's file, whose .symtab is not mapped. libelf reads the file and maps
// nothing, since the file may be truncated meanwhile. A file of another build than the loaded
// library is ignored.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace stillframe::native {

class FileSymbols {
 public:
  // False without libelf, or if this build excludes it.
  bool Open(const char* library = "libelf.so.1");

  struct Place {
    uint64_t address = 0;
    std::string* name = nullptr;  // owned by the caller
  };
  // Names the places without a name that are in a function of the file. Addresses are the file's.
  // Does nothing before Open.
  void Name(const std::string& path, const std::string& build_id,
            std::span<const Place> places) const;

 private:
  [[maybe_unused]] bool is_open_ = false;  // unused in builds without libelf
};

}  // namespace stillframe::native
