// SPDX-License-Identifier: Apache-2.0
// Binds C++ functions to the native methods of one Java class, with signatures ART checks.
// Context: start-up only.
#pragma once

#include <jni.h>

#include <cstddef>

namespace testbed {

struct NativeMethod {
  const char* name;
  const char* signature;
  void* function;
};

// Makes the entry of a table; `function` is any JNI function.
template <typename Function>
NativeMethod Native(const char* name, const char* signature, Function* function) {
  return {name, signature, reinterpret_cast<void*>(function)};
}

// False, with a pending Java exception, when the class or one of the methods does not exist.
template <std::size_t kCount>
bool RegisterNatives(JNIEnv* env, const char* class_name, const NativeMethod (&methods)[kCount]) {
  const jclass java_class = env->FindClass(class_name);
  if (java_class == nullptr) return false;
  JNINativeMethod jni_methods[kCount];
  for (std::size_t i = 0; i < kCount; ++i) {
    jni_methods[i].name = const_cast<char*>(methods[i].name);
    jni_methods[i].signature = const_cast<char*>(methods[i].signature);
    jni_methods[i].fnPtr = methods[i].function;
  }
  const bool registered = env->RegisterNatives(java_class, jni_methods, kCount) == JNI_OK;
  env->DeleteLocalRef(java_class);
  return registered;
}

}  // namespace testbed
