// SPDX-License-Identifier: Apache-2.0
// Which threads are followed while the main thread waits, and what is kept of them.
#include "src/sampling/other_threads.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "tests/unit/sampling/standing_threads.h"

namespace stillframe::sampling {
namespace {

using model::OtherThread;
using model::ThreadRole;

constexpr uint64_t kLookNs = OtherThreads::kLookEveryNs;

class OtherThreadsTest : public StandingThreads {
 protected:
  void Start(uint64_t tree_min_ns = 0) {
    ASSERT_NO_FATAL_FAILURE(ProveList());
    trees_ = std::make_unique<TreeBuilder>(TreeLimits{tree_min_ns, 10, 65'536}, facts_, &frames_,
                                           &native_, &writer_);
    others_.Start({.look = {.runtime = &facts_,
                            .threads = &list_,
                            .sampler = &TheSampler(),
                            .main_tid = main_->tid()},
                   .waits = &waits_,
                   .trees = trees_.get(),
                   .native = &native_,
                   .writer = &writer_,
                   .tokens = &loopers_,
                   .max_depth = 16});
  }
  // A message of the main thread began so long ago.
  void Begin(Token token, uint64_t age_ns) {
    running_ = {token, core::MonotonicNs() - age_ns, CpuNs(*main_)};
    trees_->Start(token, running_.start_ns, running_.start_cpu_ns);
    core::RawSample sample = {};
    sample.token = token;
    sample.wall_ns = core::MonotonicNs();
    trees_->Add(sample, [](uint32_t) { return core::RawFrame(); });
  }
  uint64_t Tick(uint64_t scale = 1) {
    return others_.Tick(running_, end_ns_, core::MonotonicNs(), scale);
  }
  // Looks, and waits for the next one.
  void Look(int times) {
    for (int i = 0; i < times; ++i) usleep(static_cast<useconds_t>(Tick() / 1000));
    Tick();
  }
  void EndMessage() {
    end_ns_ = core::MonotonicNs();
    trees_->Finish(end_ns_);
    running_ = {};
    EXPECT_EQ(Tick(), UINT64_MAX);
  }
  const OtherThread* Find(const Task& task) {
    rows_ = others_.Describe();
    const auto row = std::ranges::find(rows_, static_cast<uint32_t>(task.tid()), &OtherThread::tid);
    return row == rows_.end() ? nullptr : &*row;
  }
  size_t TreeCount() {
    std::vector<std::unique_ptr<dump::EncodedTree>> running;
    return others_.Trees(&running).size();
  }

  dump::Writer writer_;
  native::FileSymbols files_;
  native::NativeFrames native_{facts_, &frames_, &files_};
  tap::WatchedLoopers loopers_;
  std::unique_ptr<TreeBuilder> trees_;
  OtherThreads others_;
  core::RunningMessage running_ = {};
  uint64_t end_ns_ = 0;
  std::vector<OtherThread> rows_;
};

TEST_F(OtherThreadsTest, TheOwnerAndItsOwnerAreFollowedFromAQuarterOfASecondOn) {
  const Task disk;
  const Task order;
  const uintptr_t main = AddStanding(*main_, kBlocked);
  const uintptr_t last = AddStanding(disk);
  const uintptr_t holder = AddStanding(order, kBlocked);
  const uint32_t store = NewObject(object_class_);
  PutMonitor(store, 3, holder);
  Put(main + kEnteredAt, store);
  const uint32_t file = NewObject(object_class_);
  PutMonitor(file, 4, last);
  Put(holder + kEnteredAt, file);
  ASSERT_NO_FATAL_FAILURE(Start());
  Begin(Token{7}, OtherThreads::kWaitedNs / 2);
  EXPECT_GT(Tick(), kNsPerMs);
  EXPECT_TRUE(others_.Describe().empty()) << "too early";
  Begin(Token{8}, OtherThreads::kWaitedNs);
  Look(3);
  const OtherThread* row = Find(order);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->role, ThreadRole::kEndsTheWait);
  EXPECT_EQ(row->during, Token{8});
  EXPECT_EQ(row->looks, 4U);
  EXPECT_EQ(row->missed, 0U);
  EXPECT_NEAR(row->followed_us, 300'000, 90'000);
  EXPECT_EQ(row->cpu_us, 0U);
  EXPECT_NE(row->tree, Token::kNone);
  row = Find(disk);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->role, ThreadRole::kEndsItsWait);
  EXPECT_EQ(rows_.size(), 2U);
  EXPECT_EQ(TreeCount(), 2U);
  EndMessage();
  EXPECT_EQ(others_.Describe().size(), 2U);
  EXPECT_EQ(TreeCount(), 2U);
}

TEST_F(OtherThreadsTest, NothingStaysOfAMessageWhoseTreeIsNotKept) {
  const Task order;
  const uintptr_t main = AddStanding(*main_, kBlocked);
  const uint32_t store = NewObject(object_class_);
  PutMonitor(store, 3, AddStanding(order));
  Put(main + kEnteredAt, store);
  ASSERT_NO_FATAL_FAILURE(Start(/*tree_min_ns=*/3'600'000'000'000));
  Begin(Token{8}, OtherThreads::kWaitedNs);
  Look(1);
  EXPECT_EQ(others_.Describe().size(), 1U);
  EndMessage();
  EXPECT_TRUE(others_.Describe().empty());
  EXPECT_EQ(others_.memory_bytes(), 0U);
}

TEST_F(OtherThreadsTest, ARunningThreadAnswersItselfAndOneThatBlocksTheSignalIsCounted) {
  std::atomic<bool> is_done{false};
  const auto spin = [&is_done] {
    while (!is_done) {
    }
  };
  const Task open(spin);
  const Task closed([&spin] {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPROF);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    spin();
  });
  AddStanding(*main_, kBlocked);
  SetState(AddThread(open), layout_.state_runnable);
  SetState(AddThread(closed), layout_.state_runnable);
  g_state = layout_.state_runnable;
  g_method = 0;
  ASSERT_NO_FATAL_FAILURE(Start());
  Begin(Token{8}, OtherThreads::kWaitedNs);
  const uint64_t before_ns = CpuNs(open);
  Look(4);
  const uint64_t ran_ns = CpuNs(open) - before_ns;
  is_done = true;
  const OtherThread* row = Find(open);
  if (row == nullptr || (row->looks == 0 && ran_ns < 100 * kNsPerMs))
    GTEST_SKIP() << "the thread had a CPU for " << ran_ns << " ns only";
  EXPECT_EQ(row->role, ThreadRole::kUsedCpu);
  EXPECT_GT(row->looks, 0U);
  EXPECT_GT(row->cpu_us, 0U);
  row = Find(closed);
  if (row == nullptr) GTEST_SKIP() << "the thread that blocks the signal had no CPU";
  EXPECT_EQ(row->looks, 0U);
  EXPECT_GT(row->missed, 0U);
  EXPECT_EQ(row->absent, "it blocks SIGPROF");
  EXPECT_EQ(row->tree, Token::kNone);
}

