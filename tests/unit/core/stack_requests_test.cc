// SPDX-License-Identifier: Apache-2.0
// Requests for stacks, answered as the handler does, in time and too late.
#include "src/core/stack_requests.h"

#include <gtest/gtest.h>
#include <ucontext.h>

#include <atomic>
#include <thread>

namespace stillframe::core {
namespace {

constexpr uint8_t kAnswerState = 67;
constexpr uint32_t kAnswerDepth = 16;

uint8_t AnswerWalk(const void* walker, uintptr_t thread, const arch::Registers* registers,
                   FrameSink* sink) {
  sink->Push(reinterpret_cast<uintptr_t>(walker), 1, RawFrameKind::kInterpreted);
  sink->Push(thread, registers == nullptr ? 0 : 2, RawFrameKind::kJni);
  return kAnswerState;
}

class StackRequestsTest : public testing::Test {
 protected:
  StackRequestsTest() {
    requests_.Start(AnswerWalk, kAnswerDepth);
    getcontext(&context_);
    const uintptr_t sp = arch::RegistersOf(context_).sp;
    thread_ = {this, 0x1234, sp - 4096, sp + 4096};
  }

  StackRequests requests_;
  ucontext_t context_ = {};
  StackRequests::Thread thread_;
  StackRequests::Stack stack_ = {};
};

TEST_F(StackRequestsTest, AnAnswerIsReadWholeAndTheSlotIsUsedAgain) {
  for (int i = 0; i < 200; ++i) {
    void* cookie = requests_.Ask(3, thread_);
    ASSERT_NE(cookie, nullptr);
    EXPECT_TRUE(requests_.Owns(cookie));
    EXPECT_EQ(requests_.Ask(3, thread_), nullptr) << "in use";
    EXPECT_FALSE(requests_.Read(3, &stack_));
    requests_.Answer(cookie, context_);
    ASSERT_TRUE(requests_.Read(3, &stack_));
    EXPECT_EQ(stack_.thread_state, kAnswerState);
    ASSERT_EQ(stack_.depth, 2U);
    EXPECT_EQ(stack_.frames[0].method, reinterpret_cast<uintptr_t>(this));
    EXPECT_EQ(stack_.frames[1].method, 0x1234U);
    EXPECT_EQ(stack_.frames[1].dex_pc, 2U);
    EXPECT_TRUE(requests_.Withdraw(3));
    EXPECT_FALSE(requests_.Read(3, &stack_));
  }
}

TEST_F(StackRequestsTest, ASignalThatComesLateIsNotForTheNextRequest) {
  void* late = requests_.Ask(0, thread_);
  EXPECT_TRUE(requests_.Withdraw(0));
  requests_.Answer(late, context_);
  EXPECT_TRUE(requests_.Withdraw(0));
  void* next = requests_.Ask(0, thread_);
  ASSERT_NE(next, nullptr);
  EXPECT_NE(next, late);
  EXPECT_TRUE(requests_.Owns(late));
  requests_.Answer(late, context_);
  EXPECT_FALSE(requests_.Read(0, &stack_));
  requests_.Answer(next, context_);
  EXPECT_TRUE(requests_.Read(0, &stack_));
  EXPECT_TRUE(requests_.Withdraw(0));
}

TEST_F(StackRequestsTest, AnotherThreadDoesNotAnswer) {
  thread_.stack_low += 8192;
  thread_.stack_high += 8192;
  void* cookie = requests_.Ask(1, thread_);
  requests_.Answer(cookie, context_);
  EXPECT_FALSE(requests_.Read(1, &stack_));
  EXPECT_TRUE(requests_.Withdraw(1));
}

TEST_F(StackRequestsTest, OtherCookiesAreNotOurs) {
  int other = 0;
  EXPECT_FALSE(requests_.Owns(&other));
  EXPECT_FALSE(requests_.Owns(nullptr));
  EXPECT_FALSE(requests_.Owns(&requests_));
}

// While the requester withdraws and repeats its request, a slow thread answers every cookie that it
// has seen.
TEST_F(StackRequestsTest, AnswersThatRaceWithTheAskerAreWholeOrNotThere) {
  std::atomic<void*> cookie{nullptr};
  std::atomic<bool> is_over{false};
  std::thread answerer([&] {
    ucontext_t context = {};
    getcontext(&context);
    while (!is_over)
      if (void* seen = cookie.load()) requests_.Answer(seen, context);
  });
  thread_.stack_low = 1;
  thread_.stack_high = UINTPTR_MAX;
  uint32_t answers = 0;
  for (uint32_t i = 0; i < 20'000 || answers == 0; ++i) {
    thread_.runtime_thread = i + 1;  // 0 is of a thread without managed code
    cookie = requests_.Ask(5, thread_);
    ASSERT_NE(cookie.load(), nullptr);
    if (i % 3 == 0) std::this_thread::yield();
    if (requests_.Read(5, &stack_)) {
      ++answers;
      ASSERT_EQ(stack_.depth, 2U);
      ASSERT_EQ(stack_.frames[1].method, i + 1);
    }
    while (!requests_.Withdraw(5)) std::this_thread::yield();
  }
  is_over = true;
  answerer.join();
}

}  // namespace
}  // namespace stillframe::core
