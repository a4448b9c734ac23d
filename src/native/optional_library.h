// SPDX-License-Identifier: Apache-2.0
// A library loaded when a setting asks for it, and never unloaded. Android has none of them: there
// they are linked in or excluded.
#pragma once

#include <dlfcn.h>

#define SF_TEXT_OF(name) #name
#define SF_TEXT(name) SF_TEXT_OF(name)
#if defined(__ANDROID__)
#define SF_IS_LINKED true
#define SF_FUNCTION(library, name) (library).Found(&name)
#else
#define SF_IS_LINKED false
#define SF_FUNCTION(library, name) (library).Find<decltype(&name)>(SF_TEXT(name))
#endif

namespace stillframe::native {

class OptionalLibrary {
 public:
  OptionalLibrary(const char* file, int flags)
      : handle_(SF_IS_LINKED ? nullptr : dlopen(file, RTLD_NOW | flags)) {}

  // Call by SF_FUNCTION.
  template <typename Function>
  Function Find(const char* name) {
    void* const found = handle_ != nullptr ? dlsym(handle_, name) : nullptr;
    return Found(reinterpret_cast<Function>(found));
  }
  template <typename Function>
  Function Found(Function function) {
    has_all_ = has_all_ && function != nullptr;
    return function;
  }
  // Whether all requested functions were found.
  bool has_all() const { return has_all_; }

 private:
  void* handle_;
  bool has_all_ = true;
};

}  // namespace stillframe::native
