// SPDX-License-Identifier: Apache-2.0
// Preloaded before the profiler: disturbs its self-check while it runs, as DISTURB says. Reports on
// stderr. x86-64 and glibc only.
//
// collect: a thread collects all the time.
// suspend: the VM is suspended for half a second.
// move: in each of the first DISTURB_TIMES checks, steps to the load of the DISTURB_PLACE'th
// reference into the moving space. Waits there until two collections have moved the object, then
// continues.
// Context: the thread of the check, and one of its own
#include <dlfcn.h>
#include <jni.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

namespace {

constexpr greg_t kTrapFlag = 0x100;

struct Range {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool Has(uintptr_t address) const { return address >= begin && address < end; }
};

// Written by the thread of the check before its first step, read in the handler.
Range g_profiler;
Range g_runtime;
JNINativeInterface_ g_functions;
void (*g_delete_local_ref)(JNIEnv*, jobject) = nullptr;

JavaVM* g_vm = nullptr;
sem_t g_wanted;
sem_t g_done;

int g_checks = 0;
bool g_is_armed = false;
long g_loads = 0;
greg_t g_registers[16] = {};

long Setting(const char* name) {
  const char* value = getenv(name);
  return value != nullptr ? atol(value) : 0;
}

bool Is(const char* what) {
  const char* value = getenv("DISTURB");
  return value != nullptr && strcmp(value, what) == 0;
}

Range CodeOf(const char* library) {
  struct Search {
    const char* library;
    Range found;
  } search = {library, {}};
  const auto look = [](dl_phdr_info* info, size_t, void* argument) {
    auto* wanted = static_cast<Search*>(argument);
    if (strstr(info->dlpi_name, wanted->library) == nullptr) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto& segment = info->dlpi_phdr[i];
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
      const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
      wanted->found = {begin, begin + segment.p_memsz};
    }
    return 1;
  };
  dl_iterate_phdr(look, &search);
  return search.found;
}

// AOSP 10 to 14, runtime/gc/heap.cc: kPreferredAllocSpaceBegin; twice the heap that the launcher
// asks for.
constexpr Range kMovingSpace = {0x12c00000, 0x12c00000 + (128U << 20)};

void Sleep(long ms) {
  const timespec time = {ms / 1'000, ms % 1'000 * 1'000'000};
  nanosleep(&time, nullptr);
}

void Collect(JNIEnv* env) {
  jclass type = env->FindClass("java/lang/Runtime");
  jobject runtime = env->CallStaticObjectMethod(
      type, env->GetStaticMethodID(type, "getRuntime", "()Ljava/lang/Runtime;"));
  env->CallVoidMethod(runtime, env->GetMethodID(type, "gc", "()V"));
  env->DeleteLocalRef(runtime);
  env->DeleteLocalRef(type);
}

// Suspends all threads of the VM while a ScopedSuspendAll lives (AOSP 10 to 14,
// runtime/thread_list.h).
void SuspendFor(long ms) {
  using Construct = void (*)(void*, const char*, bool);
  using Destroy = void (*)(void*);
  const auto construct =
      reinterpret_cast<Construct>(dlsym(RTLD_DEFAULT, "_ZN3art16ScopedSuspendAllC1EPKcb"));
  const auto destroy =
      reinterpret_cast<Destroy>(dlsym(RTLD_DEFAULT, "_ZN3art16ScopedSuspendAllD1Ev"));
  if (construct == nullptr || destroy == nullptr) abort();
  char object[16];
  construct(object, "check_disturber", false);
  sem_post(&g_done);
  Sleep(ms);
  destroy(object);
}

void* RunHelper(void*) {
  JNIEnv* env = nullptr;
  JavaVMAttachArgs arguments = {JNI_VERSION_1_6, nullptr, nullptr};
  if (g_vm->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&env), &arguments) != JNI_OK)
    abort();
  if (Is("suspend")) SuspendFor(500);
  if (Is("collect")) {
    sem_post(&g_done);
    for (;;) Collect(env);
  }
  for (;;) {
    while (sem_wait(&g_wanted) != 0) {
    }
    Collect(env);
    Collect(env);
    sem_post(&g_done);
  }
}

