// SPDX-License-Identifier: Apache-2.0
// Stands before frameworks-base's header of this name, which needs libbinder and the application's
// start. core_jni_helpers.h needs only what is here. runtime.cc defines it.
#pragma once

#include <jni.h>

#include <cstddef>
#include <memory>
#include <string>

namespace android {

class AndroidRuntime {
 public:
  static int registerNativeMethods(JNIEnv* env, const char* class_name,
                                   const JNINativeMethod* methods, int count);
  static JNIEnv* getJNIEnv();
};

}  // namespace android
