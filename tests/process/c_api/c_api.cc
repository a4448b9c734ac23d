// SPDX-License-Identifier: Apache-2.0
// The C API of the preloaded profiler, for CApi.java. Context: any Java thread
#include <jni.h>

#include <string>

#include <stillframe/profiler.h>

extern "C" {

JNIEXPORT jstring JNICALL Java_CApi_dump(JNIEnv* env, jclass) {
  char path[512] = "";
  const stillframe_status status = stillframe_dump(path, sizeof path);
  return env->NewStringUTF((std::to_string(status) + " " + path).c_str());
}

JNIEXPORT jint JNICALL Java_CApi_stop(JNIEnv*, jclass) { return stillframe_stop(); }
JNIEXPORT jint JNICALL Java_CApi_resume(JNIEnv*, jclass) { return stillframe_resume(); }

JNIEXPORT jstring JNICALL Java_CApi_state(JNIEnv* env, jclass) {
  return env->NewStringUTF(stillframe_state());
}

}  // extern "C"
