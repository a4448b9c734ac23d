// SPDX-License-Identifier: Apache-2.0
// Boots ART in this process and runs an application's main on the process's main thread. art-run
// starts it: it expects the environment and the library path that front sets up.
#include <dlfcn.h>
#include <jni.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "command_line.h"
#include "heap_size.h"
#include "repairs/repairs.h"

extern "C" void KeepArtAtExit();  // exit_guard.cc

namespace stillframe::testbed {
namespace {

constexpr int kUncaughtExceptionStatus = 1;
constexpr unsigned kProfilerWaitMs = 2000;
constexpr int kBrokenStatus = 3;
constexpr jsize kMostThreads = 4096;  // That are joined at once.

int Fail(const std::string& problem) {
  std::fprintf(stderr, "art-run: %s\n", problem.c_str());
  return kBrokenStatus;
}

std::vector<std::string> RuntimeOptions(const CommandLine& command) {
  std::vector<std::string> options = {
      "-Xbootclasspath:" + command.core_jar,
      "-Xbootclasspath-locations:" + command.core_jar,
      "-Ximage:/nonexistent/boot.art",
      "-Xnoimage-dex2oat",
      "-Xusejit:false",
      "-Xverify:none",
      "-Xms16m",
      "-Xmx64m",
      "-classpath",
      command.class_path,
  };
  options.insert(options.end(), command.runtime_options.begin(), command.runtime_options.end());
  options.push_back("-Dtestbed.heap.max.bytes=" + std::to_string(MaxHeapBytes(options)));
  return options;
}

// While ART boots, it reports at length that it has no image and no known boot class path. Only
// fatal messages pass then, unless the user has set ART's own variable; afterwards all do, as the
// Signal Catcher's trace is one of them.
class QuietBoot {
 public:
  QuietBoot() : quiet_(std::getenv(kLogTags) == nullptr) {
    if (quiet_) setenv(kLogTags, "*:f", 1);
  }

  ~QuietBoot() {
    using SetSeverity = int (*)(int);
    const auto set_severity = reinterpret_cast<SetSeverity>(
        dlsym(RTLD_DEFAULT, "_ZN7android4base21SetMinimumLogSeverityENS0_11LogSeverityE"));
    if (quiet_ && set_severity != nullptr) {
      unsetenv(kLogTags);
      set_severity(kInfo);
    }
  }

  QuietBoot(const QuietBoot&) = delete;
  QuietBoot& operator=(const QuietBoot&) = delete;

 private:
  static constexpr char kLogTags[] = "ANDROID_LOG_TAGS";
  static constexpr int kInfo = 2;  // android::base::LogSeverity (ART 11, libbase).

