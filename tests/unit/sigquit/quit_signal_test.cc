// SPDX-License-Identifier: Apache-2.0
// SIGQUIT with a Signal Catcher of our own, as ART's: blocked everywhere, waited for by one thread.
#include "src/sigquit/quit_signal.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "src/anr/signal_catcher.h"

namespace stillframe::sigquit {
namespace {

sigset_t Quit() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGQUIT);
  return set;
}

bool Comes(int fd) {
  pollfd wait = {fd, POLLIN, 0};
  if (poll(&wait, 1, 5'000) != 1) return false;
  uint64_t count = 0;
  return read(fd, &count, sizeof count) == sizeof count && count == 1;
}

TEST(QuitSignal, EachIsCountedAndForwardedToTheSignalCatcher) {
  const sigset_t quit = Quit();
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &quit, nullptr), 0);
  const int wake_fd = eventfd(0, EFD_CLOEXEC);
  ASSERT_EQ(QuitSignal::Install(sigaction, wake_fd), 0);
  EXPECT_FALSE(anr::PassQuitOn()) << "there is no Signal Catcher yet";

  std::atomic<bool> is_ready{false};
  const int caught_fd = eventfd(0, EFD_CLOEXEC);
  std::thread catcher([&] {
    pthread_setname_np(pthread_self(), "Signal Catcher");
    is_ready = true;
    for (int i = 0; i < 3; ++i) {
      int signal = 0;
      const uint64_t one = 1;
      if (sigwait(&quit, &signal) != 0 || signal != SIGQUIT ||
          write(caught_fd, &one, sizeof one) != sizeof one) {
        return;
      }
    }
  });
  while (!is_ready) std::this_thread::yield();
  QuitSignal::UnblockOnThisThread();

  for (unsigned round = 1; round <= 3; ++round) {
    // The kernel may give a process's signal to the catcher that waits for it: as the system does,
    // the test names no thread but here, where it must be the watched one.
    ASSERT_EQ(pthread_kill(pthread_self(), SIGQUIT), 0);
    ASSERT_TRUE(Comes(wake_fd)) << "round " << round;
    EXPECT_EQ(QuitSignal::arrivals(), round);
    ASSERT_TRUE(anr::PassQuitOn());
    ASSERT_TRUE(Comes(caught_fd)) << "round " << round;
    EXPECT_EQ(QuitSignal::arrivals(), round) << "what is handed on does not come back";
  }
  catcher.join();
}

// The system signals the process, not a thread: with a waiting catcher and an unblocked watched
// thread the watched thread is the main thread, which the kernel prefers.
TEST(QuitSignal, ASignalToTheProcessReachesTheMainThread) {
  const sigset_t quit = Quit();
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &quit, nullptr), 0);
  const int wake_fd = eventfd(0, EFD_CLOEXEC);
  ASSERT_EQ(QuitSignal::Install(sigaction, wake_fd), 0);
  std::atomic<bool> caught{false};
  std::atomic<bool> is_ready{false};
  std::thread catcher([&] {
    pthread_setname_np(pthread_self(), "Signal Catcher");
    is_ready = true;
    int signal = 0;
    sigwait(&quit, &signal);
    caught = true;
  });
  while (!is_ready) std::this_thread::yield();
  QuitSignal::UnblockOnThisThread();
  const unsigned before = QuitSignal::arrivals();
  ASSERT_EQ(kill(getpid(), SIGQUIT), 0);
  ASSERT_TRUE(Comes(wake_fd));
  EXPECT_EQ(QuitSignal::arrivals(), before + 1);
  EXPECT_FALSE(caught);
  ASSERT_TRUE(anr::PassQuitOn());
  catcher.join();
  EXPECT_TRUE(caught);
}

}  // namespace
}  // namespace stillframe::sigquit
