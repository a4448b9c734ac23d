// SPDX-License-Identifier: Apache-2.0
// libelf as a shared library, which stays loaded.
#include <dlfcn.h>

#include "src/native/libelf_functions.h"

namespace stillframe::native {
namespace {

template <typename Function>
bool FindFunction(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

}  // namespace

bool FindLibelf(const char* library, LibelfFunctions* functions) {
  void* const opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return opened != nullptr && FindFunction(opened, "elf_version", &functions->version) &&
         FindFunction(opened, "elf_begin", &functions->begin) &&
         FindFunction(opened, "elf_end", &functions->end) &&
         FindFunction(opened, "elf_nextscn", &functions->next_section) &&
         FindFunction(opened, "elf_getdata", &functions->data) &&
         FindFunction(opened, "elf_strptr", &functions->text) &&
         FindFunction(opened, "gelf_getshdr", &functions->section) &&
         FindFunction(opened, "gelf_getsym", &functions->symbol);
}

}  // namespace stillframe::native
