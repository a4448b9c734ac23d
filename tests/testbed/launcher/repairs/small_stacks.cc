// SPDX-License-Identifier: Apache-2.0
// Problem: ART 11 and 14 give threads of their pools stacks of 64 KiB (runtime/runtime.cc). A C
// library with a larger minimum, such as glibc on arm64, rejects that, and the pool aborts.
// Rule: such threads get a stack from the C library.
#include <dlfcn.h>
#include <pthread.h>

namespace {

constexpr size_t kEnoughBytes = 256 * 1024;

}  // namespace

// Found before the C library's, because the launcher exports it.
extern "C" __attribute__((visibility("default"))) int pthread_attr_setstack(
    pthread_attr_t* attributes, void* stack, size_t bytes) noexcept {
  using SetStack = int (*)(pthread_attr_t*, void*, size_t);
  static const auto set_stack =
      reinterpret_cast<SetStack>(dlsym(RTLD_NEXT, "pthread_attr_setstack"));
  return bytes < kEnoughBytes ? pthread_attr_setstacksize(attributes, kEnoughBytes)
                              : set_stack(attributes, stack, bytes);
}
