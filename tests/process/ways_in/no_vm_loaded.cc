// SPDX-License-Identifier: Apache-2.0
// A program without a VM that loads the profiler, at once or late. The profiler must wait, say so,
// and end.
// Usage: no_vm_loaded LIBRARY DELAY_MS [preloaded]
// Prints the main thread's CPU time of the start in ns, its page faults without the loader's, and
// those of the loading. "preloaded": the library finds its name in LD_PRELOAD and starts while it
// is loaded.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <stillframe/profiler.h>

namespace {

template <typename Function>
Function* Find(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (found == nullptr) exit(9);
  return reinterpret_cast<Function*>(found);
}

long long CpuNs() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

long PageFaults() {
  rusage usage = {};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && (argc != 4 || strcmp(argv[3], "preloaded") != 0)) return 8;
  const bool is_preloaded = argc == 4;
  usleep(static_cast<useconds_t>(atoi(argv[2])) * 1'000);
  if (is_preloaded) setenv("LD_PRELOAD", argv[1], 1);
  const long loading = PageFaults();
  void* library = dlopen(argv[1], RTLD_NOW);
  printf("loaded %ld\n", PageFaults() - loading);
  if (library == nullptr) return 7;
  auto* start = Find<decltype(stillframe_start)>(library, "stillframe_start");
  auto* wait = Find<decltype(stillframe_wait)>(library, "stillframe_wait");
  auto* dump = Find<decltype(stillframe_dump)>(library, "stillframe_dump");
  const long faults = PageFaults();
  const long long begin = CpuNs();
  const stillframe_status started = start();
  const long long took = CpuNs() - begin;
  printf("cpu %lld\nfaults %ld\n", took, PageFaults() - faults);
  // Preloaded it may have given up by now.
  const bool is_told =
      is_preloaded ? started == STILLFRAME_ALREADY_STARTED || started == STILLFRAME_NOT_STARTED
                   : started == STILLFRAME_OK;
  if (!is_told || wait(60'000) != STILLFRAME_OK) return 2;
  if (start() != STILLFRAME_NOT_STARTED) return 3;
  return dump(nullptr, 0) == STILLFRAME_NOT_STARTED ? 0 : 4;
}
