// SPDX-License-Identifier: Apache-2.0
// The entry of libandroid_testbed.so, which the launcher loads once the VM is up.
// Context: start-up only.
#include <jni.h>

#include "tests/testbed/native/android_classes.h"

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  const bool registered = testbed::RegisterLog(env) && testbed::RegisterMessageQueue(env) &&
                          testbed::RegisterProcess(env) && testbed::RegisterSystemClock(env) &&
                          testbed::RegisterSystemProperties(env);
  return registered ? JNI_VERSION_1_6 : JNI_ERR;
}
