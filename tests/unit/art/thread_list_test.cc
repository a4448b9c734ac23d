// SPDX-License-Identifier: Apache-2.0
// The runtime's list of threads, over memory laid out as thread_list.cc says; the threads are tasks
// of this process.
#include "src/art/thread_list.h"

#include <gtest/gtest.h>

#include "tests/unit/art/thread_image.h"

namespace stillframe::art {
namespace {

class ThreadListTest : public testing::Test, protected ThreadImage {
 protected:
  ThreadListTest() {
    for (const Task& task : tasks_) AddThread(task.tid());
  }

  Task tasks_[2];
};

TEST_F(ThreadListTest, AllThreadsAreReadWithTheirIds) {
  ASSERT_TRUE(Prove());
  std::vector<RuntimeThread> threads;
  EXPECT_EQ(list_.Read(16, &threads), 3U);
  ASSERT_EQ(threads.size(), 3U);
  EXPECT_EQ(threads[0].address, self_);
  EXPECT_EQ(threads[0].tid, gettid());
  EXPECT_EQ(threads[2].tid, tasks_[1].tid());
  EXPECT_EQ(list_.Read(2, &threads), 3U) << "how many there are, also where less is wanted";
  EXPECT_EQ(threads.size(), 2U);
}

TEST_F(ThreadListTest, TheOwnStackTellsByWhatTheBoundsAreTooLarge) {
  ASSERT_TRUE(Prove());
  uintptr_t low = 0;
  uintptr_t high = 0;
  ASSERT_TRUE(list_.LoadStack({self_, gettid()}, &low, &high));
  EXPECT_EQ(low, low_ + 4096);
  EXPECT_EQ(high, high_);
}

TEST_F(ThreadListTest, BoundsThatAreNotTheStacksProveNothing) {
  Put(self_ + kEnvAt + 5 * sizeof(uintptr_t), low_ - 4096);
  EXPECT_FALSE(Prove());
  EXPECT_FALSE(list_.is_proved());
}

TEST_F(ThreadListTest, AListWithoutTheCallerProvesNothing) {
  threads_.erase(threads_.begin());
  EXPECT_FALSE(Prove());
}

TEST_F(ThreadListTest, AThreadThatIsNoTaskProvesNothing) {
  AddThread(1);  // init is none of this process
  EXPECT_FALSE(Prove());
}

TEST_F(ThreadListTest, OneThatHasEndedIsNoLongerItself) {
  ASSERT_TRUE(Prove());
  const RuntimeThread other = {threads_[1], tasks_[0].tid()};
  EXPECT_TRUE(list_.IsStill(other));
  *reinterpret_cast<int32_t*>(other.address + kTidAt) = tasks_[1].tid();
  EXPECT_FALSE(list_.IsStill(other)) << "its memory is another's";
  Put(other.address + kEnvAt, 0);
  EXPECT_FALSE(list_.IsStill(other));
  std::vector<RuntimeThread> threads;
  EXPECT_EQ(list_.Read(16, &threads), 3U);
  EXPECT_EQ(threads.size(), 2U) << "one that has just died is in the list still";
}

TEST_F(ThreadListTest, ACircleThatDoesNotCloseIsNotRead) {
  ASSERT_TRUE(Prove());
  std::vector<RuntimeThread> threads;
  thread_list_[kHeadAt + 2] = 2;  // a thread was added meanwhile
  EXPECT_EQ(list_.Read(16, &threads), 0U);
  thread_list_[kHeadAt + 2] = 3;
  EXPECT_EQ(list_.Read(16, &threads), 3U);
}

}  // namespace
}  // namespace stillframe::art
