// SPDX-License-Identifier: Apache-2.0
// Time in which no signal reaches the watched thread: in the kernel, blocked, without a CPU,
// asleep.
#include <sched.h>
#include <sys/mman.h>

#include "src/sampling/slow_message_watch.h"
#include "tests/unit/sampling/slow_message_case.h"

namespace stillframe::sampling {
namespace {

// Runs until one call took so much CPU time in the kernel, where no signal arrives: pages are made
// ready.
void StayInKernelNs(uint64_t ns) {
  constexpr size_t kMaxBytes = size_t{4} << 30;
  for (size_t bytes = size_t{64} << 20; bytes <= kMaxBytes; bytes *= 2) {
    const uint64_t begin_ns = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID);
    void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    const uint64_t end_ns = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID);
    ASSERT_NE(pages, MAP_FAILED);
    munmap(pages, bytes);
    if (end_ns - begin_ns >= ns) return;
  }
  FAIL() << "the kernel is too quick";
}

// From here on the calling thread shares its CPU with one that gets ten times as much of it.
class Rival {
 public:
  Rival() {
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    size_t cpu = 0;
    while (!CPU_ISSET(cpu, &all)) ++cpu;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    EXPECT_EQ(sched_setaffinity(0, sizeof one, &one), 0);  // the rival's as well
    thread_ = std::thread([this] {
      while (!stops_) {
      }
    });
    EXPECT_NE(nice(10), -1);
  }
  ~Rival() {
    stops_ = true;
    thread_.join();
  }
  Rival(const Rival&) = delete;
  Rival& operator=(const Rival&) = delete;

 private:
  std::atomic<bool> stops_{false};
  std::thread thread_;
};

using TimeWithoutSignalsTest = SlowMessageCase;

TEST_F(TimeWithoutSignalsTest, ASignalThatWaitsForTheKernelStandsForTheTimeInIt) {
  Run([this] {
    Message([] {
      BurnNs(100 * kNsPerMs);
      StayInKernelNs(150 * kNsPerMs);
      BurnNs(50 * kNsPerMs);
    });
  });
  // Undisturbed, it takes 300 ms. A thread without a CPU stays in the kernel for longer than a
  // signal can be late.
  constexpr int64_t kDisturbedNs = 900 * kNsPerMs;
  if (SlowMessages()[0].wall_ns > kDisturbedNs) GTEST_SKIP() << "the thread had too little CPU";
  EXPECT_EQ(counted_.Of(Counter::kSamplesMissed), 0U);
  const model::TraceTree tree = KeptTree();
  EXPECT_NEAR(static_cast<double>(WeightUs(tree)),
              static_cast<double>(SlowMessages()[0].wall_ns) / 1e3, 2.0);
}

// The collector ticks on the watched thread, so that it comes in time on a busy machine.
TEST_F(TimeWithoutSignalsTest, NothingIsKnownOfTheTimeInWhichSignalsAreHeldBack) {
  Watched().tid = gettid();
  recorder_->Start({&Watched(), tap::kLimits, &wake_up_, nullptr});
  ASSERT_EQ(watch_.Start({&TheSampler(), recorder_.get(), &trees_, &native_, &history_, nullptr,
                          kSlowNs, kIntervalNs, 16, false}),
            0);
  const auto work = [this](int ticks) {
    for (int i = 0; i < ticks; ++i) {
      BurnNs(kIntervalNs);
      watch_.Tick(core::MonotonicNs());
    }
  };
  uint64_t missed_before = 0;
  uint64_t missed_after = 0;
  Message([&] {
    work(12);
    missed_before = counted_.Of(Counter::kSamplesMissed);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPROF);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    work(30);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    missed_after = counted_.Of(Counter::kSamplesMissed);
    work(6);
  });
  watch_.Tick(core::MonotonicNs());
  watch_.Disarm();
  EXPECT_EQ(missed_before, 0U);
  EXPECT_GE(missed_after, 20U);
  EXPECT_LE(counted_.Of(Counter::kSamplesMissed), missed_after + 3) << "signals come again";
  EXPECT_NEAR(static_cast<double>(WeightUs(KeptTree())),
              static_cast<double>(SlowMessages()[0].wall_ns) / 1e3, 2.0);
}

TEST_F(TimeWithoutSignalsTest, WaitingForACpuIsCountedForItsMessageAlone) {
  constexpr uint64_t kSleepNs = 400 * kNsPerMs;
  Run([this] {
    Message([] {
      const Rival rival;
      BurnNs(20 * kNsPerMs);
    });
    Message([] { SleepNs(kSleepNs); });
  });
  const auto history = SlowMessages();
  ASSERT_EQ(history.size(), 2U);
  const int64_t off_cpu_ns = history[0].wall_ns - history[0].cpu_ns;
  ASSERT_GE(off_cpu_ns, static_cast<int64_t>(60 * kNsPerMs)) << "the rival did not get the CPU";
  EXPECT_GE(history[0].runqueue_wait_ns, off_cpu_ns * 7 / 10);
  const auto awake_ns = history[1].wall_ns - static_cast<int64_t>(kSleepNs);
  EXPECT_LE(history[1].runqueue_wait_ns, awake_ns + static_cast<int64_t>(60 * kNsPerMs));
}

TEST_F(TimeWithoutSignalsTest, ASleeperIsWalkedWithoutASignalAndNeverWoken) {
  bool slept_whole = false;
  Run([&] { Message([&] { slept_whole = SleepNs(300 * kNsPerMs); }); });
  EXPECT_TRUE(slept_whole);
  EXPECT_GE(counted_.Of(Counter::kSamplesWithoutSignal), 1U);
  EXPECT_GE(counted_.Of(Counter::kSamplesRepeated), 10U);
  const auto history = SlowMessages();
  ASSERT_EQ(history.size(), 1U);
  EXPECT_LT(history[0].cpu_ns, static_cast<int64_t>(50 * kNsPerMs));
  const model::TraceTree tree = KeptTree();
  EXPECT_NEAR(static_cast<double>(WeightUs(tree)), static_cast<double>(history[0].wall_ns) / 1e3,
              2.0);
  EXPECT_GE(WeightUs(tree, model::ThreadState::kSleeping), WeightUs(tree) * 9 / 10);
}

TEST_F(TimeWithoutSignalsTest, WeightsTellBusyFromAsleep) {
  bool slept_whole = true;
  uint64_t slept_ns = 0;
  Run([&] {
    Message([&] {
      for (int i = 0; i < 2; ++i) {
        BurnNs(150 * kNsPerMs);
        const uint64_t begin_ns = core::MonotonicNs();
        slept_whole &= SleepNs(150 * kNsPerMs);
        slept_ns += core::MonotonicNs() - begin_ns;
      }
    });
  });
  EXPECT_TRUE(slept_whole);
  EXPECT_GT(SignalSamples(), 0U);
  EXPECT_GT(counted_.Of(Counter::kSamplesRepeated), 0U);
  const model::TraceTree tree = KeptTree();
  const uint64_t asleep = WeightUs(tree, model::ThreadState::kSleeping);
  EXPECT_NEAR(static_cast<double>(asleep), static_cast<double>(slept_ns) / 1e3,
              0.15 * static_cast<double>(WeightUs(tree)));
}

}  // namespace
}  // namespace stillframe::sampling
