// SPDX-License-Identifier: Apache-2.0
// The virtual machine's side of libcore's natives, which ART's libopenjdkjvm has on a device
// (openjdkjvm/OpenjdkJvm.cc): Debian builds ART without it.
// Context: any thread with a JNIEnv.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <time.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>

namespace {

constexpr const char* kCollect =
    std::string_view(TESTBED_RELEASE) == "14" ? "requestConcurrentGC" : "concurrentGC";
constexpr jint kFileExists = -100;  // JVM_EEXIST

// ART's own functions, by their names in libart.so.
template <typename Function>
Function* OfArt(const char* symbol) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, symbol));
}

}  // namespace

extern "C" {

jint JVM_Open(const char* name, jint flags, jint mode) {
  const int descriptor = open(name, flags, mode);
  if (descriptor >= 0) return descriptor;
  return errno == EEXIST ? kFileExists : -1;
}

jint JVM_Close(jint descriptor) { return close(descriptor); }
jint JVM_Read(jint descriptor, char* bytes, jint count) {
  return static_cast<jint>(read(descriptor, bytes, static_cast<size_t>(count)));
}
jint JVM_Write(jint descriptor, char* bytes, jint count) {
  return static_cast<jint>(write(descriptor, bytes, static_cast<size_t>(count)));
}
jint JVM_Sync(jint descriptor) { return fsync(descriptor); }
jlong JVM_Lseek(jint descriptor, jlong offset, jint whence) {
  return lseek(descriptor, offset, whence);
}
char* JVM_NativePath(char* path) { return path; }

jint JVM_GetLastErrorString(char* text, int size) {
  if (errno == 0) return 0;
  return std::snprintf(text, static_cast<size_t>(size), "%s", std::strerror(errno));
}

jlong JVM_CurrentTimeMillis(JNIEnv*, jclass) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return jlong{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void JVM_Exit(jint status) { std::exit(status); }

jlong JVM_TotalMemory() { return jlong{64} << 20; }
jlong JVM_MaxMemory() { return jlong{64} << 20; }
jlong JVM_FreeMemory() { return jlong{32} << 20; }

// Android 10's VMRuntime collects on this thread; 14's can only ask the heap task thread.
// Heap::CollectGarbage is behind Runtime's private layout.
void JVM_GC() {
  JavaVM* vm = nullptr;
  jsize count = 0;
  const auto created = OfArt<jint(JavaVM**, jsize, jsize*)>("JNI_GetCreatedJavaVMs");
  JNIEnv* env = nullptr;
  if (created == nullptr || created(&vm, 1, &count) != JNI_OK || count == 0 ||
      vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) != JNI_OK)
    return;
  jclass type = env->FindClass("dalvik/system/VMRuntime");
  jobject runtime = env->CallStaticObjectMethod(
      type, env->GetStaticMethodID(type, "getRuntime", "()Ldalvik/system/VMRuntime;"));
  env->CallVoidMethod(runtime, env->GetMethodID(type, kCollect, "()V"));
  env->DeleteLocalRef(runtime);
  env->DeleteLocalRef(type);
}

void* JVM_FindLibraryEntry(void* library, const char* name) { return dlsym(library, name); }

jstring JVM_NativeLoad(JNIEnv* env, jstring name, jobject loader, jclass caller) {
  using Load = bool(JavaVM*, JNIEnv*, const std::string&, jobject, jclass, std::string*);
  static const auto load = OfArt<Load>(
      "_ZN3art9JavaVMExt17LoadNativeLibraryEP7_JNIEnvRKNSt7__cxx1112basic_stringIcSt11char_"
      "traitsIcESaIcEEEP8_jobjectP7_jclassPS8_");
  if (load == nullptr) return env->NewStringUTF("ART's LoadNativeLibrary is not there");
  JavaVM* vm = nullptr;
  env->GetJavaVM(&vm);
  const char* path = env->GetStringUTFChars(name, nullptr);
  std::string problem;
  const bool loaded = load(vm, env, path, loader, caller, &problem);
  env->ReleaseStringUTFChars(name, path);
  if (loaded) return nullptr;
  env->ExceptionClear();
  return env->NewStringUTF(problem.c_str());
}

jint JVM_InitializeSocketLibrary() { return 0; }
jboolean JVM_IsNaN(jdouble value) { return value != value; }

void* JVM_RawMonitorCreate() { return new std::mutex; }
void JVM_RawMonitorDestroy(void* monitor) { delete static_cast<std::mutex*>(monitor); }
jint JVM_RawMonitorEnter(void* monitor) {
  static_cast<std::mutex*>(monitor)->lock();
  return 0;
}
void JVM_RawMonitorExit(void* monitor) { static_cast<std::mutex*>(monitor)->unlock(); }

int jio_vsnprintf(char* text, size_t size, const char* format, va_list values) {
  return std::vsnprintf(text, size, format, values);
}

int jio_snprintf(char* text, size_t size, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int length = std::vsnprintf(text, size, format, values);
  va_end(values);
  return length;
}

int jio_fprintf(FILE* file, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int length = std::vfprintf(file, format, values);
  va_end(values);
  return length;
}

}  // extern "C"
