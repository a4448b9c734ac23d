// SPDX-License-Identifier: Apache-2.0
// What is used of libelf, by its own types; only what is built with its headers includes this.
#pragma once

#include <gelf.h>
#include <libelf.h>

namespace stillframe::native {

struct LibelfFunctions {
  decltype(&elf_version) version = nullptr;
  decltype(&elf_begin) begin = nullptr;
  decltype(&elf_end) end = nullptr;
  decltype(&elf_nextscn) next_section = nullptr;
  decltype(&elf_getdata) data = nullptr;
  decltype(&elf_strptr) text = nullptr;
  decltype(&gelf_getshdr) section = nullptr;
  decltype(&gelf_getsym) symbol = nullptr;
};

// False when it cannot be had. `library`: the file to load; linked in, nothing is.
bool FindLibelf(const char* library, LibelfFunctions* functions);

}  // namespace stillframe::native
