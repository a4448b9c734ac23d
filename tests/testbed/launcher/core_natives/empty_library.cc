// SPDX-License-Identifier: Apache-2.0
// libicu_jni.so and libopenjdk.so: ART loads them while it boots; our core library needs nothing
// from them.
#include <jni.h>

extern "C" __attribute__((visibility("default"))) jint JNI_OnLoad(JavaVM*, void*) {
  return JNI_VERSION_1_6;
}
