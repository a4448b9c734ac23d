// SPDX-License-Identifier: Apache-2.0
// Preloaded before the profiler: refuses its look-ups of members through JNI, as ART does with
// hidden ones, by other entries in the table of JNI functions.
//
// REFUSED_LOOK_UPS: "NAME TYPE" of each member, separated by newlines; a name alone is a class. All
// other look-ups of the profiler are logged.
#include <dlfcn.h>
#include <fcntl.h>
#include <jni.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

JNINativeInterface_ g_original;

bool IsProfiler(const void* caller) {
  Dl_info info = {};
  return dladdr(caller, &info) != 0 && std::strstr(info.dli_fname, "libstillframe") != nullptr;
}

bool IsRefused(const void* caller, const std::string& wanted) {
  static const char* const setting = std::getenv("REFUSED_LOOK_UPS");
  static const std::string refused = "\n" + std::string(setting != nullptr ? setting : "") + "\n";
  if (!IsProfiler(caller)) return false;
  const bool is_refused = refused.find("\n" + wanted + "\n") != std::string::npos;
  std::fprintf(stderr, "%s: %s\n", is_refused ? "refused" : "looked up", wanted.c_str());
  return is_refused;
}

// Leaves the exception that ART leaves.
bool Refuse(JNIEnv* env, const void* caller, const std::string& wanted, const char* error) {
  if (!IsRefused(caller, wanted)) return false;
  g_original.ThrowNew(env, g_original.FindClass(env, error), wanted.c_str());
  return true;
}

jclass FindClass(JNIEnv* env, const char* name) {
  if (Refuse(env, __builtin_return_address(0), name, "java/lang/NoClassDefFoundError"))
    return nullptr;
  return g_original.FindClass(env, name);
}

// An entry that looks for a member, by the original one.
template <auto entry, typename Id>
Id Find(JNIEnv* env, jclass type, const char* name, const char* signature) {
  const char* const error =
      *signature == '(' ? "java/lang/NoSuchMethodError" : "java/lang/NoSuchFieldError";
  if (Refuse(env, __builtin_return_address(0), std::string(name) + " " + signature, error))
    return nullptr;
  return (g_original.*entry)(env, type, name, signature);
}

void Install() {
  using GetVms = jint (*)(JavaVM**, jsize, jsize*);
  const auto get_vms = reinterpret_cast<GetVms>(
      dlsym(dlopen("libart.so", RTLD_NOW | RTLD_NOLOAD), "JNI_GetCreatedJavaVMs"));
  JavaVM* vm = nullptr;
  jsize count = 0;
  void* env_pointer = nullptr;
  if (get_vms == nullptr || get_vms(&vm, 1, &count) != JNI_OK || count == 0 ||
      vm->GetEnv(&env_pointer, JNI_VERSION_1_6) != JNI_OK) {
    std::fprintf(stderr, "refused: JNI_GetCreatedJavaVMs gave no JNIEnv\n");
    std::abort();
  }
  auto* table = const_cast<JNINativeInterface_*>(static_cast<JNIEnv*>(env_pointer)->functions);
  g_original = *table;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t begin = reinterpret_cast<uintptr_t>(table) / page * page;
  const uintptr_t end = reinterpret_cast<uintptr_t>(table + 1);
  mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE);
  table->FindClass = FindClass;
  table->GetFieldID = Find<&JNINativeInterface_::GetFieldID, jfieldID>;
  table->GetStaticFieldID = Find<&JNINativeInterface_::GetStaticFieldID, jfieldID>;
  table->GetMethodID = Find<&JNINativeInterface_::GetMethodID, jmethodID>;
  table->GetStaticMethodID = Find<&JNINativeInterface_::GetStaticMethodID, jmethodID>;
  std::fprintf(stderr, "refused: in place\n");
}

}  // namespace

// The collector's first call after it was attached to the VM, and before its look-ups: it makes
// the folder of dumps.
extern "C" int mkdir(const char* path, mode_t mode) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  char name[16] = {};
  pthread_getname_np(pthread_self(), name, sizeof name);
  if (std::string_view(name) == "stillframe") pthread_once(&once, Install);
  return static_cast<int>(syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}
