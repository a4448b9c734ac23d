// SPDX-License-Identifier: Apache-2.0
// What is used of libunwind, by its own types; only what is built with its headers includes this.
#pragma once

#if defined(__x86_64__)
#include <libunwind-x86_64.h>
#elif defined(__aarch64__)
#include <libunwind-aarch64.h>
#endif

// Exported for those who bring the table of a library themselves, though in none of its headers.
extern "C" int UNW_ARCH_OBJ(dwarf_search_unwind_table)(unw_addr_space_t space, unw_word_t ip,
                                                       unw_dyn_info_t* table, unw_proc_info_t* info,
                                                       int needs_unwind_info, void* argument);

namespace stillframe::native {

struct LibunwindFunctions {
  decltype(&unw_create_addr_space) create_space = nullptr;
  decltype(&unw_destroy_addr_space) destroy_space = nullptr;
  decltype(&unw_set_caching_policy) set_caching = nullptr;
  decltype(&unw_init_remote) init = nullptr;
  decltype(&unw_step) step = nullptr;
  decltype(&unw_get_reg) get_register = nullptr;
  decltype(&UNW_ARCH_OBJ(dwarf_search_unwind_table)) search_table = nullptr;
};

// False when it cannot be had. `library`: the file to load; linked in, nothing is.
bool FindLibunwind(const char* library, LibunwindFunctions* functions);

}  // namespace stillframe::native
