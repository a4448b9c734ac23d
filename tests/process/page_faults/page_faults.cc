// SPDX-License-Identifier: Apache-2.0
// Natives of PageFaults.java: map a file, read its pages at random, and read what the kernel
// counts.
// Context: the main thread of the test
#include <fcntl.h>
#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "tests/testbed/native/register_natives.h"

namespace {

constexpr size_t kPage = 4096;

uint64_t Now(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

// A file's mapping as a buffer. The kernel reads single pages, none ahead.
jobject Map(JNIEnv* env, jclass, jstring path) {
  const char* name = env->GetStringUTFChars(path, nullptr);
  const int file = open(name, O_RDONLY | O_CLOEXEC);
  env->ReleaseStringUTFChars(path, name);
  struct stat facts = {};
  if (file < 0 || fstat(file, &facts) != 0) return nullptr;
  const auto bytes = static_cast<size_t>(facts.st_size);
  void* pages = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (pages == MAP_FAILED || madvise(pages, bytes, MADV_RANDOM) != 0) return nullptr;
  return env->NewDirectByteBuffer(pages, static_cast<jlong>(bytes));
}

// Reads pages for so long, in the thread state of native code.
jlong Read(JNIEnv* env, jclass, jobject buffer, jlong ms) {
  const auto* bytes = static_cast<const volatile uint8_t*>(env->GetDirectBufferAddress(buffer));
  const auto pages = static_cast<size_t>(env->GetDirectBufferCapacity(buffer)) / kPage;
  const uint64_t end_ns = Now(CLOCK_MONOTONIC) + static_cast<uint64_t>(ms) * 1'000'000;
  jlong sum = 0;
  while (Now(CLOCK_MONOTONIC) < end_ns) sum += bytes[static_cast<size_t>(random()) % pages * kPage];
  return sum;
}

// This thread's time blocked for storage in ticks (field 42 of /proc/PID/stat, delay accounting),
// its major faults, and its CPU time and wait for a CPU in ns.
jstring Counts(JNIEnv* env, jclass) {
  const std::string folder = "/proc/thread-self/";
  char text[1024] = "";
  FILE* stat = fopen((folder + "stat").c_str(), "re");
  if (stat == nullptr || fgets(text, sizeof text, stat) == nullptr) return nullptr;
  fclose(stat);
  char* rest = nullptr;
  char* word = strtok_r(strrchr(text, ')') + 1, " ", &rest);
  for (int field = 3; field < 42 && word != nullptr; ++field) word = strtok_r(nullptr, " ", &rest);
  rusage usage = {};
  getrusage(RUSAGE_THREAD, &usage);
  unsigned long long waited = 0;
  if (FILE* file = fopen((folder + "schedstat").c_str(), "re")) {
    if (fscanf(file, "%*u %llu", &waited) != 1) waited = 0;
    fclose(file);
  }
  char counts[128];
  snprintf(counts, sizeof counts, "%s %ld %llu %llu", word == nullptr ? "0" : word, usage.ru_majflt,
           static_cast<unsigned long long>(Now(CLOCK_THREAD_CPUTIME_ID)), waited);
  return env->NewStringUTF(counts);
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  using testbed::Native;
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  const bool registered =
      testbed::RegisterNatives(env, "PageFaults",
                               {Native("map", "(Ljava/lang/String;)Ljava/nio/ByteBuffer;", Map),
                                Native("read", "(Ljava/nio/ByteBuffer;J)J", Read),
                                Native("counts", "()Ljava/lang/String;", Counts)});
  return registered ? JNI_VERSION_1_6 : JNI_ERR;
}
