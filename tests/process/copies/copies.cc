// SPDX-License-Identifier: Apache-2.0
// Starts a copy of the profiler of its own, as another SDK's library does. Context: natives of
// Copies.java
#include <dlfcn.h>
#include <jni.h>

#include <string>

namespace {

template <class Function>
Function Find(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

// Its status, and its state when that is known.
extern "C" JNIEXPORT jstring JNICALL Java_Copies_startOther(JNIEnv* env, jclass, jstring path) {
  const char* name = env->GetStringUTFChars(path, nullptr);
  void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  env->ReleaseStringUTFChars(path, name);
  if (library == nullptr) return env->NewStringUTF(dlerror());
  const int status = Find<int (*)()>(library, "stillframe_start")();
  Find<int (*)(unsigned)>(library, "stillframe_wait")(60'000);
  const std::string state = Find<const char* (*)()>(library, "stillframe_state")();
  return env->NewStringUTF((std::to_string(status) + " " + state).c_str());
}
