// SPDX-License-Identifier: Apache-2.0
// The handler, and the mask that lets it see the signal.
#include "src/sigquit/quit_signal.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace stillframe::sigquit {
namespace {

// Written before the handler is installed.
int g_wake_fd = -1;
// Written by the handler (release), read by the collector (acquire).
std::atomic<unsigned> g_arrivals{0};

void OnSigquit(int) {
  const int saved_errno = errno;
  g_arrivals.fetch_add(1, std::memory_order_release);
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(g_wake_fd, &one, sizeof one);
  errno = saved_errno;
}

}  // namespace

int QuitSignal::Install(core::SigactionFunction kernel_sigaction, int wake_fd) {
  g_wake_fd = wake_fd;
  struct sigaction action = {};
  action.sa_handler = OnSigquit;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  return kernel_sigaction(SIGQUIT, &action, nullptr) == 0 ? 0 : errno;
}

void QuitSignal::UnblockOnThisThread() {
  sigset_t quit;
  sigemptyset(&quit);
  sigaddset(&quit, SIGQUIT);
  pthread_sigmask(SIG_UNBLOCK, &quit, nullptr);
}

unsigned QuitSignal::arrivals() { return g_arrivals.load(std::memory_order_acquire); }

}  // namespace stillframe::sigquit
