// SPDX-License-Identifier: Apache-2.0
// libelf as a static library, for devices that have none.
#include "src/native/libelf_functions.h"

namespace stillframe::native {

bool FindLibelf(const char*, LibelfFunctions* functions) {
  *functions = {&elf_version, &elf_begin,  &elf_end,      &elf_nextscn,
                &elf_getdata, &elf_strptr, &gelf_getshdr, &gelf_getsym};
  return true;
}

}  // namespace stillframe::native
