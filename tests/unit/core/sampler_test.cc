// SPDX-License-Identifier: Apache-2.0
// The SIGPROF handler with a walker of our own: real timers, forged signals, and a storm of them.
#include "src/core/sampler.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "src/core/clock.h"
#include "src/os/thread_timer.h"
#include "tests/unit/counted.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

namespace stillframe::core {
namespace {

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr uint64_t kSlowNs = 20 * kNsPerMs;
constexpr uint64_t kIntervalNs = 1'000 * kNsPerMs;  // longer than any walk here
constexpr Token kToken{77};
constexpr uint8_t kState = 67;
constexpr uintptr_t kRuntimeThread = 0x1234;

std::atomic<uint32_t> g_previous_calls{0};
// An extra action of the walker, besides leaving its two frames; null: none.
std::atomic<void (*)()> g_in_walk{nullptr};

void PreviousHandler(int, siginfo_t*, void*) { g_previous_calls.fetch_add(1); }

uint8_t FakeWalk(const void* walker, uintptr_t thread, const arch::Registers* registers,
                 FrameSink* sink) {
  if (auto* in_walk = g_in_walk.load()) in_walk();
  sink->Push(reinterpret_cast<uintptr_t>(walker), 1, RawFrameKind::kInterpreted);
  sink->Push(thread, registers == nullptr ? 0 : 2, RawFrameKind::kJni);
  return kState;
}

// The thread sanitizer forwards a signal at the next call it intercepts.
void Deliver() { MonotonicNs(); }

// As the kernel would for an expired timer.
void SendTimerSignal(int32_t tid, void* cookie, int code = SI_TIMER, int overrun = 0) {
  siginfo_t info = {};
  info.si_signo = SIGPROF;
  info.si_code = code;
  info.si_overrun = overrun;
  info.si_value.sival_ptr = cookie;
  ASSERT_EQ(syscall(SYS_rt_tgsigqueueinfo, getpid(), tid, SIGPROF, &info), 0);
  Deliver();
}

void BurnNs(uint64_t ns) {
  const uint64_t until = CpuClockNs(CLOCK_THREAD_CPUTIME_ID) + ns;
  while (CpuClockNs(CLOCK_THREAD_CPUTIME_ID) < until) {
  }
}

// One sampler a process, as in the product; each case begins with an empty ring and no message.
class SamplerTest : public testing::Test {
 protected:
  struct Bed {
    WatchedThread thread;
    Sampler sampler;
  };

