// SPDX-License-Identifier: Apache-2.0
// The parts of Situations.java that need native code.
// Context: the Java thread that calls
#include <jni.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

#include <stillframe/profiler.h>

namespace {

std::atomic<bool> g_computes{true};  // cleared by any thread

}  // namespace

extern "C" {

// Until messages are seen.
JNIEXPORT void JNICALL Java_Situations_awaitProfiler(JNIEnv*, jclass) { stillframe_wait(60'000); }

// Computes in native code until another thread ends it.
JNIEXPORT void JNICALL Java_Situations_computeInNative(JNIEnv*, jclass) {
  while (g_computes.load(std::memory_order_relaxed)) {
  }
}

JNIEXPORT void JNICALL Java_Situations_endComputing(JNIEnv*, jclass) { g_computes = false; }

// A main thread that has ended stays as a zombie while others run.
JNIEXPORT jboolean JNICALL Java_Situations_mainThreadHasEnded(JNIEnv*, jclass) {
  char text[512] = "";
  FILE* file = fopen("/proc/self/stat", "r");
  if (file == nullptr) return JNI_FALSE;
  const size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[size] = '\0';
  const char* name_end = strrchr(text, ')');
  return name_end != nullptr && name_end[1] == ' ' && name_end[2] == 'Z' ? JNI_TRUE : JNI_FALSE;
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
