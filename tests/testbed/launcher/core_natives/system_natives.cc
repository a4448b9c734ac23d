// SPDX-License-Identifier: Apache-2.0
// java.lang.System and java.lang.Runtime.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

#include "core_natives/register.h"

namespace stillframe::testbed {
namespace {

jlong NowNs(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return jlong{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

jlong CurrentTimeMillis(JNIEnv*, jclass) { return NowNs(CLOCK_REALTIME) / 1'000'000; }

jlong NanoTime(JNIEnv*, jclass) { return NowNs(CLOCK_MONOTONIC); }

jstring GetEnvironmentVariable(JNIEnv* env, jclass, jstring name) {
  const char* value = std::getenv(ToStdString(env, name).c_str());
  return value == nullptr ? nullptr : env->NewStringUTF(value);
}

jobjectArray Environment(JNIEnv* env, jclass) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return ToStringArray(env, entries);
}

jstring WorkingDirectory(JNIEnv* env, jclass) {
  char* path = getcwd(nullptr, 0);
  jstring result = env->NewStringUTF(path == nullptr ? "" : path);
  std::free(path);
  return result;
}

jint AvailableProcessors(JNIEnv*, jobject) {
  return static_cast<jint>(sysconf(_SC_NPROCESSORS_ONLN));
}

// ART's own loader runs JNI_OnLoad, and remembers the library for natives without registration. It
// is a member function (ART 10 to 14, runtime/jni/java_vm_ext.h), and a JavaVM is a JavaVMExt.
using LoadNativeLibrary = bool (*)(JavaVM*, JNIEnv*, const std::string&, jobject, jclass,
                                   std::string*);
constexpr char kLoadNativeLibrary[] =
    "_ZN3art9JavaVMExt17LoadNativeLibraryEP7_JNIEnvRKNSt7__cxx1112basic_stringIcSt11char_"
    "traitsIcESaIcEEE"
    "P8_jobjectP7_jclassPS8_";

jstring NativeLoad(JNIEnv* env, jclass, jstring path, jobject loader, jclass caller) {
  static const auto load =
      reinterpret_cast<LoadNativeLibrary>(dlsym(RTLD_DEFAULT, kLoadNativeLibrary));
  JavaVM* vm = nullptr;
  std::string problem = "this ART has no JavaVMExt::LoadNativeLibrary";
  if (load != nullptr && env->GetJavaVM(&vm) == JNI_OK &&
      load(vm, env, ToStdString(env, path), loader, caller, &problem))
    return nullptr;
  if (env->ExceptionCheck()) return nullptr;
  return env->NewStringUTF(problem.c_str());
}

void Exit(JNIEnv*, jclass, jint status) { std::exit(status); }

void Halt(JNIEnv*, jclass, jint status) { _exit(status); }

}  // namespace

bool RegisterSystemNatives(JNIEnv* env) {
  return RegisterClass(
             env, "java/lang/System",
             {{"currentTimeMillis", "()J", Address(CurrentTimeMillis)},
              {"nanoTime", "()J", Address(NanoTime)},
              {"getenv", "(Ljava/lang/String;)Ljava/lang/String;", Address(GetEnvironmentVariable)},
              {"environment", "()[Ljava/lang/String;", Address(Environment)},
              {"workingDirectory", "()Ljava/lang/String;", Address(WorkingDirectory)}}) &&
         RegisterClass(
             env, "java/lang/Runtime",
             {{"availableProcessors", "()I", Address(AvailableProcessors)},
              {"nativeLoad",
               "(Ljava/lang/String;Ljava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/String;",
               Address(NativeLoad)},
              {"nativeExit", "(I)V", Address(Exit)},
              {"nativeHalt", "(I)V", Address(Halt)}});
}

}  // namespace stillframe::testbed
