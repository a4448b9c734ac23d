// The collector's side with a real thread to watch, real timers and signals; only the walker is
// ours.
#include "src/sampling/slow_message_watch.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "src/core/clock.h"
#include "src/dump/reader.h"
#include "src/dump/writer.h"
#include "tests/unit/tap/usual_limits.h"

namespace stillframe::sampling {
namespace {

using os::kNsPerMs;

constexpr uint64_t kSlowNs = 50 * kNsPerMs;
constexpr uint64_t kIntervalNs = 10 * kNsPerMs;
constexpr uint8_t kRunnable = 67;  // ART 11
constexpr uint8_t kSleeping = 69;

std::atomic<uint8_t> g_state{kRunnable};

uint8_t FakeWalk(const void*, uintptr_t, const arch::Registers*, core::FrameSink* sink) {
  const uint8_t state = g_state;
  const auto frame = state == kSleeping ? core::Cut::kNoFrames : core::Cut::kBadMethod;
  sink->Push(static_cast<uint64_t>(frame), core::kNoDexPc, core::RawFrameKind::kCut);
  return state;
}

// The sampler lives as long as the process; each case gives it another thread to watch.
core::WatchedThread& Watched() {
  static auto* thread = new core::WatchedThread;
  return *thread;
}
core::Sampler& TheSampler() {
  static core::Sampler* sampler = [] {
    auto* made = new core::Sampler;
    EXPECT_EQ(made->Start({FakeWalk, nullptr, &Watched(), kSlowNs, 16, 65'536, sigaction}), 0);
    return made;
  }();
  return *sampler;
}

// CPU time: a busy machine makes it last longer.
void BurnNs(uint64_t ns) {
  g_state = kRunnable;
  const uint64_t until = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID) + ns;
  while (core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID) < until) {
  }
}

// Until one call took so much CPU time in the kernel, where no signal comes: pages are made ready.
void StayInKernelNs(uint64_t ns) {
  constexpr size_t kMostBytes = size_t{4} << 30;
  for (size_t bytes = size_t{64} << 20; bytes <= kMostBytes; bytes *= 2) {
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

// False when the sleep was interrupted or too short.
bool SleepNs(uint64_t ns) {
  g_state = kSleeping;
  const uint64_t begin_ns = core::MonotonicNs();
  const timespec time{0, static_cast<long>(ns)};
  const bool whole = nanosleep(&time, nullptr) == 0 && core::MonotonicNs() - begin_ns >= ns;
  g_state = kRunnable;
  return whole;
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

class SlowMessageWatchTest : public testing::Test {
 protected:
  // Runs `messages` on a thread of its own, as the main thread, and the collector's loop here.
  void Run(const std::function<void()>& messages) {
    core::Sampler& sampler = TheSampler();
    std::atomic<bool> is_set_up{false};
    std::atomic<int32_t> tid{0};
    std::atomic<bool> done{false};
    std::thread main_thread([&] {
      tid = gettid();
      while (!is_set_up) std::this_thread::yield();
      messages();
      done = true;
      while (is_set_up) std::this_thread::yield();  // the timer needs its thread
    });
    while (tid == 0) std::this_thread::yield();
    Watched().tid = tid;
    recorder_->Start({&Watched(), tap::kLimits, wake_fd_, nullptr});
    watch_.WatchRunQueue(tid);
    ASSERT_EQ(watch_.Start({&sampler, recorder_.get(), &trees_, &history_, nullptr, kSlowNs,
                            kIntervalNs, 16, false}),
              0);
    samples_before_ = sampler.samples();
    is_set_up = true;
    while (!done) {
      const uint64_t sleep_ns =
          std::min(watch_.Tick(core::MonotonicNs() - clock_behind_ns_), 1'000 * kNsPerMs);
      const timespec time{static_cast<time_t>(sleep_ns / 1'000'000'000),
                          static_cast<long>(sleep_ns % 1'000'000'000)};
      pollfd wake = {wake_fd_, POLLIN, 0};
      if (ppoll(&wake, 1, &time, nullptr) > 0) {
        uint64_t count = 0;
        ASSERT_EQ(read(wake_fd_, &count, sizeof count), static_cast<ssize_t>(sizeof count));
      }
    }
    watch_.Tick(core::MonotonicNs());
    watch_.Disarm();
    is_set_up = false;
    main_thread.join();
  }

  void Message(const std::function<void()>& body) {
    recorder_->Begin();
    body();
    if ((recorder_->End() & tap::Recorder::kDescribe) != 0) {
      recorder_->Describe("com.example.H", "", 1, 0, false);
    }
  }

  uint64_t SignalSamples() const { return TheSampler().samples() - samples_before_; }
  std::vector<model::Message> SlowMessages() const {
    auto messages = history_.Messages();
    for (model::Message& message : messages) {
      if (trees_.HasKept(message.token)) message.flags |= model::kMessageHasTree;
    }
    return messages;
  }

  // The only kept tree, as a reader of the dump sees it.
  trace::TraceTree KeptTree() {
    EXPECT_EQ(trees_.kept().size(), 1U);
    dump::Contents contents;
    const std::vector<const dump::EncodedTree*> trees = {trees_.kept().front().get()};
    contents.trees = trees;
    contents.frames = &frames_;
    const std::string path = testing::TempDir() + "watch_" + std::to_string(getpid()) + ".sfdump";
    EXPECT_TRUE(writer_.WriteDump(contents, path.c_str()).ok());
    dump::ReadResult read = dump::ReadDumpFile(path.c_str());
    unlink(path.c_str());
    EXPECT_TRUE(read.ok()) << read.error;
    return std::move(read.document.trees.at(0));
  }

  uint64_t clock_behind_ns_ = 0;  // the collector reads the clock, then looks at the message
  int wake_fd_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  std::unique_ptr<tap::Recorder> recorder_ = std::make_unique<tap::Recorder>();
  trace::FrameTable frames_;
  dump::Writer writer_;
  walk::RuntimeFacts facts_{.layout = walk::KnownLayouts().rows};
  TreeBuilder trees_{{100 * kNsPerMs, 10, 1 << 20}, facts_, &frames_, &writer_};
  history::History history_{{.groups = 10, .records = 50, .messages = 16}, tap::kLimits, &frames_};
  SlowMessageWatch watch_;
  uint64_t samples_before_ = 0;
};

uint64_t WeightUs(const trace::TraceTree& tree, trace::ThreadState state) {
  uint64_t sum = 0;
  for (const trace::Sample& sample : tree.samples())
    sum += sample.state == state ? sample.weight_us : 0;
  return sum;
}

uint64_t WeightUs(const trace::TraceTree& tree) {
  uint64_t sum = 0;
  for (const trace::Sample& sample : tree.samples()) sum += sample.weight_us;
  return sum;
}

TEST_F(SlowMessageWatchTest, ABusyMessageIsSampledByItsTimer) {
  Run([this] { Message([] { BurnNs(300 * kNsPerMs); }); });
  const auto history = SlowMessages();
  ASSERT_EQ(history.size(), 1U);
  const auto wall_ms = static_cast<uint64_t>(history[0].wall_ns) / kNsPerMs;
  // One every 10 ms of CPU time after the first 50 ms; the kernel rounds to its tick, and the timer
  // is armed late on a busy machine.
  EXPECT_GE(SignalSamples(), 5U);
  EXPECT_LE(SignalSamples(), (wall_ms - 50) / 10 + 3);
  const trace::TraceTree tree = KeptTree();
  EXPECT_EQ(tree.token(), history[0].token);
  EXPECT_EQ(history[0].samples, tree.sample_count());
  EXPECT_NEAR(static_cast<double>(WeightUs(tree)), static_cast<double>(history[0].wall_ns) / 1e3,
              2.0);
  EXPECT_EQ(WeightUs(tree, trace::ThreadState::kSleeping), 0U);
  EXPECT_GE(tree.samples().front().wall_us, 50'000U);
}

TEST_F(SlowMessageWatchTest, ASignalThatWaitsForTheKernelStandsForTheTimeInIt) {
  Run([this] {
    Message([] {
      BurnNs(100 * kNsPerMs);
      StayInKernelNs(150 * kNsPerMs);
      BurnNs(50 * kNsPerMs);
    });
  });
  EXPECT_EQ(watch_.missed_samples(), 0U);
  const trace::TraceTree tree = KeptTree();
  EXPECT_NEAR(static_cast<double>(WeightUs(tree)),
              static_cast<double>(SlowMessages()[0].wall_ns) / 1e3, 2.0);
}

// The collector ticks on the watched thread, so that it comes in time on a busy machine.
TEST_F(SlowMessageWatchTest, NothingIsKnownOfTheTimeInWhichSignalsAreHeldBack) {
  Watched().tid = gettid();
  recorder_->Start({&Watched(), tap::kLimits, wake_fd_, nullptr});
  ASSERT_EQ(watch_.Start({&TheSampler(), recorder_.get(), &trees_, &history_, nullptr, kSlowNs,
                          kIntervalNs, 16, false}),
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
    missed_before = watch_.missed_samples();
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPROF);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    work(30);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    missed_after = watch_.missed_samples();
    work(6);
  });
  watch_.Tick(core::MonotonicNs());
  watch_.Disarm();
  EXPECT_EQ(missed_before, 0U);
  EXPECT_GE(missed_after, 20U);
  EXPECT_LE(watch_.missed_samples(), missed_after + 3) << "signals come again";
  EXPECT_NEAR(static_cast<double>(WeightUs(KeptTree())),
              static_cast<double>(SlowMessages()[0].wall_ns) / 1e3, 2.0);
}

TEST_F(SlowMessageWatchTest, WaitingForACpuIsCountedForItsMessageAlone) {
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

TEST_F(SlowMessageWatchTest, ASleeperIsWalkedWithoutASignalAndNeverWoken) {
  bool slept_whole = false;
  Run([&] { Message([&] { slept_whole = SleepNs(300 * kNsPerMs); }); });
  EXPECT_TRUE(slept_whole);
  EXPECT_GE(watch_.standing_walks(), 1U);
  EXPECT_GE(watch_.repeats(), 10U);
  const auto history = SlowMessages();
  ASSERT_EQ(history.size(), 1U);
  EXPECT_LT(history[0].cpu_ns, static_cast<int64_t>(50 * kNsPerMs));
  const trace::TraceTree tree = KeptTree();
  EXPECT_NEAR(static_cast<double>(WeightUs(tree)), static_cast<double>(history[0].wall_ns) / 1e3,
              2.0);
  EXPECT_GE(WeightUs(tree, trace::ThreadState::kSleeping), WeightUs(tree) * 9 / 10);
}

TEST_F(SlowMessageWatchTest, WeightsTellBusyFromAsleep) {
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
  EXPECT_GT(watch_.repeats(), 0U);
  const trace::TraceTree tree = KeptTree();
  const uint64_t asleep = WeightUs(tree, trace::ThreadState::kSleeping);
  EXPECT_NEAR(static_cast<double>(asleep), static_cast<double>(slept_ns) / 1e3,
              0.15 * static_cast<double>(WeightUs(tree)));
}

TEST_F(SlowMessageWatchTest, QuickMessagesArmNothing) {
  Run([this] {
    for (int i = 0; i < 200; ++i) Message([] { BurnNs(kNsPerMs / 2); });
  });
  EXPECT_EQ(TheSampler().drops().Read(core::Drop::kForeignSignal), 0U);
  // A busy machine makes a message slow that wanted to be quick.
  if (SlowMessages().empty()) {
    EXPECT_TRUE(trees_.kept().empty());
    EXPECT_EQ(SignalSamples(), 0U);
    EXPECT_EQ(watch_.standing_walks(), 0U);
  }
}

TEST_F(SlowMessageWatchTest, AMessageYoungerThanTheTicksClockIsNotSlow) {
  clock_behind_ns_ = 60'000 * kNsPerMs;
  Run([this] { Message([] { BurnNs(3 * kSlowNs); }); });
  EXPECT_EQ(SignalSamples(), 0U);
  EXPECT_EQ(watch_.standing_walks() + watch_.moved_walks(), 0U);
}

TEST_F(SlowMessageWatchTest, EachSlowMessageHasItsOwnTree) {
  Run([this] {
    for (int i = 0; i < 4; ++i) {
      Message([] { BurnNs(130 * kNsPerMs); });
      Message([] { BurnNs(60 * kNsPerMs); });  // slow, but too short for a kept tree
    }
  });
  const auto history = SlowMessages();
  ASSERT_EQ(history.size(), 8U);
  size_t kept = 0;
  for (const model::Message& message : history) {
    const bool has_tree = (message.flags & model::kMessageHasTree) != 0;
    EXPECT_EQ(has_tree,
              message.wall_ns >= static_cast<int64_t>(100 * kNsPerMs) && message.samples > 0);
    kept += has_tree ? 1U : 0U;
  }
  EXPECT_EQ(trees_.kept().size(), kept);
  EXPECT_GE(kept, 4U);
}

TEST_F(SlowMessageWatchTest, TheCollectorSleepsWhenNothingHappens) {
  core::WatchedThread idle;
  idle.tid = gettid();
  recorder_->Start({&idle, tap::kLimits, wake_fd_, nullptr});
  ASSERT_EQ(watch_.Start({&TheSampler(), recorder_.get(), &trees_, &history_, nullptr, kSlowNs,
                          kIntervalNs, 16, false}),
            0);
  uint64_t now_ns = core::MonotonicNs();
  uint64_t sleep_ns = 0;
  int ticks = 0;
  for (; ticks < 100 && sleep_ns != UINT64_MAX; ++ticks) {
    sleep_ns = watch_.Tick(now_ns);
    if (sleep_ns != UINT64_MAX) now_ns += sleep_ns;
  }
  EXPECT_EQ(sleep_ns, UINT64_MAX);
  EXPECT_LE(ticks, 30) << "about a second of ticks, then rest";
  // The next message wakes it.
  recorder_->Begin();
  uint64_t count = 0;
  EXPECT_EQ(read(wake_fd_, &count, sizeof count), static_cast<ssize_t>(sizeof count));
  EXPECT_LE(watch_.Tick(now_ns), kSlowNs);
  recorder_->End();
}

TEST_F(SlowMessageWatchTest, WithoutASamplerMessagesAreStillRecorded) {
  core::WatchedThread alone;
  alone.tid = gettid();
  recorder_->Start({&alone, tap::kLimits, wake_fd_, nullptr});
  ASSERT_EQ(watch_.Start({nullptr, recorder_.get(), &trees_, &history_, nullptr, kSlowNs,
                          kIntervalNs, 16, false}),
            0);
  Message([this] {
    for (int i = 0; i < 12; ++i) {
      BurnNs(10 * kNsPerMs);
      watch_.Tick(core::MonotonicNs());
    }
  });
  watch_.Tick(core::MonotonicNs());
  const auto history = SlowMessages();
  ASSERT_EQ(history.size(), 1U);
  EXPECT_EQ(history[0].samples, 0U);
  EXPECT_GE(history[0].wall_ns, static_cast<int64_t>(120 * kNsPerMs));
}

}  // namespace
}  // namespace stillframe::sampling
