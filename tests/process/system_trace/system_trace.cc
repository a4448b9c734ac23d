// SPDX-License-Identifier: Apache-2.0
// Brings a process into trouble that Java cannot make. Context: the Java thread that calls
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

// Threads of the VM are suspended while one lives (AOSP 10 to 14, runtime/thread_list.h).
namespace art {
class ScopedSuspendAll {
 public:
  explicit ScopedSuspendAll(const char* cause, bool long_suspend = false);
  ~ScopedSuspendAll();
};
}  // namespace art

namespace {

void SleepUninterrupted(time_t seconds) {
  timespec left = {seconds, 0};
  while (nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
}

std::atomic<int> g_handled{0};

}  // namespace

extern "C" {

// The parent of a vfork sleeps in the kernel, and no signal wakes it, until the child has ended.
JNIEXPORT void JNICALL Java_SystemTrace_sleepUninterruptibly(JNIEnv*, jclass, jint seconds) {
  const pid_t child = vfork();
  if (child == 0) {
    SleepUninterrupted(seconds);
    _exit(0);
  }
}

JNIEXPORT void JNICALL Java_SystemTrace_suspendTheVm(JNIEnv*, jclass, jint seconds) {
  const art::ScopedSuspendAll suspended("SystemTrace");
  SleepUninterrupted(seconds);
}

JNIEXPORT void JNICALL Java_SystemTrace_useUpDescriptors(JNIEnv*, jclass) {
  const rlimit few = {64, 64};
  setrlimit(RLIMIT_NOFILE, &few);
  while (dup(STDERR_FILENO) >= 0) {
  }
}

JNIEXPORT void JNICALL Java_SystemTrace_useUpMemory(JNIEnv*, jclass) {
  FILE* file = fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  if (file == nullptr || fscanf(file, "%lu", &pages) != 1) return;
  fclose(file);
  // The memory that the runtime itself needs for its trace.
  constexpr rlim_t kLeft = 3U << 18;
  const rlim_t bytes = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + kLeft;
  const rlimit none = {bytes, bytes};
  setrlimit(RLIMIT_AS, &none);
}

// Like a component of an application: unblocks SIGQUIT on this thread, with a handler that does not
// forward it.
JNIEXPORT void JNICALL Java_SystemTrace_handleSigquit(JNIEnv*, jclass) {
  struct sigaction action = {};
  action.sa_handler = [](int) { g_handled.fetch_add(1); };
  action.sa_flags = SA_RESTART;
  sigaction(SIGQUIT, &action, nullptr);
  sigset_t quit;
  sigemptyset(&quit);
  sigaddset(&quit, SIGQUIT);
  pthread_sigmask(SIG_UNBLOCK, &quit, nullptr);
}

JNIEXPORT jint JNICALL Java_SystemTrace_handledSigquits(JNIEnv*, jclass) { return g_handled; }

// Whether a signal cut a sleep of 3 s short, in milliseconds that it lasted.
JNIEXPORT jint JNICALL Java_SystemTrace_sleepOnce(JNIEnv*, jclass) {
  timespec begin;
  timespec end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  sleep(3);
  clock_gettime(CLOCK_MONOTONIC, &end);
  return static_cast<jint>((end.tv_sec - begin.tv_sec) * 1'000 +
                           (end.tv_nsec - begin.tv_nsec) / 1'000'000);
}

// Whether a new thread of this one would take SIGQUIT.
JNIEXPORT jboolean JNICALL Java_SystemTrace_takesSigquit(JNIEnv*, jclass) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return sigismember(&mask, SIGQUIT) == 0 ? JNI_TRUE : JNI_FALSE;
}

}  // extern "C"
