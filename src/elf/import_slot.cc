// SPDX-License-Identifier: Apache-2.0
#include "src/elf/import_slot.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/elf/loaded_library.h"

namespace stillframe::elf {
namespace {

constexpr size_t kMaxCalls = 1U << 20;

struct Search {
  const char* path_end;
  const char* symbol;
  uintptr_t* found;
};

struct CallTable {
  uintptr_t relocations = 0;
  size_t bytes = 0;
  size_t entry_bytes = 0;
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  size_t strings_bytes = 0;
};

bool EndsWith(const char* text, const char* end) {
  const size_t length = strlen(text);
  const size_t end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

CallTable ReadTable(uintptr_t bias, const ElfW(Dyn) * entry) {
  // glibc stores addresses here, bionic offsets as in the file.
  const auto address = [bias](uintptr_t value) { return value < bias ? value + bias : value; };
  CallTable table;
  // d_val is signed in bionic's headers for 32 bits.
  for (; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_JMPREL: table.relocations = address(entry->d_un.d_ptr); break;
      case DT_PLTRELSZ: table.bytes = static_cast<size_t>(entry->d_un.d_val); break;
      case DT_PLTREL:
        table.entry_bytes = entry->d_un.d_val == DT_RELA ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
        break;
      case DT_SYMTAB:
        table.symbols = reinterpret_cast<const ElfW(Sym)*>(address(entry->d_un.d_ptr));
        break;
      case DT_STRTAB:
        table.strings = reinterpret_cast<const char*>(address(entry->d_un.d_ptr));
        break;
      case DT_STRSZ: table.strings_bytes = static_cast<size_t>(entry->d_un.d_val); break;
      default: break;
    }
  }
  return table;
}

// Rel and Rela begin with the same fields.
uintptr_t* FindSlot(uintptr_t bias, const CallTable& table, const char* symbol) {
  if (table.relocations == 0 || table.entry_bytes == 0 || table.symbols == nullptr ||
      table.strings == nullptr || table.bytes / table.entry_bytes > kMaxCalls)
    return nullptr;
  constexpr unsigned kSymbolShift = sizeof(void*) == 8 ? 32 : 8;
  for (size_t at = 0; at + table.entry_bytes <= table.bytes; at += table.entry_bytes) {
    const auto* call = reinterpret_cast<const ElfW(Rel)*>(table.relocations + at);
    const size_t name = table.symbols[call->r_info >> kSymbolShift].st_name;
    if (name < table.strings_bytes && strcmp(table.strings + name, symbol) == 0)
      return reinterpret_cast<uintptr_t*>(bias + call->r_offset);
  }
  return nullptr;
}

int SearchLibrary(dl_phdr_info* info, size_t, void* argument) {
  auto* search = static_cast<Search*>(argument);
  if (info->dlpi_name == nullptr || !EndsWith(info->dlpi_name, search->path_end)) return 0;
  const ElfW(Dyn)* dynamic = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_DYNAMIC)
      dynamic = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + segment.p_vaddr);
  }
  if (dynamic == nullptr) return 0;
  search->found = FindSlot(info->dlpi_addr, ReadTable(info->dlpi_addr, dynamic), search->symbol);
  return search->found == nullptr ? 0 : 1;
}

// Protection of the page at `address`; -1: unknown.
int ProtectionOf(uintptr_t address) {
  struct Wanted {
    uintptr_t address;
    int protection;
  } wanted = {address, -1};
  VisitMappings(
      ReadOwnMaps(),
      [](void* argument, const Mapping& mapping, std::string_view) {
        auto* into = static_cast<Wanted*>(argument);
        if (into->address < mapping.begin || into->address >= mapping.end) return;
        into->protection = (mapping.is_readable ? PROT_READ : 0) |
                           (mapping.is_writable ? PROT_WRITE : 0) |
                           (mapping.is_executable ? PROT_EXEC : 0);
      },
      &wanted);
  return wanted.protection;
}

}  // namespace

uintptr_t* FindImportSlot(const char* path_end, const char* symbol) {
  Search search = {path_end, symbol, nullptr};
  dl_iterate_phdr(SearchLibrary, &search);
  return search.found;
}

bool SetImportSlot(uintptr_t* slot, uintptr_t expected, uintptr_t value) {
  const auto page_bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  auto* page = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(slot) & ~(page_bytes - 1));
  const int protection = ProtectionOf(reinterpret_cast<uintptr_t>(slot));
  if (protection < 0) return false;
  const bool is_protected = (protection & PROT_WRITE) == 0;
  if (is_protected && mprotect(page, page_bytes, protection | PROT_WRITE) != 0) return false;
  // Concurrent calls use the old or the new value.
  const bool is_set = __atomic_compare_exchange_n(slot, &expected, value, false, __ATOMIC_ACQ_REL,
                                                  __ATOMIC_ACQUIRE);
  if (is_protected) mprotect(page, page_bytes, protection);
  return is_set;
}

}  // namespace stillframe::elf
