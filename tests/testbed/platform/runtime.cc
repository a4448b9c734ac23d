// SPDX-License-Identifier: Apache-2.0
// The start of libandroid_runtime.so: registers the natives of android.*. Those compiled from
// frameworks-base register themselves, in place of AndroidRuntime.cpp; the others are the test
// bed's own.
// Context: start-up only.
#include <jni.h>

#include "android_runtime/AndroidRuntime.h"
#include "own_natives.h"
#include "tests/testbed/native/android_classes.h"

namespace android {

int register_android_os_MessageQueue(JNIEnv* env);
int register_android_os_Trace(JNIEnv* env);

namespace {

JavaVM* g_vm = nullptr;

}  // namespace

int AndroidRuntime::registerNativeMethods(JNIEnv* env, const char* class_name,
                                          const JNINativeMethod* methods, int count) {
  const jclass java_class = env->FindClass(class_name);
  return java_class == nullptr ? -1 : env->RegisterNatives(java_class, methods, count);
}

JNIEnv* AndroidRuntime::getJNIEnv() {
  JNIEnv* env = nullptr;
  g_vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6);
  return env;
}

}  // namespace android

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  android::g_vm = vm;
  JNIEnv* env = android::AndroidRuntime::getJNIEnv();
  if (env == nullptr) return JNI_ERR;
  const bool registered = android::RegisterOwnNatives(env) && testbed::RegisterLog(env) &&
                          testbed::RegisterSystemProperties(env) &&
                          testbed::RegisterSystemClock(env) &&
                          android::register_android_os_MessageQueue(env) >= 0 &&
                          android::register_android_os_Trace(env) >= 0;
  return registered ? JNI_VERSION_1_6 : JNI_ERR;
}
