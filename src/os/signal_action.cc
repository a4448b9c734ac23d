// Names the C library of both glibc and bionic.
#include "src/os/signal_action.h"

#include <dlfcn.h>

#include <initializer_list>

namespace stillframe::os {

SigactionFunction KernelSigaction() {
  for (const char* name : {"libc.so.6", "libc.so"}) {
    if (void* libc = dlopen(name, RTLD_NOW | RTLD_NOLOAD)) {
      if (void* symbol = dlsym(libc, "sigaction")) {
        return reinterpret_cast<SigactionFunction>(symbol);
      }
    }
  }
  return nullptr;
}

}  // namespace stillframe::os
