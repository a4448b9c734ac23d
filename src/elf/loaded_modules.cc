// SPDX-License-Identifier: Apache-2.0
// Reads the .eh_frame_hdr of each library that the linker lists.
#include "src/elf/loaded_modules.h"

#include <link.h>
#include <sys/auxv.h>

#include <algorithm>

namespace stillframe::elf {
namespace {

int AddLibrary(dl_phdr_info* info, size_t, void* modules) {
  unwind::CodeModule module{UINTPTR_MAX, 0, 0, 0, 0};
  uintptr_t header = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    const uintptr_t at = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD) {
      module.begin = std::min(module.begin, at);
      module.end = std::max<uintptr_t>(module.end, at + segment.p_memsz);
    } else if (segment.p_type == PT_GNU_EH_FRAME) {
      header = at;
    }
  }
  module.is_vdso = module.begin == getauxval(AT_SYSINFO_EHDR);
  if (header != 0 && unwind::ReadFrameIndex(header, &module))
    static_cast<unwind::CodeModules*>(modules)->Add(module);
  return 0;
}

}  // namespace

void AddLoadedModules(unwind::CodeModules* modules) { dl_iterate_phdr(AddLibrary, modules); }

}  // namespace stillframe::elf
