// SPDX-License-Identifier: Apache-2.0
// libunwind as a shared library, which stays loaded. Its symbols stay its own: exceptions of the
// application go on through the unwinder that they have. And it calls its own: Debian's ART 10 has
// Android's libunwind in the process, with functions of the same names.
#include <dlfcn.h>

#include "src/native/libunwind_functions.h"

#define SF_TEXT_OF(name) #name
#define SF_TEXT(name) SF_TEXT_OF(name)

namespace stillframe::native {
namespace {

// Sanitizers refuse it.
#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr int kOwnFirst = RTLD_DEEPBIND;
#else
constexpr int kOwnFirst = 0;
#endif

template <typename Function>
bool FindFunction(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

}  // namespace

bool FindLibunwind(const char* library, LibunwindFunctions* functions) {
  void* const opened = dlopen(library, RTLD_NOW | RTLD_LOCAL | kOwnFirst);
  return opened != nullptr &&
         FindFunction(opened, SF_TEXT(unw_create_addr_space), &functions->create_space) &&
         FindFunction(opened, SF_TEXT(unw_destroy_addr_space), &functions->destroy_space) &&
         FindFunction(opened, SF_TEXT(unw_set_caching_policy), &functions->set_caching) &&
         FindFunction(opened, SF_TEXT(unw_init_remote), &functions->init) &&
         FindFunction(opened, SF_TEXT(unw_step), &functions->step) &&
         FindFunction(opened, SF_TEXT(unw_get_reg), &functions->get_register) &&
         FindFunction(opened, SF_TEXT(UNW_ARCH_OBJ(dwarf_search_unwind_table)),
                      &functions->search_table);
}

}  // namespace stillframe::native