// True where the step has brought a reference into a register that was in none before.
bool HasLoaded(const greg_t* registers) {
  bool is_new = false;
  for (int i = 0; i < 16; ++i) {
    const greg_t value = registers[i];
    is_new |=
        kMovingSpace.Has(static_cast<uintptr_t>(value)) &&
        std::find(std::begin(g_registers), std::end(g_registers), value) == std::end(g_registers);
  }
  memcpy(g_registers, registers, sizeof g_registers);
  return is_new;
}

void OnStep(int, siginfo_t*, void* context) {
  auto* machine = static_cast<ucontext_t*>(context);
  greg_t* registers = machine->uc_mcontext.gregs;
  const auto pc = static_cast<uintptr_t>(registers[REG_RIP]);
  bool is_over = g_runtime.Has(pc);
  if (g_profiler.Has(pc) && HasLoaded(registers) && g_loads++ == Setting("DISTURB_PLACE")) {
    sem_post(&g_wanted);
    while (sem_wait(&g_done) != 0) {
    }
    dprintf(STDERR_FILENO, "disturber: moved\n");
    g_is_armed = false;
    is_over = true;
  }
  if (is_over) registers[REG_EFL] &= ~kTrapFlag;
}

// The check's last call of the runtime before it compares.
void OnDeleteLocalRef(JNIEnv* env, jobject reference) {
  g_delete_local_ref(env, reference);
  if (!g_is_armed) return;
  g_loads = 0;
  asm volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
}

void PrepareSteps() {
  JNIEnv* env = nullptr;
  if (g_vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) != JNI_OK) abort();
  g_functions = *env->functions;
  g_delete_local_ref = g_functions.DeleteLocalRef;
  g_functions.DeleteLocalRef = OnDeleteLocalRef;
  env->functions = &g_functions;
  g_profiler = CodeOf("libstillframe.so");
  g_runtime = CodeOf("libart.so");
  struct sigaction action = {};
  action.sa_sigaction = OnStep;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, nullptr);
}

void Prepare() {
  using GetVms = jint (*)(JavaVM**, jsize, jsize*);
  const auto get_vms = reinterpret_cast<GetVms>(dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs"));
  jsize count = 0;
  if (get_vms == nullptr || get_vms(&g_vm, 1, &count) != JNI_OK || count != 1) abort();
  sem_init(&g_wanted, 0, 0);
  sem_init(&g_done, 0, 0);
  if (Is("move")) PrepareSteps();
  pthread_t helper;
  pthread_create(&helper, nullptr, RunHelper, nullptr);
  if (Is("move")) return;
  while (sem_wait(&g_done) != 0) {
  }
  dprintf(STDERR_FILENO, "disturber: began\n");
}

void BeginCheck() {
  dprintf(STDERR_FILENO, "disturber: check %d\n", ++g_checks);
  const char* disturb = getenv("DISTURB");
  if (disturb == nullptr || *disturb == '\0') return;
  if (g_checks == 1) Prepare();
  g_is_armed = Is("move") && g_checks <= Setting("DISTURB_TIMES");
}

}  // namespace

// A check begins by asking for its own stack.
extern "C" __attribute__((visibility("default"))) int pthread_getattr_np(
    pthread_t thread, pthread_attr_t* attributes) noexcept {
  using Function = int (*)(pthread_t, pthread_attr_t*);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "pthread_getattr_np"));
  Dl_info caller = {};
  if (dladdr(__builtin_return_address(0), &caller) != 0 &&
      strstr(caller.dli_fname, "libstillframe.so") != nullptr)
    BeginCheck();
  return next(thread, attributes);
}
