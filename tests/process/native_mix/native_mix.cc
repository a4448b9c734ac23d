// SPDX-License-Identifier: Apache-2.0
// Alternating native functions and methods, three levels deep, for NativeMix.java. The last
// function, or a signal's handler, ends in a loop. Before that, each function's return address is
// reported.
// Context: main thread of the test
#include <dlfcn.h>
#include <jni.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>

#include "tests/process/native_mix/mix.h"
#include "tests/testbed/native/register_natives.h"

namespace {

constexpr int kLevels = 3;
constexpr int kKinds = 8;
constexpr const char* kNames[kKinds] = {"plain", "pointer", "room",     "bare",
                                        "tail",  "c",       "assembly", "signal"};
constexpr long (*kOuters[kKinds])(int) = {sf_plain_outer,    sf_pointer_outer, sf_room_outer,
                                          sf_bare_outer,     sf_tail_outer,    sf_c_outer,
                                          sf_assembly_outer, sf_plain_outer};

JNIEnv* g_env = nullptr;
jclass g_class = nullptr;
jmethodID g_back = nullptr;
int g_kind = 0;
bool g_sleeps = false;
std::atomic<bool> g_may_end{false};
std::string g_truth;

uintptr_t Base() {
  Dl_info info = {};
  return dladdr(reinterpret_cast<const void*>(sf_mix_note), &info) == 0
             ? 0
             : reinterpret_cast<uintptr_t>(info.dli_fbase);
}

}  // namespace

#define SF_EXPORTED [[gnu::noinline, gnu::visibility("default")]]

// Runs or sleeps until it may end.
extern "C" SF_EXPORTED long sf_mix_spin();
long sf_mix_spin() {
  sf_mix_note("sf_mix_spin", __builtin_return_address(0));
  printf("truth %s%s\n", kNames[g_kind], g_truth.c_str());
  fflush(stdout);
  volatile long turns = 0;
  while (!g_may_end.load(std::memory_order_relaxed)) {
    turns = turns + 1;
    if (g_sleeps) usleep(1'000'000);
  }
  return turns;
}

extern "C" SF_EXPORTED void sf_mix_on_signal(int);
void sf_mix_on_signal(int) {
  volatile long one = sf_mix_spin();
  one = one + 1;
}

extern "C" void sf_mix_note(const char* function, const void* return_address) {
  char text[96];
  snprintf(text, sizeof text, " %s:%llx", function,
           static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(return_address) - Base()));
  g_truth += text;
}

extern "C" SF_EXPORTED long sf_mix_go_on(int level) {
  sf_mix_note("sf_mix_go_on", __builtin_return_address(0));
  volatile long one = 1;
  if (level < kLevels) {
    jvalue argument = {};
    argument.i = level + 1;
    g_env->functions->CallStaticVoidMethodA(g_env, g_class, g_back, &argument);
    return one;
  }
  if (kNames[g_kind] == std::string("signal")) {
    struct sigaction action = {};
    action.sa_handler = sf_mix_on_signal;
    sigaction(SIGUSR2, &action, nullptr);
    return syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR2) + one;
  }
  return sf_mix_spin() + one;
}

extern "C" SF_EXPORTED void sf_mix_enter(JNIEnv*, jclass, jint level);
void sf_mix_enter(JNIEnv*, jclass, jint level) {
  volatile long one = kOuters[g_kind](level);
  one = one + 1;
}

namespace {

void* EndLater(void* ms) {
  usleep(static_cast<useconds_t>(reinterpret_cast<uintptr_t>(ms) * 1'000));
  g_may_end.store(true, std::memory_order_relaxed);
  return nullptr;
}

void Start(JNIEnv* env, jclass natives, jint kind, jint ms, jboolean sleeps) {
  g_env = env;
  g_kind = kind;
  g_sleeps = sleeps == JNI_TRUE;
  g_truth.clear();
  g_may_end.store(false, std::memory_order_relaxed);
  g_class = static_cast<jclass>(env->NewGlobalRef(natives));
  g_back = env->GetStaticMethodID(natives, "back", "(I)V");
  pthread_t thread;
  if (pthread_create(&thread, nullptr, EndLater,
                     reinterpret_cast<void*>(static_cast<uintptr_t>(ms))) == 0)
    pthread_detach(thread);
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  using testbed::Native;
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  const bool registered = testbed::RegisterNatives(
      env, "NativeMix", {Native("enter", "(I)V", sf_mix_enter), Native("start", "(IIZ)V", Start)});
  return registered ? JNI_VERSION_1_6 : JNI_ERR;
}
