// SPDX-License-Identifier: Apache-2.0
// Another user of SIGPROF in the process: a timer on the process's CPU time and a handler that
// counts. Also what else a program can do to its signals and threads. Context: natives of
// Neighbours.java, and a constructor
#include <dlfcn.h>
#include <jni.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kPeriodUs = 5'000;

std::atomic<int> g_ticks{0};
struct sigaction g_before;
bool g_hands_on = false;

void OnTick(int signal, siginfo_t* info, void* context) {
  if (info->si_code == SI_KERNEL || !g_hands_on)
    ++g_ticks;
  else if ((g_before.sa_flags & SA_SIGINFO) != 0)
    g_before.sa_sigaction(signal, info, context);
}

void Install(bool hands_on, bool with_timer) {
  g_hands_on = hands_on;
  struct sigaction action = {};
  action.sa_sigaction = OnTick;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, &g_before);
  const itimerval period = {{0, kPeriodUs}, {0, kPeriodUs}};
  if (with_timer) setitimer(ITIMER_PROF, &period, nullptr);
}

// Preloaded, it is there before the profiler.
[[gnu::constructor]] void InstallBefore() {
  const char* preloaded = getenv("LD_PRELOAD");
  if (preloaded != nullptr && strstr(preloaded, "libneighbours.so") != nullptr)
    Install(false, true);
}

void OnFault(int, siginfo_t*, void*) { _exit(99); }

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL Java_Neighbours_ticks(JNIEnv*, jclass) { return g_ticks; }

JNIEXPORT void JNICALL Java_Neighbours_install(JNIEnv*, jclass, jboolean hands_on,
                                               jboolean with_timer) {
  Install(hands_on, with_timer);
}

// As a profiler does that stops: no timer, and no handler.
JNIEXPORT void JNICALL Java_Neighbours_reset(JNIEnv*, jclass) {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGPROF, &action, nullptr);
}

JNIEXPORT void JNICALL Java_Neighbours_block(JNIEnv*, jclass, jboolean block) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPROF);
  pthread_sigmask(block ? SIG_BLOCK : SIG_UNBLOCK, &signals, nullptr);
}

// A crash reporter that goes past the signal chain.
JNIEXPORT void JNICALL Java_Neighbours_takeFaults(JNIEnv*, jclass) {
  using Sigaction = int (*)(int, const struct sigaction*, struct sigaction*);
  const auto kernel =
      reinterpret_cast<Sigaction>(dlsym(dlopen("libc.so.6", RTLD_NOW), "sigaction"));
  struct sigaction action = {};
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO;
  kernel(SIGSEGV, &action, nullptr);
}

// The child of a fork runs on for a while, takes a SIGQUIT and ends by exit(3). Its status, or -1.
JNIEXPORT jint JNICALL Java_Neighbours_fork(JNIEnv*, jclass) {
  const pid_t child = fork();
  if (child == 0) {
    volatile unsigned long sink = 0;
    for (unsigned long i = 0; i < 100'000'000; ++i) sink = sink + i;
    raise(SIGQUIT);
    exit(7);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

// Ends the calling thread, and nothing else, without a word to the runtime.
JNIEXPORT void JNICALL Java_Neighbours_endThread(JNIEnv*, jclass) { syscall(SYS_exit, 0); }

// At the end of the program, as the JNI specification has it: the exit handlers run without a VM.
JNIEXPORT void JNICALL Java_Neighbours_destroyVmAtExit(JNIEnv* env, jclass) {
  static JavaVM* vm = nullptr;
  env->GetJavaVM(&vm);
  atexit([] {
    vm->DestroyJavaVM();
    puts("destroyed");
    fflush(stdout);
  });
}

}  // extern "C"