  static Bed& TheBed() {
    static Bed* bed = [] {
      struct sigaction previous = {};
      previous.sa_sigaction = PreviousHandler;
      previous.sa_flags = SA_SIGINFO;
      sigaction(SIGPROF, &previous, nullptr);
      auto* made = new Bed;
      made->thread.runtime_thread = kRuntimeThread;
      EXPECT_EQ(made->sampler.Start(
                    {FakeWalk, &made->thread, &made->thread, kSlowNs, 16, 65'536, sigaction}),
                0);
      return made;
    }();
    return *bed;
  }

  void SetUp() override {
    thread_.tid = gettid();
    thread_.message.Clear();
    sampler_.Resume();
    sampler_.SetCpuClockBase(0, kIntervalNs, sampler_.cookie());
    g_in_walk = nullptr;
    Drain();
    samples_before_ = sampler_.samples();
    previous_before_ = g_previous_calls;
    counted_ = Counted();
  }

  uint64_t Samples() const { return sampler_.samples() - samples_before_; }

  std::vector<RawSample> Drain() {
    std::vector<RawSample> samples;
    RawSample sample;
    while (sampler_.Peek(&sample)) {
      EXPECT_EQ(sample.depth, 2U);
      EXPECT_EQ(sampler_.FrameAt(0).method, reinterpret_cast<uintptr_t>(&thread_));
      EXPECT_EQ(sampler_.FrameAt(1).method, kRuntimeThread);
      EXPECT_EQ(sampler_.FrameAt(1).dex_pc, 2U) << "the interrupted registers are given";
      EXPECT_EQ(sample.thread_state, kState);
      samples.push_back(sample);
      sampler_.Release(sample);
    }
    return samples;
  }

  void PublishSlowMessage() { thread_.message.Publish(kToken, MonotonicNs() - 2 * kSlowNs, 0); }
  void SendOurs() { SendTimerSignal(gettid(), sampler_.cookie()); }

  WatchedThread& thread_ = TheBed().thread;
  Sampler& sampler_ = TheBed().sampler;
  uint64_t samples_before_ = 0;
  uint32_t previous_before_ = 0;
  Counted counted_;
};

TEST_F(SamplerTest, ATimerSamplesASlowMessageOnly) {
  os::ThreadTimer timer;
  ASSERT_EQ(timer.Create(CLOCK_THREAD_CPUTIME_ID, gettid(), sampler_.cookie()), 0);
  const uint64_t start_ns = MonotonicNs();
  thread_.message.Publish(kToken, start_ns, 0);
  ASSERT_EQ(timer.Arm(1, kNsPerMs), 0);
  for (int i = 0; i < 100 && Samples() < 3; ++i) BurnNs(150 * kNsPerMs);
  thread_.message.Clear();
  const uint64_t samples = Samples();
  // The kernel checks CPU clocks only at its ticks, and a busy machine gives this thread few of
  // them.
  for (int i = 0; i < 100 && counted_.Of(Counter::kDropsNoSlowMessage) < 2; ++i)
    BurnNs(30 * kNsPerMs);
  ASSERT_EQ(timer.Disarm(), 0);

  EXPECT_GE(samples, 3U);
  EXPECT_EQ(Samples(), samples) << "a sample was taken while no message ran";
  EXPECT_GE(counted_.Of(Counter::kDropsNoSlowMessage), 2U);
  EXPECT_EQ(counted_.Of(Counter::kDropsForeignSignal), 0U);
  uint64_t last_ns = start_ns + kSlowNs;
  for (const RawSample& sample : Drain()) {
    EXPECT_EQ(sample.token, kToken);
    EXPECT_GE(sample.wall_ns, last_ns);
    last_ns = sample.wall_ns;
  }
  EXPECT_GT(sampler_.handler_ns(), 0U);
}

TEST_F(SamplerTest, CountsTheCpuClockByTheTimersExpiries) {
  PublishSlowMessage();
  sampler_.SetCpuClockBase(1'000, kIntervalNs, sampler_.cookie());
  for (int i = 0; i < 3; ++i) SendOurs();
  const auto samples = Drain();
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_EQ(samples[0].cpu_ns, 1'000U);
  EXPECT_EQ(samples[1].cpu_ns, 1'000U + kIntervalNs);
  EXPECT_EQ(samples[2].cpu_ns, 1'000U + 2 * kIntervalNs);
}

TEST_F(SamplerTest, ExpiriesThatWereMergedIntoOneSignalCount) {
  PublishSlowMessage();
  sampler_.SetCpuClockBase(1'000, kIntervalNs, sampler_.cookie());
  SendTimerSignal(gettid(), sampler_.cookie(), SI_TIMER, 3);
  SendOurs();
  const auto samples = Drain();
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_EQ(samples[0].overrun, 3U);
  EXPECT_EQ(samples[0].cpu_ns, 1'000U + 3 * kIntervalNs);
  EXPECT_EQ(samples[1].cpu_ns, 1'000U + 4 * kIntervalNs);
}

// Before Linux 6.13 such a signal comes after the timer was armed anew.
TEST_F(SamplerTest, ASignalOfAnEarlierArmingIsNoExpiryOfThePresentOne) {
  PublishSlowMessage();
  sampler_.SetCpuClockBase(1'000, kIntervalNs, sampler_.cookie());
  SendOurs();
  sampler_.SetCpuClockBase(5'000, kIntervalNs, sampler_.other_cookie());
  const uint64_t arrivals = sampler_.arrivals();
  SendOurs();
  SendTimerSignal(gettid(), sampler_.other_cookie());
  SendTimerSignal(gettid(), sampler_.other_cookie());
  sampler_.SetCpuClockBase(9'000, kIntervalNs, sampler_.cookie());
  SendOurs();
  std::vector<uint64_t> cpu_ns;
  for (const RawSample& sample : Drain()) cpu_ns.push_back(sample.cpu_ns);
  EXPECT_EQ(cpu_ns, (std::vector<uint64_t>{1'000, 5'000, 5'000 + kIntervalNs, 9'000}));
  EXPECT_EQ(counted_.Of(Counter::kDropsNoSlowMessage), 1U);
  EXPECT_EQ(counted_.Of(Counter::kDropsForeignSignal), 0U);
  EXPECT_EQ(sampler_.arrivals(), arrivals + 4) << "it shows that signals arrive";
}

TEST_F(SamplerTest, ForeignSignalsReachThePreviousHandler) {
  PublishSlowMessage();
  ASSERT_EQ(kill(getpid(), SIGPROF), 0);
  Deliver();
  sigval same_value = {};
  same_value.sival_ptr = sampler_.cookie();
  ASSERT_EQ(sigqueue(getpid(), SIGPROF, same_value), 0);  // our value, but no timer
  Deliver();
  int other = 0;
  SendTimerSignal(gettid(), &other);  // a timer, but not ours
  EXPECT_EQ(g_previous_calls - previous_before_, 3U);
  EXPECT_EQ(counted_.Of(Counter::kDropsForeignSignal), 3U);
  EXPECT_EQ(Samples(), 0U);
}

TEST_F(SamplerTest, KeepsErrno) {
  PublishSlowMessage();
  g_in_walk = [] { errno = EDOM; };
  errno = ERANGE;
  SendOurs();
  EXPECT_EQ(errno, ERANGE);
  EXPECT_EQ(Samples(), 1U);
}

TEST_F(SamplerTest, ASignalInsideTheHandlerIsCountedAndDropped) {
  if (kIsSanitized) GTEST_SKIP() << "the sanitizer may defer a signal that is raised in a handler";
  PublishSlowMessage();
  g_in_walk = [] {
    sigset_t prof;
    sigemptyset(&prof);
    sigaddset(&prof, SIGPROF);
    pthread_sigmask(SIG_UNBLOCK, &prof, nullptr);
    SendTimerSignal(gettid(), TheBed().sampler.cookie());
  };
  SendOurs();
  EXPECT_EQ(Samples(), 1U);
  EXPECT_EQ(counted_.Of(Counter::kDropsReentered), 1U);
  EXPECT_EQ(Drain().size(), 1U);
}

TEST_F(SamplerTest, AWalkOfMoreThanHalfTheIntervalGivesTheThreadAsMuchTime) {
  PublishSlowMessage();
  sampler_.SetCpuClockBase(0, 2 * kNsPerMs, sampler_.cookie());
  g_in_walk = [] { BurnNs(100 * kNsPerMs); };
  SendOurs();
  const uint64_t end_ns = MonotonicNs();
  g_in_walk = nullptr;
  SendOurs();
  if (MonotonicNs() - end_ns < 100 * kNsPerMs) {
    EXPECT_EQ(Samples(), 1U);
    EXPECT_EQ(counted_.Of(Counter::kDropsHandlerTooLong), 1U);
  }
  // As long as that sample took, or longer on a busy machine.
  for (uint64_t waits = 0; waits < 100 && Samples() == 1; ++waits) {
    BurnNs(20 * kNsPerMs);
    SendOurs();
  }
  EXPECT_EQ(Samples(), 2U);
  Drain();
}

TEST_F(SamplerTest, AFullRingDropsAndCounts) {
  PublishSlowMessage();
  constexpr uint64_t kSent = 3'000;  // 4 cells each, 4,096 cells
  for (uint64_t i = 0; i < kSent; ++i) SendOurs();
  EXPECT_GT(counted_.Of(Counter::kDropsRingFull), 0U);
  EXPECT_EQ(Samples() + counted_.Of(Counter::kDropsRingFull), kSent);
  EXPECT_EQ(Drain().size(), Samples());
  SendOurs();
  EXPECT_EQ(Drain().size(), 1U) << "an emptied ring takes samples again";
}

TEST_F(SamplerTest, StoppedTakesNothing) {
  PublishSlowMessage();
  EXPECT_TRUE(sampler_.Stop());
  EXPECT_FALSE(sampler_.enabled());
  SendOurs();
  EXPECT_EQ(Samples(), 0U);
  EXPECT_EQ(counted_.Of(Counter::kDropsStopped), 1U);
  sampler_.Resume();
  SendOurs();
  EXPECT_EQ(Samples(), 1U);
}

TEST_F(SamplerTest, StopsWhileSignalsStorm) {
  std::atomic<int32_t> tid{0};
  std::atomic<bool> done{false};
  std::thread watched([&] {
    PublishSlowMessage();
    tid = gettid();
    while (!done) MonotonicNs();
  });
  while (tid == 0) std::this_thread::yield();
  os::ThreadTimer timer;  // the wall clock: a CPU clock ticks too slowly for a storm
  ASSERT_EQ(timer.Create(CLOCK_MONOTONIC, tid, sampler_.cookie()), 0);
  ASSERT_EQ(timer.Arm(1, 50'000), 0);

  // More rounds if the machine makes the watched thread wait.
  const auto has_enough = [this] {
    return Samples() > 30 && counted_.Of(Counter::kDropsStopped) > 30;
  };
  for (int round = 0; round < 30 || (round < 3'000 && !has_enough()); ++round) {
    BurnNs(2 * kNsPerMs);
    ASSERT_TRUE(sampler_.Stop());
    const uint64_t samples = sampler_.samples();
    BurnNs(kNsPerMs);
    ASSERT_EQ(sampler_.samples(), samples) << "a sample after Stop, round " << round;
    struct sigaction installed = {};
    sigaction(SIGPROF, nullptr, &installed);
    ASSERT_NE(installed.sa_flags & static_cast<int>(SA_SIGINFO), 0) << "SIGPROF has its default";
    ASSERT_NE(installed.sa_handler, SIG_DFL);
    Drain();
    sampler_.Resume();
  }
  timer.Disarm();
  done = true;
  watched.join();
  EXPECT_GT(Samples(), 30U);
  EXPECT_GT(counted_.Of(Counter::kDropsStopped), 30U);
}

TEST_F(SamplerTest, WalksAStandingThreadWithoutASignal) {
  RawFrame frames[16];
  uint32_t depth = 0;
  auto truncation = Truncation::kBadMethod;
  EXPECT_EQ(sampler_.WalkBlocked(frames, 16, &depth, &truncation), kState);
  EXPECT_EQ(depth, 2U);
  EXPECT_EQ(truncation, Truncation::kNone);
  EXPECT_EQ(frames[1].method, kRuntimeThread);
  EXPECT_EQ(frames[1].dex_pc, 0U) << "there are no registers";
}

TEST_F(SamplerTest, OnlyOneSamplerAProcess) {
  Sampler second;
  EXPECT_EQ(second.Start({FakeWalk, nullptr, &thread_, kSlowNs, 16, 1024, sigaction}), EALREADY);
}

// How far a handler reached down an alternate stack that was filled with a pattern.
class AlternateStack {
 public:
  AlternateStack() {
    memory_ = static_cast<uint8_t*>(
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    stack_t stack = {};
    stack.ss_sp = memory_;
    stack.ss_size = kBytes;
    EXPECT_EQ(sigaltstack(&stack, &before_), 0);
  }
  ~AlternateStack() {
    sigaltstack(&before_, nullptr);
    munmap(memory_, kBytes);
  }
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;

  template <typename Raise>
  size_t BytesUsedBy(const Raise& raise) {
    memset(memory_, kPattern, kBytes);
    raise();
    size_t untouched = 0;
    while (untouched < kBytes && memory_[untouched] == kPattern) ++untouched;
    return kBytes - untouched;
  }

 private:
  static constexpr size_t kBytes = 128 * 1024;
  static constexpr uint8_t kPattern = 0xa7;
  uint8_t* memory_ = nullptr;
  stack_t before_ = {};
};

TEST_F(SamplerTest, TheHandlerUsesLittleStack) {
  if (kIsSanitized) GTEST_SKIP() << "a sanitizer's frames are not the product's";
  PublishSlowMessage();
  AlternateStack stack;
  // The kernel's own use of that stack, for an empty handler.
  struct sigaction empty = {};
  empty.sa_sigaction = [](int, siginfo_t*, void*) {};
  empty.sa_flags = SA_SIGINFO | SA_ONSTACK;
  struct sigaction before = {};
  ASSERT_EQ(sigaction(SIGUSR1, &empty, &before), 0);
  const size_t empty_bytes = stack.BytesUsedBy([] { raise(SIGUSR1); });
  sigaction(SIGUSR1, &before, nullptr);
  SendOurs();  // the dynamic linker binds the C library's functions at their first call
  const size_t ours_bytes = stack.BytesUsedBy([this] { SendOurs(); });
  ASSERT_EQ(Samples(), 2U);
  ASSERT_GT(empty_bytes, 0U);
  EXPECT_LE(ours_bytes, empty_bytes + 2048);
  RecordProperty("handler_stack_bytes", static_cast<int>(ours_bytes - empty_bytes));
}

TEST(SamplerStop, HoldsForAStartThatComesLaterAndNothingIsEnabledWithoutAHandler) {
  WatchedThread thread;
  Sampler sampler;
  EXPECT_FALSE(sampler.Resume());
  EXPECT_FALSE(sampler.enabled()) << "there is no handler: a signal would kill";
  EXPECT_TRUE(sampler.Stop());
  const auto fails = [](int, const struct sigaction*, struct sigaction*) {
    errno = EPERM;
    return -1;
  };
  EXPECT_EQ(sampler.Start({FakeWalk, &thread, &thread, kSlowNs, 16, 65'536, fails}), EPERM);
  ASSERT_EQ(sampler.Start({FakeWalk, &thread, &thread, kSlowNs, 16, 65'536, sigaction}), 0);
  EXPECT_FALSE(sampler.enabled());
  EXPECT_TRUE(sampler.Resume());
  EXPECT_TRUE(sampler.enabled());
}

}  // namespace
}  // namespace stillframe::core
