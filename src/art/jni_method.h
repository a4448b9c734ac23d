// SPDX-License-Identifier: Apache-2.0
// JNI for both variants of jni.h: the JDK's has char* and void**, Android's const char* and
// JNIEnv**.
// Context: any thread
#pragma once

#include <jni.h>

namespace stillframe::art {

template <typename Function>
JNINativeMethod JniMethod(const char* name, const char* signature, Function* function) {
  return {const_cast<char*>(name), const_cast<char*>(signature), reinterpret_cast<void*>(function)};
}

// Attaches the calling thread. False if the VM refuses. Context: any thread
inline bool AttachAsDaemon(JavaVM* vm, void** env, JavaVMAttachArgs* arguments) {
#if defined(__ANDROID__)
  return vm->AttachCurrentThreadAsDaemon(reinterpret_cast<JNIEnv**>(env), arguments) == JNI_OK;
#else
  return vm->AttachCurrentThreadAsDaemon(env, arguments) == JNI_OK;
#endif
}

}  // namespace stillframe::art