  const bool quiet_;
};

// The VM stays until the process ends: the options' memory is needed only during the call.
JNIEnv* CreateVm(const CommandLine& command, JavaVM** vm) {
  using CreateJavaVm = jint (*)(JavaVM**, JNIEnv**, void*);
  const auto create = reinterpret_cast<CreateJavaVm>(dlsym(RTLD_DEFAULT, "JNI_CreateJavaVM"));
  std::vector<std::string> texts = RuntimeOptions(command);
  std::vector<JavaVMOption> options;
  for (std::string& text : texts) options.push_back({text.data(), nullptr});
  JavaVMInitArgs arguments = {JNI_VERSION_1_6, static_cast<jint>(options.size()), options.data(),
                              JNI_FALSE};
  JNIEnv* env = nullptr;
  const QuietBoot quiet;
  return create != nullptr && create(vm, &env, &arguments) == JNI_OK ? env : nullptr;
}

bool LoadLibrary(JavaVM* vm, const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    std::fprintf(stderr, "art-run: %s\n", dlerror());
    return false;
  }
  using OnLoad = jint (*)(JavaVM*, void*);
  const auto on_load = reinterpret_cast<OnLoad>(dlsym(library, "JNI_OnLoad"));
  if (on_load != nullptr && on_load(vm, nullptr) == JNI_ERR) {
    std::fprintf(stderr, "art-run: JNI_OnLoad of %s failed\n", path.c_str());
    return false;
  }
  return true;
}

// Hands a pending exception to the main thread's handler; true if there was one.
bool DispatchException(JNIEnv* env) {
  jthrowable exception = env->ExceptionOccurred();
  if (exception == nullptr) return false;
  env->ExceptionClear();
  jclass thread_class = env->FindClass("java/lang/Thread");
  jobject thread = env->CallStaticObjectMethod(
      thread_class, env->GetStaticMethodID(thread_class, "currentThread", "()Ljava/lang/Thread;"));
  env->CallVoidMethod(
      thread,
      env->GetMethodID(thread_class, "dispatchUncaughtException", "(Ljava/lang/Throwable;)V"),
      exception);
  env->ExceptionClear();
  return true;
}

bool RunMain(JNIEnv* env, const CommandLine& command) {
  std::string internal_name = command.main_class;
  for (char& c : internal_name) c = c == '.' ? '/' : c;
  jclass main_class = env->FindClass(internal_name.c_str());
  jmethodID main_method =
      main_class == nullptr ? nullptr
                            : env->GetStaticMethodID(main_class, "main", "([Ljava/lang/String;)V");
  if (main_method != nullptr) {
    const auto count = static_cast<jsize>(command.arguments.size());
    jobjectArray arguments =
        env->NewObjectArray(count, env->FindClass("java/lang/String"), nullptr);
    for (jsize i = 0; i < count; ++i) {
      jstring argument = env->NewStringUTF(command.arguments[static_cast<size_t>(i)].c_str());
      env->SetObjectArrayElement(arguments, i, argument);
      env->DeleteLocalRef(argument);
    }
    env->CallStaticVoidMethod(main_class, main_method, arguments);
  }
  return !DispatchException(env);
}

// Waits until the main thread's group and those below it have no other threads than daemons.
void JoinNonDaemons(JNIEnv* env) {
  jclass thread_class = env->FindClass("java/lang/Thread");
  jclass group_class = env->FindClass("java/lang/ThreadGroup");
  const jmethodID is_daemon = env->GetMethodID(thread_class, "isDaemon", "()Z");
  const jmethodID join = env->GetMethodID(thread_class, "join", "()V");
  jobject self = env->CallStaticObjectMethod(
      thread_class, env->GetStaticMethodID(thread_class, "currentThread", "()Ljava/lang/Thread;"));
  jobject group = env->CallObjectMethod(
      self, env->GetMethodID(thread_class, "getThreadGroup", "()Ljava/lang/ThreadGroup;"));
  const jmethodID enumerate = env->GetMethodID(group_class, "enumerate", "([Ljava/lang/Thread;)I");
  jobjectArray threads = env->NewObjectArray(kMostThreads, thread_class, nullptr);
  for (bool joined = true; joined;) {
    joined = false;
    const jint count = env->CallIntMethod(group, enumerate, threads);
    for (jsize i = 0; i < count; ++i) {
      jobject thread = env->GetObjectArrayElement(threads, i);
      if (!env->IsSameObject(thread, self) && !env->CallBooleanMethod(thread, is_daemon)) {
        env->CallVoidMethod(thread, join);
        joined = true;
      }
      env->DeleteLocalRef(thread);
    }
  }
}

// Starts the shutdown hooks and waits for them, as Runtime.exit does. It exits below its own frame.
void RunShutdownHooks(JNIEnv* env) {
  jclass runtime_class = env->FindClass("java/lang/Runtime");
  jobject runtime = env->CallStaticObjectMethod(
      runtime_class, env->GetStaticMethodID(runtime_class, "getRuntime", "()Ljava/lang/Runtime;"));
  jobject list = env->GetObjectField(
      runtime, env->GetFieldID(runtime_class, "shutdownHooks", "Ljava/util/List;"));
  auto hooks = static_cast<jobjectArray>(env->CallObjectMethod(
      list,
      env->GetMethodID(env->FindClass("java/util/List"), "toArray", "()[Ljava/lang/Object;")));
  jclass thread_class = env->FindClass("java/lang/Thread");
  for (const char* const name : {"start", "join"})
    for (jsize i = 0; i < env->GetArrayLength(hooks); ++i)
      env->CallVoidMethod(env->GetObjectArrayElement(hooks, i),
                          env->GetMethodID(thread_class, name, "()V"));
  DispatchException(env);
}

// A preloaded profiler attaches in the background; an application on a device takes far longer to
// its first message than one here does, so it gets the time.
void WaitForProfiler() {
  using Wait = int (*)(unsigned timeout_ms);
  const auto wait = reinterpret_cast<Wait>(dlsym(RTLD_DEFAULT, "stillframe_wait"));
  if (wait != nullptr) wait(kProfilerWaitMs);
}

int Run(const CommandLine& command) {
  if (std::string problem; !RepairArt(&problem)) return Fail(problem);
  JavaVM* vm = nullptr;
  JNIEnv* env = CreateVm(command, &vm);
  if (env == nullptr) return Fail("ART did not start; ANDROID_LOG_TAGS='*:v' shows why");
  KeepArtAtExit();
  for (const std::string& library : command.libraries)
    if (!LoadLibrary(vm, library)) return kBrokenStatus;
  WaitForProfiler();
  const bool succeeded = RunMain(env, command);
  // The process exits with no Java frame on the stack: only then may an exit handler destroy the
  // VM.
  JoinNonDaemons(env);
  RunShutdownHooks(env);
  return succeeded ? EXIT_SUCCESS : kUncaughtExceptionStatus;
}

}  // namespace
}  // namespace stillframe::testbed

int main(int argc, char** argv) {
  namespace testbed = stillframe::testbed;
  testbed::CommandLine command;
  std::string problem;
  if (!testbed::ParseLauncherArguments(argc, argv, &command, &problem))
    return testbed::Fail(problem);
  // exit(3), not a return through the C library alone: exit handlers of preloaded libraries run
  // either way.
  std::exit(testbed::Run(command));
}
