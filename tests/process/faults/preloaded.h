// SPDX-License-Identifier: Apache-2.0
// Shared by the libraries that are preloaded beside the profiler to disturb it.
#pragma once

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace faults {

// As asked for in the environment; `otherwise` where nothing is.
inline long NumberOf(const char* variable, long otherwise) {
  const char* text = getenv(variable);
  return text == nullptr ? otherwise : atol(text);
}

inline bool IsNamed(const char* thread_name) {
  char name[16] = {};
  return prctl(PR_GET_NAME, name) == 0 && strcmp(name, thread_name) == 0;
}

// On the main thread, with SIGPROF blocked: in our handler of it.
inline bool IsInHandler() {
  sigset_t blocked;
  return gettid() == getpid() && pthread_sigmask(SIG_SETMASK, nullptr, &blocked) == 0 &&
         sigismember(&blocked, SIGPROF) == 1;
}

struct Library {
  const char* path = nullptr;
  uintptr_t base = 0;
  uintptr_t code_begin = 0;
  uintptr_t code_end = 0;
  bool Holds(uintptr_t code) const { return code - code_begin < code_end - code_begin; }
};

inline Library FindProfiler() {
  Library found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* argument) {
        auto* library = static_cast<Library*>(argument);
        if (strstr(info->dlpi_name, "/libstillframe.so") == nullptr) return 0;
        library->path = info->dlpi_name;
        library->base = info->dlpi_addr;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& part = info->dlpi_phdr[i];
          if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
          library->code_begin = info->dlpi_addr + part.p_vaddr;
          library->code_end = library->code_begin + part.p_memsz;
        }
        return 1;
      },
      &found);
  return found;
}

// False when it does not get there within half a minute.
inline bool AwaitSampler() {
  using State = const char* (*)();
  const auto state = reinterpret_cast<State>(dlsym(RTLD_DEFAULT, "stillframe_state"));
  for (int i = 0; state != nullptr && i < 3'000; ++i) {
    if (strcmp(state(), "on") == 0) return true;
    usleep(10'000);
  }
  return false;
}

// Sleeps until the file named by FAULTS_DONE exists, or most_ms have passed.
inline void SleepUntilAsked(long most_ms) {
  const char* path = getenv("FAULTS_DONE");
  for (long ms = 0; ms < most_ms && (path == nullptr || access(path, F_OK) != 0); ms += 50)
    usleep(50'000);
}

inline void Say(const char* what) { fprintf(stderr, "faults: %s\n", what); }

// The file that FAULTS_DONE names: the application ends when it is there.
inline void SayDone(const char* what) {
  Say(what);
  const char* path = getenv("FAULTS_DONE");
  FILE* file = path == nullptr ? nullptr : fopen(path, "w");
  if (file != nullptr) fclose(file);
}

inline void StartThread(void* (*run)(void*)) {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, run, nullptr) == 0) pthread_detach(thread);
}

}  // namespace faults
