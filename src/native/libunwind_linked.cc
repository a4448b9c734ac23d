// SPDX-License-Identifier: Apache-2.0
// libunwind as a static library, for devices that have none.
#include "src/native/libunwind_functions.h"

namespace stillframe::native {

bool FindLibunwind(const char*, LibunwindFunctions* functions) {
  *functions = {&unw_create_addr_space,
                &unw_destroy_addr_space,
                &unw_set_caching_policy,
                &unw_init_remote,
                &unw_step,
                &unw_get_reg,
                &UNW_ARCH_OBJ(dwarf_search_unwind_table)};
  return true;
}

}  // namespace stillframe::native
