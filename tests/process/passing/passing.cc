// SPDX-License-Identifier: Apache-2.0
// Runs code of a library that is loaded for it and unloaded after it, for PassingLibraries.java.
// Context: main thread
#include <dlfcn.h>
#include <jni.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

#include "tests/testbed/native/register_natives.h"

namespace {

// A @FastNative method stays in managed code by its thread's state: its samples have to find their
// way out of the library. False when the library cannot be loaded.
jboolean Spin(JNIEnv* env, jclass, jstring path, jlong us) {
  const char* const chars = env->GetStringUTFChars(path, nullptr);
  void* const library = dlopen(chars, RTLD_NOW | RTLD_LOCAL);
  env->ReleaseStringUTFChars(path, chars);
  if (library == nullptr) return JNI_FALSE;
  const auto spin = reinterpret_cast<void (*)(uint64_t)>(dlsym(library, "guest_spin"));
  if (spin != nullptr) spin(static_cast<uint64_t>(us) * 1'000);
  return spin != nullptr && dlclose(library) == 0 ? JNI_TRUE : JNI_FALSE;
}

jlong ResidentKib(JNIEnv*, jclass) {
  FILE* const statm = fopen("/proc/self/statm", "r");
  if (statm == nullptr) return 0;
  long long pages = 0;
  const int found = fscanf(statm, "%*d %lld", &pages);
  fclose(statm);
  return found == 1 ? pages * (sysconf(_SC_PAGESIZE) / 1024) : 0;
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  using testbed::Native;
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  const bool registered = testbed::RegisterNatives(
      env, "PassingLibraries",
      {Native("spin", "(Ljava/lang/String;J)Z", Spin), Native("residentKib", "()J", ResidentKib)});
  return registered ? JNI_VERSION_1_6 : JNI_ERR;
}
