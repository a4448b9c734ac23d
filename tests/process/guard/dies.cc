// SPDX-License-Identifier: Apache-2.0
// Ways to die for Dies.java, and one to be a reporter of crashes. Context: any Java thread
#include <dirent.h>
#include <jni.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include <stillframe/profiler.h>

namespace {

void Fault() {
  volatile int* nowhere = nullptr;
  asm volatile("" : "+r"(nowhere));
  *nowhere = 1;
}

// A function of the profiler becomes a store to nowhere.
void FaultInOurCode() {
  constexpr unsigned char kStoreToNull[] = {0x31, 0xc0, 0x89, 0x00};  // x86_64
  auto* code = reinterpret_cast<unsigned char*>(&stillframe_version);
  const auto page = reinterpret_cast<uintptr_t>(code) & ~uintptr_t{4095};
  mprotect(reinterpret_cast<void*>(page), 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
  memcpy(code, kStoreToNull, sizeof kStoreToNull);
  stillframe_version();
}

void AbortOurThread() {
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* task = readdir(tasks)) {
    char name[32] = "";
    const std::string path = std::string("/proc/self/task/") + task->d_name + "/comm";
    FILE* file = fopen(path.c_str(), "r");
    if (file == nullptr) continue;
    const bool is_read = fgets(name, sizeof name, file) != nullptr;
    fclose(file);
    if (is_read && strcmp(name, "stillframe\n") == 0)
      syscall(SYS_tgkill, getpid(), atoi(task->d_name), SIGABRT);
  }
  closedir(tasks);
  pause();
}

struct sigaction g_before_abort;
struct sigaction g_before_fault;

// Like a crash reporter: prints that it saw the signal, and forwards it.
void Report(int signal, siginfo_t* info, void* context) {
  constexpr char kSaid[] = "reported\n";
  [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, kSaid, sizeof kSaid - 1);
  const struct sigaction& before = signal == SIGABRT ? g_before_abort : g_before_fault;
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(signal, info, context);
  sigaction(signal, &before, nullptr);
}

}  // namespace

extern "C" {

JNIEXPORT void JNICALL Java_Dies_awaitProfiler(JNIEnv*, jclass) { stillframe_wait(60'000); }

JNIEXPORT jstring JNICALL Java_Dies_state(JNIEnv* env, jclass) {
  return env->NewStringUTF(stillframe_state());
}

JNIEXPORT jint JNICALL Java_Dies_stop(JNIEnv*, jclass) { return stillframe_stop(); }

JNIEXPORT void JNICALL Java_Dies_report(JNIEnv*, jclass) {
  struct sigaction action = {};
  action.sa_sigaction = Report;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGABRT, &action, &g_before_abort);
  sigaction(SIGSEGV, &action, &g_before_fault);
}

// The child of a fork, which ends by a fault.
JNIEXPORT void JNICALL Java_Dies_haveAChildDie(JNIEnv*, jclass) {
  const pid_t child = fork();
  if (child == 0) {
    Fault();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
}

JNIEXPORT void JNICALL Java_Dies_die(JNIEnv* env, jclass, jstring how) {
  const char* chars = env->GetStringUTFChars(how, nullptr);
  const std::string way = chars;
  env->ReleaseStringUTFChars(how, chars);
  if (way == "fault") Fault();
  if (way == "abort") abort();
  if (way == "our-code") FaultInOurCode();
  if (way == "our-thread") AbortOurThread();
  raise(atoi(way.c_str()));
}

}  // extern "C"
