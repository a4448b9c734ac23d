// SPDX-License-Identifier: Apache-2.0
#include "src/os/signal_action.h"

#include <dlfcn.h>
#include <string.h>

#include <initializer_list>

namespace stillframe::os {

core::SigactionFunction KernelSigaction() {
  for (const char* name : {"libc.so.6", "libc.so"}) {
    if (void* libc = dlopen(name, RTLD_NOW | RTLD_NOLOAD)) {
      if (void* symbol = dlsym(libc, "sigaction"))
        return reinterpret_cast<core::SigactionFunction>(symbol);
    }
  }
  return nullptr;
}

std::string LibraryOf(uintptr_t code) {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(code), &info) == 0 || info.dli_fname == nullptr)
    return "unknown code";
  const char* slash = strrchr(info.dli_fname, '/');
  return slash != nullptr ? slash + 1 : info.dli_fname;
}

}  // namespace stillframe::os