// Calls that the kernel does not restart after a handler, whatever its flags.
struct Interrupted {
  void Burn() const { BurnNs(7 * kNsPerMs); }
  void CountIf(bool failed) { count += failed && errno == EINTR ? 1 : 0; }
  void CallAll() {
    const timespec time{0, 3'000'000};
    int word = 0;
    pollfd nothing = {pipe[0], POLLIN, 0};
    epoll_event event = {};
    Burn();
    CountIf(clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr) == EINTR && (errno = EINTR) != 0);
    Burn();
    CountIf(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &time, nullptr, 0) != 0);
    Burn();
    CountIf(poll(&nothing, 1, 3) < 0);
    Burn();
    CountIf(epoll_wait(epoll, &event, 1, 3) < 0);
    Burn();
    char byte = 0;
    CountIf(read(timer_pipe[0], &byte, 1) < 0);
    ++calls;
  }

  int pipe[2];
  int timer_pipe[2];
  int epoll = epoll_create1(0);
  std::atomic<int> count{0};
  std::atomic<int> calls{0};
};

TEST_F(OtherThreadsTest, NoSystemCallIsInterrupted) {
  Interrupted calls;
  ASSERT_EQ(pipe(calls.pipe), 0);
  ASSERT_EQ(pipe(calls.timer_pipe), 0);
  std::atomic<bool> is_done{false};
  const Task writer([&] {
    while (!is_done) {
      usleep(2'000);
      ASSERT_EQ(write(calls.timer_pipe[1], "x", 1), 1);
    }
  });
  const Task worker([&] {
    while (!is_done) calls.CallAll();
  });
  AddStanding(*main_, kBlocked);
  SetState(AddThread(worker), layout_.state_runnable);
  g_method = 0;
  ASSERT_NO_FATAL_FAILURE(Start());
  Begin(Token{8}, OtherThreads::kWaitedNs);
  Look(20);
  is_done = true;
  const OtherThread* row = Find(worker);
  if (row == nullptr || row->looks < 3 || calls.calls < 5) GTEST_SKIP() << "it had no CPU";
  EXPECT_EQ(calls.count, 0);
}

TEST_F(OtherThreadsTest, LooksBecomeRarerWithTheSamples) {
  AddStanding(*main_, kBlocked);
  ASSERT_NO_FATAL_FAILURE(Start());
  Begin(Token{8}, OtherThreads::kWaitedNs);
  EXPECT_LE(Tick(/*scale=*/8), 8 * kLookNs);
  EXPECT_GT(Tick(/*scale=*/8), 7 * kLookNs);
}

}  // namespace
}  // namespace stillframe::sampling
