// SPDX-License-Identifier: Apache-2.0
// An application's own library with the profiler inside, linked as an application would: against
// libstillframe.a and the public header only. Context: the thread that loads it
#include <jni.h>

#include <stillframe/profiler.h>

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  void* env = nullptr;
  if (vm->GetEnv(&env, JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  return stillframe_bind_java(env) == STILLFRAME_OK ? JNI_VERSION_1_6 : JNI_ERR;
}
