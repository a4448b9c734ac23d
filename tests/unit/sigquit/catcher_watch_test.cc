// SPDX-License-Identifier: Apache-2.0
// The watch on a Signal Catcher of our own: a thread that waits for SIGQUIT with sigwait while all
// threads block it, as ART's does.
#include "src/sigquit/catcher_watch.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

#include "src/core/clock.h"
#include "tests/unit/test_waker.h"

namespace stillframe::sigquit {
namespace {

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr uint64_t kGapNs = 500 * kNsPerMs;

using SigwaitFunction = int (*)(const sigset_t*, int*);

// Waits as the runtime does, first by the C library's sigwait and then by what took its place.
class FakeCatcher {
 public:
  explicit FakeCatcher(SigwaitFunction later) : thread_([this, later] { Run(later); }) {
    while (tid_ == 0) usleep(1'000);
    usleep(20'000);  // until it is inside its wait
  }
  ~FakeCatcher() {
    is_over_ = true;
    pthread_kill(thread_.native_handle(), SIGQUIT);
    thread_.join();
  }

  int32_t tid() const { return tid_; }
  unsigned reports() const { return reports_; }
  uint64_t last_ns() const { return last_ns_; }
  bool HasReported(unsigned reports) const {
    for (int i = 0; i < 5'000 && reports_ < reports; ++i) usleep(1'000);
    return reports_ == reports;
  }

 private:
  void Run(SigwaitFunction later) {
    tid_ = static_cast<int32_t>(syscall(SYS_gettid));
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGQUIT);
    sigaddset(&wanted, SIGUSR1);
    for (SigwaitFunction wait = sigwait;; wait = later) {
      int signal = 0;
      if (wait(&wanted, &signal) != 0 || is_over_) return;
      last_ns_ = core::MonotonicNs();
      if (signal == SIGQUIT) ++reports_;
    }
  }

  std::atomic<int32_t> tid_{0};
  std::atomic<unsigned> reports_{0};
  std::atomic<uint64_t> last_ns_{0};
  std::atomic<bool> is_over_{false};
  std::thread thread_;
};

class CatcherWatchTest : public testing::Test {
 protected:
  CatcherWatchTest() {
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGQUIT);
    sigaddset(&blocked, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    hook_ = reinterpret_cast<SigwaitFunction>(CatcherWatch::Replacement(
        reinterpret_cast<uintptr_t>(static_cast<SigwaitFunction>(sigwait)), false));
    CatcherWatch::Start({waker_.get(), kGapNs});
  }
  ~CatcherWatchTest() override { CatcherWatch::Forget(); }

  // How long the catcher waited for a SIGQUIT sent to the process now.
  uint64_t QuitNs(const FakeCatcher& catcher) {
    const unsigned reports = catcher.reports();
    const uint64_t sent_ns = core::MonotonicNs();
    EXPECT_EQ(kill(getpid(), SIGQUIT), 0);
    EXPECT_TRUE(catcher.HasReported(reports + 1));
    return catcher.last_ns() - sent_ns;
  }

