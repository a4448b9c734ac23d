// SPDX-License-Identifier: Apache-2.0
// Requesters on threads of their own, with the test as their collector.
#include "src/collector/dump_requests.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/test_waker.h"

namespace stillframe::collector {
namespace {

constexpr uint32_t kLongMs = 60'000;

class DumpRequestsTest : public testing::Test {
 protected:
  DumpRequestsTest() { sleep_.Open(); }

  // The test's thread has the signal blocked, as `waker_` wants it.
  void AwaitWake() { ASSERT_TRUE(waker_.IsWoken(kLongMs * os::kNsPerMs)); }

  TestWaker waker_;
  core::Waker own_waker_;
  CollectorSleep sleep_{&own_waker_};
  DumpRequests requests_;
};

TEST_F(DumpRequestsTest, ARequestWakesTheCollectorAndGetsItsAnswer) {
  stillframe_status status = STILLFRAME_TIMED_OUT;
  std::string path;
  std::thread asker([&] { status = requests_.Ask(model::Trigger::kExit, kLongMs, sleep_, &path); });
  AwaitWake();
  const auto request = requests_.Next();
  ASSERT_TRUE(request);
  EXPECT_EQ(request->trigger, model::Trigger::kExit);
  requests_.Answer(*request, STILLFRAME_DUMP_FAILED, "/a/dump");
  asker.join();
  EXPECT_EQ(status, STILLFRAME_DUMP_FAILED);
  EXPECT_EQ(path, "/a/dump");
  EXPECT_FALSE(requests_.Next());
}

TEST_F(DumpRequestsTest, OneAnswerServesAllThatAskedBefore) {
  constexpr int kAskers = 4;
  std::atomic<int> answered{0};
  std::vector<std::thread> askers;
  for (int i = 0; i < kAskers; ++i) {
    askers.emplace_back([&] {
      std::string path;
      if (requests_.Ask(model::Trigger::kApi, kLongMs, sleep_, &path) == STILLFRAME_OK)
        answered += path == "/one" ? 1 : 0;
    });
  }
  std::optional<DumpRequests::Request> request;
  do {
    AwaitWake();
    request = requests_.Next();
    ASSERT_TRUE(request);
  } while (request->number < static_cast<uint32_t>(kAskers));
  EXPECT_EQ(request->number, static_cast<uint32_t>(kAskers));
  requests_.Answer(*request, STILLFRAME_OK, "/one");
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(answered, kAskers);
}

TEST_F(DumpRequestsTest, AnUnansweredRequestTimesOutAndIsServedAllTheSame) {
  std::string path = "untouched";
  EXPECT_EQ(requests_.Ask(model::Trigger::kApi, 10, sleep_, &path), STILLFRAME_TIMED_OUT);
  EXPECT_EQ(path, "untouched");
  EXPECT_TRUE(requests_.Next());
}

TEST_F(DumpRequestsTest, StartUpIsWaitedForUntilItEnds) {
  EXPECT_FALSE(requests_.WaitForStartUp(10));
  bool has_ended = false;
  std::thread waiter([&] { has_ended = requests_.WaitForStartUp(kLongMs); });
  requests_.EndStartUp();
  waiter.join();
  EXPECT_TRUE(has_ended);
  EXPECT_TRUE(requests_.WaitForStartUp(0));
}

TEST(FileNews, NumbersFromOneAndForgetsTheOldest) {
  FileNews news;
  std::string path;
  EXPECT_EQ(news.Newest(), 0U);
  EXPECT_EQ(news.Await(1, 1, &path), STILLFRAME_TIMED_OUT);
  EXPECT_EQ(news.Await(0, 1, &path), STILLFRAME_BAD_ARGUMENT);
  for (int i = 1; i <= 9; ++i) news.Add(std::to_string(i));
  EXPECT_EQ(news.Newest(), 9U);
  EXPECT_EQ(news.Await(1, 1, &path), STILLFRAME_BAD_ARGUMENT);
  EXPECT_EQ(news.Await(2, 1, &path), STILLFRAME_OK);
  EXPECT_EQ(path, "2");
  std::thread later([&news] { news.Add("10"); });
  EXPECT_EQ(news.Await(10, 60'000, &path), STILLFRAME_OK);
  EXPECT_EQ(path, "10");
  later.join();
}

}  // namespace
}  // namespace stillframe::collector
