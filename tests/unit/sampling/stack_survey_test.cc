// SPDX-License-Identifier: Apache-2.0
// Which threads get a stack, how, and in which order: structures as ART lays them out, for real
// tasks with real timers and signals.
#include "src/sampling/stack_survey.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <time.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "tests/unit/sampling/standing_threads.h"

namespace stillframe::sampling {
namespace {

using model::StackSource;
using model::ThreadStack;
using model::ThreadStacks;
using model::WaitKind;

class StackSurveyTest : public StandingThreads {
 protected:
  void Start() {
    ASSERT_NO_FATAL_FAILURE(ProveList());
    survey_.Start({&facts_, &list_, &waits_, &TheSampler(), &frames_, main_->tid(),
                   /*max_depth=*/16,
                   /*native=*/false});
  }
  static const ThreadStack* Find(const ThreadStacks& found, const Task& task) {
    for (const ThreadStack& stack : found.stacks)
      if (stack.tid == static_cast<uint32_t>(task.tid())) return &stack;
    return nullptr;
  }
  static std::vector<uint32_t> Tids(const ThreadStacks& found) {
    std::vector<uint32_t> tids;
    for (const ThreadStack& stack : found.stacks) tids.push_back(stack.tid);
    return tids;
  }

  StackSurvey survey_;
};

TEST_F(StackSurveyTest, WhoStandsStillIsReadFromOutside) {
  const Task other;
  AddStanding(*main_, kWaiting);
  AddStanding(other);
  ASSERT_NO_FATAL_FAILURE(Start());
  const ThreadStacks found = survey_.Take();
  EXPECT_EQ(found.absent, "");
  EXPECT_EQ(found.threads, 2U);
  ASSERT_EQ(found.stacks.size(), 2U);
  const ThreadStack* stack = Find(found, other);
  ASSERT_NE(stack, nullptr);
  EXPECT_EQ(stack->source, StackSource::kStoodStill);
  EXPECT_EQ(stack->state, model::ThreadState::kSleeping);
  EXPECT_EQ(stack->cpu_ns, CpuNs(other));
  EXPECT_EQ(stack->absent, "");
  ASSERT_EQ(stack->frames.size(), 1U);
  EXPECT_EQ(frames_.MethodName(stack->frames[0]), "draw");
  EXPECT_EQ(frames_.At(stack->frames[0]).line, 11);
}

TEST_F(StackSurveyTest, TheMainThreadComesFirstThenWhoItWaitsForToTheEnd) {
  const Task first;
  const Task second;
  const uintptr_t main = AddStanding(*main_, kBlocked);
  AddStanding(first);
  const uintptr_t holder = AddStanding(second, kBlocked);
  const uint32_t store = NewObject(object_class_);
  PutMonitor(store, 3, holder);
  Put(main + kEnteredAt, store);
  const uint32_t disk = NewObject(object_class_);
  PutMonitor(disk, 4, threads_[2]);  // the first other one, which comes before in the list
  Put(holder + kEnteredAt, disk);
  ASSERT_NO_FATAL_FAILURE(Start());
  const ThreadStacks found = survey_.Take();
  EXPECT_EQ(Tids(found),
            (std::vector{static_cast<uint32_t>(main_->tid()), static_cast<uint32_t>(second.tid()),
                         static_cast<uint32_t>(first.tid())}));
  ASSERT_FALSE(found.stacks.empty());
  EXPECT_EQ(found.stacks[0].wait, WaitKind::kMonitor);
  EXPECT_EQ(found.stacks[0].wait_class, "com.example.Row");
  EXPECT_EQ(found.stacks[0].wait_object, store);
  EXPECT_EQ(found.stacks[0].wait_tid, static_cast<uint32_t>(second.tid()));
}

TEST_F(StackSurveyTest, WhoRunsAnswersItself) {
  std::atomic<bool> is_done{false};
  const Task runner([&is_done] {
    while (!is_done) {
    }
  });
  AddStanding(*main_);
  SetState(AddThread(runner), layout_.state_runnable);
  g_state = layout_.state_runnable;
  g_method = 0;
  ASSERT_NO_FATAL_FAILURE(Start());
  const uint64_t before_ns = CpuNs(runner);
  const ThreadStacks found = survey_.Take();
  const uint64_t ran_ns = CpuNs(runner) - before_ns;
  is_done = true;
  const ThreadStack* stack = Find(found, runner);
  ASSERT_NE(stack, nullptr);
  if (stack->source == StackSource::kNone && ran_ns < 30 * kNsPerMs)
    GTEST_SKIP() << "the thread had a CPU for " << ran_ns << " ns only";
  EXPECT_EQ(stack->source, StackSource::kRunning) << stack->absent;
  EXPECT_EQ(stack->state, model::ThreadState::kRunnable);
  EXPECT_EQ(stack->frames.size(), 1U) << "what the handler's walk found";
}

TEST_F(StackSurveyTest, WhoRunsAndBlocksTheSignalHasNoStackAndSaysWhy) {
  std::atomic<bool> is_done{false};
  const Task runner([&is_done] {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPROF);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    while (!is_done) {
    }
  });
  while (!os::ThreadBlocks(runner.tid(), SIGPROF)) std::this_thread::yield();
  AddStanding(*main_);
  SetState(AddThread(runner), layout_.state_runnable);
  ASSERT_NO_FATAL_FAILURE(Start());
  const ThreadStacks found = survey_.Take();
  is_done = true;
  const ThreadStack* stack = Find(found, runner);
  ASSERT_NE(stack, nullptr);
  EXPECT_EQ(stack->source, StackSource::kNone);
  EXPECT_EQ(stack->absent, "it was about to run, and no signal of its CPU clock came");
  EXPECT_TRUE(stack->frames.empty());
  EXPECT_EQ(found.stacks.size(), 2U) << "the other one is there all the same";
}

TEST_F(StackSurveyTest, NoSleepIsCutShort) {
  std::atomic<int> result{-1};
  const Task sleeper([&result] {
    const timespec time{0, 400'000'000};
    result = nanosleep(&time, nullptr);
  });
  AddStanding(*main_);
  AddStanding(sleeper);
  ASSERT_NO_FATAL_FAILURE(Start());
  for (int i = 0; i < 20; ++i) survey_.Take();
  while (result == -1 && os::SchedulerState(sleeper.tid()) == 'S') std::this_thread::yield();
  for (int i = 0; i < 1000 && result == -1; ++i) usleep(1000);
  EXPECT_EQ(result, 0);
}

TEST_F(StackSurveyTest, OneThatHasEndedIsNotListed) {
  std::optional<Task> ended(std::in_place);
  AddStanding(*main_);
  AddStanding(*ended);
  ASSERT_NO_FATAL_FAILURE(Start());
  const uint32_t tid = static_cast<uint32_t>(ended->tid());
  EXPECT_EQ(survey_.Take().stacks.size(), 2U);
  ended.reset();
  const ThreadStacks found = survey_.Take();
  EXPECT_EQ(found.threads, 2U);
  EXPECT_EQ(Tids(found), (std::vector{static_cast<uint32_t>(main_->tid())}));
  EXPECT_NE(found.stacks[0].tid, tid);
}

TEST_F(StackSurveyTest, WithoutTheListThereIsNoStackAndItSaysSo) {
  AddStanding(*main_);
  ASSERT_NO_FATAL_FAILURE(Start());
  thread_list_[kHeadAt + 2] = 7;  // it does not close
  const ThreadStacks found = survey_.Take();
  EXPECT_EQ(found.absent, "the runtime's list of threads was not to be read");
  EXPECT_TRUE(found.stacks.empty());
}

}  // namespace
}  // namespace stillframe::sampling
