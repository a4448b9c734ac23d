// SPDX-License-Identifier: Apache-2.0
// A thread that is born with its mask.
#include "src/collector/collector_thread.h"

#include <pthread.h>
#include <signal.h>

#include <cstddef>
#include <initializer_list>

namespace stillframe::collector {
namespace {

constexpr size_t kStackBytes = 1U << 20;

// The collector takes no process-wide signals: SIGQUIT's default action would kill the process.
// Faults and real-time signals stay open; with the latter the Signal Catcher asks a thread for its
// native stack, and waits for the answer.
void CollectorMask(sigset_t* mask) {
  sigemptyset(mask);
  for (int signal = 1; signal < SIGSYS; ++signal) sigaddset(mask, signal);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    sigdelset(mask, fault);
}

}  // namespace

int StartCollectorThread(void* (*run)(void*), void* argument) {
  sigset_t mask;
  sigset_t before;
  CollectorMask(&mask);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_sigmask(SIG_SETMASK, &mask, &before);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, run, argument);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return error;
}

}  // namespace stillframe::collector
