// SPDX-License-Identifier: Apache-2.0
// Readers of an action beside the thread that changes it, also under the thread sanitizer.
#include "src/core/published_action.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <thread>
#include <vector>

namespace stillframe::core {
namespace {

void First(int) {}
void Second(int) {}
void Third(int) {}

// Each field says which action it is.
struct sigaction Action(int number) {
  constexpr void (*kHandlers[])(int) = {First, Second, Third};
  struct sigaction action = {};
  action.sa_handler = kHandlers[number];
  action.sa_flags = number;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGHUP + number);
  return action;
}

bool IsWhole(const struct sigaction& action) {
  const struct sigaction expected = Action(action.sa_flags);
  return action.sa_handler == expected.sa_handler &&
         sigismember(&action.sa_mask, SIGHUP + action.sa_flags) == 1;
}

TEST(PublishedActionTest, IsTheDefaultAtFirst) {
  const PublishedAction published;
  EXPECT_EQ(published.Get().sa_handler, SIG_DFL);
}

TEST(PublishedActionTest, AReaderNeverSeesHalfOfAnotherAction) {
  PublishedAction published;
  ASSERT_TRUE(published.Set(Action(0)));
  std::atomic<bool> is_over{false};
  std::atomic<int> torn{0};
  std::atomic<int> readers{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      ++readers;
      while (!is_over.load(std::memory_order_relaxed)) torn += IsWhole(published.Get()) ? 0 : 1;
    });
  while (readers != 2) std::this_thread::yield();
  for (int i = 0; i < 100'000; ++i) ASSERT_TRUE(published.Set(Action(i % 3)));
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(torn, 0);
}

// A handler may be interrupted while it holds the record.
TEST(PublishedActionTest, ARecordThatWasReadStaysAsItWas) {
  PublishedAction published;
  ASSERT_TRUE(published.Set(Action(0)));
  const struct sigaction& held = published.Get();
  for (int i = 1; i < 100; ++i) ASSERT_TRUE(published.Set(Action(i % 3)));
  EXPECT_EQ(held.sa_flags, 0);
  EXPECT_TRUE(IsWhole(held));
}

TEST(PublishedActionTest, KeepsTheLastWhenThereAreTooMany) {
  PublishedAction published;
  struct sigaction action = Action(0);
  for (size_t i = 0; i < PublishedAction::kMostRecords; ++i) {
    action.sa_flags = static_cast<int>(i);
    EXPECT_TRUE(published.Set(action));
  }
  action.sa_flags = 1000;
  EXPECT_FALSE(published.Set(action));
  EXPECT_EQ(published.Get().sa_flags, static_cast<int>(PublishedAction::kMostRecords) - 1);
  action.sa_flags = 3;
  EXPECT_TRUE(published.Set(action));
  EXPECT_EQ(published.Get().sa_flags, 3);
}

}  // namespace
}  // namespace stillframe::core
