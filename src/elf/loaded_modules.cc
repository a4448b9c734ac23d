// SPDX-License-Identifier: Apache-2.0
#include "src/elf/loaded_modules.h"

#include <link.h>
#include <sys/auxv.h>

namespace stillframe::elf {
namespace {

// 0: unknown.
uintptr_t LinkerDebug() {
  const auto* const segments = reinterpret_cast<const ElfW(Phdr)*>(getauxval(AT_PHDR));
  const unsigned long count = segments != nullptr ? getauxval(AT_PHNUM) : 0;
  uintptr_t bias = 0;
  for (unsigned long i = 0; i < count; ++i)
    if (segments[i].p_type == PT_PHDR)
      bias = reinterpret_cast<uintptr_t>(segments) - segments[i].p_vaddr;
  for (unsigned long i = 0; i < count; ++i) {
    if (segments[i].p_type != PT_DYNAMIC) continue;
    const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(bias + segments[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry)
      if (entry->d_tag == DT_DEBUG) return entry->d_un.d_ptr;
  }
  return 0;
}

int AddLibrary(dl_phdr_info* info, size_t, void* modules) {
  static_cast<unwind::CodeModules*>(modules)->AddLibrary(info->dlpi_addr);
  return 0;
}

}  // namespace

void OpenLoadedModules(unwind::CodeModules* modules) {
  const uintptr_t debug = LinkerDebug();
  modules->Open(debug, getauxval(AT_SYSINFO_EHDR));
  modules->Refresh();
  if (debug == 0) dl_iterate_phdr(AddLibrary, modules);
}

}  // namespace stillframe::elf