  TestWaker waker_;
  SigwaitFunction hook_ = nullptr;
};

TEST_F(CatcherWatchTest, ASigquitIsCountedAndHandedOverAfterTheHeadStart) {
  const FakeCatcher catcher(hook_);
  const unsigned before = CatcherWatch::arrivals();
  ASSERT_TRUE(CatcherWatch::TakeOverWait(catcher.tid(), sigaction));
  for (unsigned round = 1; round <= 3; ++round) {
    EXPECT_GE(QuitNs(catcher), CatcherWatch::kHeadStartNs) << "round " << round;
    EXPECT_EQ(CatcherWatch::arrivals(), before + round);
    EXPECT_TRUE(waker_.IsWoken());
    EXPECT_FALSE(waker_.IsWoken()) << "the collector is woken once";
    usleep(kGapNs / 1'000 + 100'000);
  }
}

TEST_F(CatcherWatchTest, NoHandlerAndNoMaskIsLeftBehind) {
  struct sigaction before = {};
  sigaction(SIGPROF, nullptr, &before);
  const FakeCatcher catcher(hook_);
  ASSERT_TRUE(CatcherWatch::TakeOverWait(catcher.tid(), sigaction));
  struct sigaction after = {};
  sigaction(SIGPROF, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
  sigaction(SIGQUIT, nullptr, &after);
  EXPECT_EQ(after.sa_handler, SIG_DFL);
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_EQ(sigismember(&mask, SIGQUIT), 1);
}

std::atomic<uint64_t> g_answered_ns{0};
void Answer(int) { g_answered_ns = core::MonotonicNs(); }

// bionic runs a function on all threads by a real-time signal, and waits for each of them.
TEST_F(CatcherWatchTest, TheCatcherAnswersOtherSignalsWhileItWaits) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer defers signals, and keeps a mask of its own";
#endif
  const int other = SIGRTMIN + 8;
  signal(other, Answer);
  const FakeCatcher catcher(hook_);
  ASSERT_TRUE(CatcherWatch::TakeOverWait(catcher.tid(), sigaction));
  std::ifstream status("/proc/self/task/" + std::to_string(catcher.tid()) + "/status");
  uint64_t blocked = 0;
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigBlk:")) blocked = std::stoull(line.substr(7), nullptr, 16);
  for (int number = 1; number <= SIGRTMAX; ++number) {
    const bool is_ours = number == SIGQUIT || number == SIGUSR1 || number == SIGPROF ||
                         number == core::kWakeSignal;  // which this test's threads block
    EXPECT_TRUE(is_ours || (blocked >> (number - 1) & 1) == 0) << "signal " << number;
  }
  for (int i = 0; i < 3; ++i) {
    g_answered_ns = 0;
    const uint64_t sent_ns = core::MonotonicNs();
    ASSERT_EQ(syscall(SYS_tgkill, getpid(), catcher.tid(), other), 0);
    while (g_answered_ns == 0 && core::MonotonicNs() < sent_ns + 10'000 * kNsPerMs) usleep(100);
    EXPECT_LT(g_answered_ns - sent_ns, 100 * kNsPerMs);
  }
  usleep(kGapNs / 1'000 + 100'000);
  EXPECT_GE(QuitNs(catcher), CatcherWatch::kHeadStartNs) << "and its own";
  usleep(kGapNs / 1'000 + 100'000);
}

TEST_F(CatcherWatchTest, OnlyTheFirstOfSeveralIsHeld) {
  const FakeCatcher catcher(hook_);
  ASSERT_TRUE(CatcherWatch::TakeOverWait(catcher.tid(), sigaction));
  EXPECT_GE(QuitNs(catcher), CatcherWatch::kHeadStartNs);
  uint64_t shortest_ns = UINT64_MAX;
  for (int i = 0; i < 5; ++i) shortest_ns = std::min(shortest_ns, QuitNs(catcher));
  EXPECT_LT(shortest_ns, CatcherWatch::kHeadStartNs);
}

// A third SIGQUIT would merge with the second, though a runtime alone would have reported each.
TEST_F(CatcherWatchTest, TheHeadStartEndsWhenAnotherSigquitComes) {
  const FakeCatcher catcher(hook_);
  ASSERT_TRUE(CatcherWatch::TakeOverWait(catcher.tid(), sigaction));
  uint64_t shortest_ns = UINT64_MAX;  // a busy machine makes others longer
  constexpr int kMaxRounds = 20;
  for (int i = 0; i < kMaxRounds && shortest_ns >= CatcherWatch::kHeadStartNs; ++i) {
    usleep(kGapNs / 1'000 + 100'000);
    const unsigned reports = catcher.reports();
    const unsigned arrivals = CatcherWatch::arrivals();
    const uint64_t first_ns = core::MonotonicNs();
    ASSERT_EQ(kill(getpid(), SIGQUIT), 0);
    while (CatcherWatch::arrivals() == arrivals) usleep(200);  // or they would be one
    ASSERT_EQ(kill(getpid(), SIGQUIT), 0);
    ASSERT_TRUE(catcher.HasReported(reports + 2));
    shortest_ns = std::min(shortest_ns, catcher.last_ns() - first_ns);
  }
  EXPECT_LT(shortest_ns, CatcherWatch::kHeadStartNs);
}

// Another component that takes SIGQUIT sends it on to the catcher's thread; so does the runtime
// when it ends.
TEST_F(CatcherWatchTest, ASignalToTheCatcherAloneIsHandedOverAtOnceAndCountsAfterItsReport) {
  const FakeCatcher catcher(hook_);
  ASSERT_TRUE(CatcherWatch::TakeOverWait(catcher.tid(), sigaction));
  const unsigned before = CatcherWatch::arrivals();
  for (unsigned round = 1; round <= 2; ++round) {
    ASSERT_EQ(syscall(SYS_tgkill, getpid(), catcher.tid(), SIGQUIT), 0);
    ASSERT_TRUE(catcher.HasReported(round));
    for (int i = 0; i < 5'000 && CatcherWatch::arrivals() != before + round; ++i) usleep(1'000);
    EXPECT_EQ(CatcherWatch::arrivals(), before + round);
  }
}

TEST_F(CatcherWatchTest, AThreadThatDoesNotWaitForSignalsIsLeftAlone) {
  std::atomic<bool> is_over{false};
  std::atomic<int32_t> tid{0};
  std::thread busy([&] {
    tid = static_cast<int32_t>(syscall(SYS_gettid));
    while (!is_over) usleep(1'000);
  });
  while (tid == 0) usleep(1'000);
  EXPECT_FALSE(CatcherWatch::TakeOverWait(tid, sigaction));
  is_over = true;
  busy.join();
}

// At start-up the catcher may exist without having reached its first wait.
TEST_F(CatcherWatchTest, ACatcherThatOnlyStartsIsWatchedAndNothingIsCounted) {
  const unsigned before = CatcherWatch::arrivals();
  std::atomic<int32_t> tid{0};
  std::thread starting([&] {
    tid = static_cast<int32_t>(syscall(SYS_gettid));
    const uint64_t start_ns = core::MonotonicNs();
    while (core::MonotonicNs() < start_ns + 100 * kNsPerMs) {
    }
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGQUIT);
    int signal = 0;
    hook_(&wanted, &signal);
  });
  while (tid == 0) usleep(1'000);
  EXPECT_TRUE(CatcherWatch::TakeOverWait(tid, sigaction));
  EXPECT_EQ(CatcherWatch::arrivals(), before);
  EXPECT_EQ(kill(getpid(), SIGQUIT), 0);
  starting.join();
  EXPECT_EQ(CatcherWatch::arrivals(), before + 1);
}

// As a sandbox does: all threads get EPERM from these calls.
bool Forbid(std::initializer_list<long> calls) {
  std::vector<sock_filter> steps = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const long call : calls) {
    steps.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1));
    steps.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  steps.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter = {static_cast<unsigned short>(steps.size()), steps.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0;
}

// A filter stays for the life of a process, so a child runs what needs one.
class Sandboxed : public CatcherWatchTest {
 protected:
  static constexpr int kNoFilter = 77;

  static void InChild(const std::function<bool()>& run) {
    const pid_t child = fork();
    if (child == 0) _exit(!run() ? kNoFilter : HasFailure() ? 1 : 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    if (WEXITSTATUS(status) == kNoFilter) GTEST_SKIP() << "seccomp filters are not permitted here";
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
};

TEST_F(Sandboxed, TheFirstReportComesThoughTheThreadCannotSignalItself) {
  InChild([this] {
    const FakeCatcher catcher(hook_);
    EXPECT_TRUE(CatcherWatch::TakeOverWait(catcher.tid(), sigaction));
    if (!Forbid({SYS_tgkill})) return false;
    EXPECT_EQ(kill(getpid(), SIGQUIT), 0);
    EXPECT_TRUE(catcher.HasReported(1));
    // FakeCatcher's end needs the call.
    _exit(HasFailure() ? 1 : 0);
  });
}

TEST_F(Sandboxed, ASignalWithoutItsValueTakesOverTheWait) {
  InChild([this] {
    if (!Forbid({SYS_rt_tgsigqueueinfo})) return false;
    const unsigned before = CatcherWatch::arrivals();
    const FakeCatcher catcher(hook_);
    EXPECT_TRUE(CatcherWatch::TakeOverWait(catcher.tid(), sigaction));
    usleep(kGapNs / 1'000);  // since the SIGQUIT of an earlier test
    EXPECT_GE(QuitNs(catcher), CatcherWatch::kHeadStartNs);
    EXPECT_EQ(CatcherWatch::arrivals(), before + 1);
    return true;
  });
}

TEST_F(Sandboxed, WithoutAnySignalTheFirstReportIsCountedWhenItIsOver) {
  InChild([this] {
    if (!Forbid({SYS_rt_tgsigqueueinfo, SYS_tgkill})) return false;
    const unsigned before = CatcherWatch::arrivals();
    const FakeCatcher catcher(hook_);
    const uint64_t asked_ns = core::MonotonicNs();
    EXPECT_FALSE(CatcherWatch::TakeOverWait(catcher.tid(), sigaction));
    EXPECT_LT(core::MonotonicNs() - asked_ns, 500 * kNsPerMs) << "it gives up at once";
    EXPECT_EQ(CatcherWatch::arrivals(), before);
    QuitNs(catcher);
    for (int i = 0; i < 5'000 && CatcherWatch::arrivals() != before + 1; ++i) usleep(1'000);
    EXPECT_EQ(CatcherWatch::arrivals(), before + 1);
    _exit(HasFailure() ? 1 : 0);  // as above
  });
}

TEST_F(CatcherWatchTest, AForkedChildLeavesItsCatcherAlone) {
  const unsigned before = CatcherWatch::arrivals();
  CatcherWatch::Forget();
  {
    const FakeCatcher catcher(hook_);
    for (int i = 0; i < 2; ++i) QuitNs(catcher);
  }
  EXPECT_EQ(CatcherWatch::arrivals(), before);
}

}  // namespace
}  // namespace stillframe::sigquit
