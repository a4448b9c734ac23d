// SPDX-License-Identifier: Apache-2.0
// A linker that does not show the runtime's library, as Android's namespaces do: dlsym does not
// find JNI_GetCreatedJavaVMs.
#include <dlfcn.h>

#include <cstring>

extern "C" __attribute__((visibility("default"))) void* dlsym(void* handle,
                                                              const char* name) noexcept {
  using Dlsym = void* (*)(void*, const char*);
  // The version under which glibc 2.34 and later have it on every CPU.
  static const auto real = reinterpret_cast<Dlsym>(dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34"));
  return strcmp(name, "JNI_GetCreatedJavaVMs") == 0 ? nullptr : real(handle, name);
}
