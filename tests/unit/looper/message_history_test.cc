// The history keeps the newest messages within its bound.
#include "src/looper/message_history.h"

#include <gtest/gtest.h>

#include <cstring>

namespace stillframe::looper {
namespace {

EndedMessage Ended(uint64_t token) {
  EndedMessage message = {};
  message.token = token;
  message.start_ns = token * 1'000;
  message.end_ns = token * 1'000 + 60;
  message.start_cpu_ns = 100;
  message.end_cpu_ns = 130;
  message.wait_ns = 5;
  message.what = static_cast<int32_t>(token);
  strcpy(message.target, "com.example.H");
  strcpy(message.callback, token % 2 == 0 ? "com.example.Even" : "");
  return message;
}

TEST(MessageHistory, KeepsAMessageWhole) {
  trace::FrameTable names;
  MessageHistory history(4, &names);
  history.Add(Ended(6), 9);
  const auto messages = history.Messages([](uint64_t) { return false; });
  ASSERT_EQ(messages.size(), 1U);
  const dump::Message& message = messages.front();
  EXPECT_EQ(message.token, 6U);
  EXPECT_EQ(message.start_ns, 6'000U);
  EXPECT_EQ(message.wall_ns, 60);
  EXPECT_EQ(message.cpu_ns, 30);
  EXPECT_EQ(message.wait_ns, 5);
  EXPECT_EQ(message.samples, 9U);
  EXPECT_EQ(message.what, 6);
  EXPECT_EQ(message.target, "com.example.H");
  EXPECT_EQ(message.callback, "com.example.Even");
  EXPECT_EQ(message.flags & dump::kMessageHasTree, 0U);
}

TEST(MessageHistory, TheNewestStayOldestFirst) {
  trace::FrameTable names;
  MessageHistory history(5, &names);
  for (uint64_t token = 1; token <= 12; ++token) history.Add(Ended(token), 0);
  const auto messages = history.Messages([](uint64_t token) { return token == 10; });
  ASSERT_EQ(messages.size(), 5U);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(messages[i].token, 8 + i);
    EXPECT_EQ((messages[i].flags & dump::kMessageHasTree) != 0, messages[i].token == 10);
  }
  EXPECT_EQ(history.lost(), 7U);
}

TEST(MessageHistory, MemoryIsBounded) {
  trace::FrameTable names;
  MessageHistory history(64, &names);
  for (uint64_t token = 1; token <= 64; ++token) history.Add(Ended(token), 0);
  const size_t full = history.memory_bytes();
  for (uint64_t token = 65; token <= 10'000; ++token) history.Add(Ended(token), 0);
  EXPECT_EQ(history.memory_bytes(), full);
}

TEST(MessageHistory, ClocksThatGoBackGiveNoNegativeCpuTime) {
  trace::FrameTable names;
  MessageHistory history(1, &names);
  EndedMessage message = Ended(1);
  message.end_cpu_ns = message.start_cpu_ns - 1;
  history.Add(message, 0);
  EXPECT_EQ(history.Messages([](uint64_t) { return false; }).front().cpu_ns, 0);
}

}  // namespace
}  // namespace stillframe::looper
