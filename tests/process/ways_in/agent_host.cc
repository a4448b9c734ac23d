// SPDX-License-Identifier: Apache-2.0
// Replaces ART's VMDebug.attachAgent, which needs openjdkjvmti, missing in the test bed. Loads a
// library into this process and calls its Agent_OnAttach with the process's JavaVM, as
// runtime/ti/agent.cc does.
// Context: any Java thread
#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

extern "C" {

JNIEXPORT jint JNICALL Java_WaysIn_attach(JNIEnv* env, jclass, jstring library, jstring options) {
  const char* path = env->GetStringUTFChars(library, nullptr);
  const char* text = env->GetStringUTFChars(options, nullptr);
  JavaVM* vm = nullptr;
  env->GetJavaVM(&vm);
  jint result = -1;
  void* handle = dlopen(path, RTLD_LAZY);
  if (handle == nullptr) fprintf(stderr, "agent_host: %s\n", dlerror());
  using OnAttach = jint (*)(JavaVM*, char*, void*);
  if (handle != nullptr) {
    const auto attach = reinterpret_cast<OnAttach>(dlsym(handle, "Agent_OnAttach"));
    if (attach != nullptr) result = attach(vm, const_cast<char*>(text), nullptr);
  }
  env->ReleaseStringUTFChars(options, text);
  env->ReleaseStringUTFChars(library, path);
  return result;
}

JNIEXPORT jlong JNICALL Java_WaysIn_pageFaults(JNIEnv*, jclass) {
  rusage usage = {};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

JNIEXPORT jlong JNICALL Java_WaysIn_cpuNs(JNIEnv*, jclass) {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<jlong>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // extern "C"
