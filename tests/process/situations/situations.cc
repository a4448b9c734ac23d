// SPDX-License-Identifier: Apache-2.0
// What Situations.java cannot do in Java. Context: the Java thread that calls
#include <jni.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <string>

#include <stillframe/profiler.h>

extern "C" {

// Until messages are seen.
JNIEXPORT void JNICALL Java_Situations_awaitProfiler(JNIEnv*, jclass) { stillframe_wait(10'000); }

// Computes in native code, without a way back for so long.
JNIEXPORT void JNICALL Java_Situations_computeInNative(JNIEnv*, jclass, jint seconds) {
  const time_t end = time(nullptr) + seconds;
  while (time(nullptr) < end) {
  }
}

// The calling thread is gone, and the runtime does not know.
JNIEXPORT void JNICALL Java_Situations_endThread(JNIEnv*, jclass) { syscall(SYS_exit, 0); }

JNIEXPORT jstring JNICALL Java_Situations_dump(JNIEnv* env, jclass) {
  char path[512] = "";
  const stillframe_status status = stillframe_dump(path, sizeof path);
  return env->NewStringUTF((std::to_string(status) + " " + path).c_str());
}

JNIEXPORT void JNICALL Java_Situations_annotate(JNIEnv* env, jclass, jstring name, jstring value) {
  const char* name_chars = env->GetStringUTFChars(name, nullptr);
  const char* value_chars = env->GetStringUTFChars(value, nullptr);
  stillframe_annotate(name_chars, value_chars);
  stillframe_set_scene(value_chars);
  env->ReleaseStringUTFChars(name, name_chars);
  env->ReleaseStringUTFChars(value, value_chars);
}

}  // extern "C"
