// SPDX-License-Identifier: Apache-2.0
// The runtime's list of threads, over memory laid out as thread_list.cc says; the threads are tasks
// of this process.
#include "src/art/thread_list.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "src/walk/layout.h"

namespace stillframe::art {
namespace {

constexpr size_t kWords = 512;
constexpr size_t kTidAt = 16;         // of art::Thread
constexpr size_t kEnvAt = 1024;       // likewise
constexpr size_t kThreadListAt = 77;  // in words, of the runtime
constexpr size_t kHeadAt = 33;        // in words, of the thread list

uintptr_t AddressOf(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// A task that waits until it is let go.
class Task {
 public:
  Task() : thread_([this] { Wait(); }) {
    while (tid_ == 0) std::this_thread::yield();
  }
  ~Task() {
    go_ = true;
    go_.notify_one();
    thread_.join();
  }
  int32_t tid() const { return tid_; }

 private:
  void Wait() {
    tid_ = gettid();
    go_.wait(false);
  }
  std::atomic<bool> go_{false};
  std::atomic<int32_t> tid_{0};
  std::thread thread_;
};

class ThreadListTest : public testing::Test {
 protected:
  using Block = std::unique_ptr<uintptr_t[]>;

  ThreadListTest() {
    facts_.layout = &layout_;
    facts_.managed_stack = kEnvAt - layout_.managed_stack_before_env;
    pthread_attr_t attributes;
    void* low = nullptr;
    size_t bytes = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
    low_ = AddressOf(low);
    high_ = low_ + bytes;
    self_ = AddThread(gettid());
    // stack_begin is moved up by a page that stack_size still counts.
    Put(self_ + kEnvAt + 5 * sizeof(uintptr_t), low_ + 4096);
    Put(self_ + kEnvAt + 6 * sizeof(uintptr_t), bytes);
    for (const Task& task : tasks_) AddThread(task.tid());
    Put(AddressOf(vm_.get()) + layout_.vm_runtime, AddressOf(runtime_.get()));
    runtime_[kThreadListAt] = AddressOf(thread_list_.get());
    runtime_[kThreadListAt - 1] = AddressOf(vm_.get());  // no list is in there
    Link();
  }

  static void Put(uintptr_t address, uintptr_t word) {
    *reinterpret_cast<uintptr_t*>(address) = word;
  }
  static Block NewBlock() { return std::make_unique<uintptr_t[]>(kWords); }

  uintptr_t AddThread(int32_t tid) {
    blocks_.push_back(NewBlock());
    const uintptr_t thread = AddressOf(blocks_.back().get());
    blocks_.push_back(NewBlock());
    const uintptr_t env = AddressOf(blocks_.back().get());
    *reinterpret_cast<int32_t*>(thread + kTidAt) = tid;
    Put(thread + kEnvAt, env);
    Put(env + layout_.env_self, thread);
    threads_.push_back(thread);
    return thread;
  }

  // All threads into the circle, as libstdc++ links it.
  void Link() {
    const uintptr_t head = AddressOf(&thread_list_[kHeadAt]);
    std::vector<uintptr_t> nodes = {head};
    for (const uintptr_t thread : threads_) {
      blocks_.push_back(NewBlock());
      blocks_.back()[2] = thread;
      nodes.push_back(AddressOf(blocks_.back().get()));
    }
    for (size_t i = 0; i < nodes.size(); ++i) {
      const uintptr_t next = nodes[(i + 1) % nodes.size()];
      Put(nodes[i], next);
      Put(next + sizeof(uintptr_t), nodes[i]);
    }
    thread_list_[kHeadAt + 2] = threads_.size();
  }

  bool Prove() {
    uintptr_t env = 0;
    env = *reinterpret_cast<uintptr_t*>(self_ + kEnvAt);
    return list_.Prove(facts_, reinterpret_cast<JavaVM*>(vm_.get()), reinterpret_cast<JNIEnv*>(env))
        .ok();
  }

  const walk::Layout& layout_ = walk::KnownLayouts().rows[0];
  walk::RuntimeFacts facts_;
  Task tasks_[2];
  std::vector<Block> blocks_;
  std::vector<uintptr_t> threads_;
  Block vm_ = NewBlock();
  Block runtime_ = NewBlock();
  Block thread_list_ = NewBlock();
  uintptr_t low_ = 0;
  uintptr_t high_ = 0;
  uintptr_t self_ = 0;
  ThreadList list_;
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
  Link();
  EXPECT_FALSE(Prove());
}

TEST_F(ThreadListTest, AThreadThatIsNoTaskProvesNothing) {
  AddThread(1);  // init is none of this process
  Link();
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
