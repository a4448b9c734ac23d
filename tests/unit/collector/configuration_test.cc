// SPDX-License-Identifier: Apache-2.0
// Settings before and after the start, and who sees them when; dumps that somebody waits for.
#include "src/collector/configuration.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "src/collector/dump_news.h"

namespace stillframe::collector {
namespace {

TEST(Configuration, CallsBeforeTheStartCountAtTheStart) {
  Configuration configuration;
  EXPECT_EQ(configuration.Set("slow_ms", "20"), STILLFRAME_OK);
  EXPECT_EQ(configuration.Set("slow_ms", "21"), STILLFRAME_OK);
  EXPECT_EQ(configuration.Set("slow_ms", "0"), STILLFRAME_BAD_ARGUMENT);
  EXPECT_EQ(configuration.Set("slow", "1"), STILLFRAME_BAD_ARGUMENT);
  EXPECT_EQ(configuration.own().slow_ms, 50U);
  EXPECT_FALSE(configuration.Take());
  configuration.Start();
  EXPECT_EQ(configuration.own().slow_ms, 21U);
  EXPECT_FALSE(configuration.Take());
}

TEST(Configuration, LaterOnlyWhatMayChangeDoesAndTheCollectorTakesItItself) {
  Configuration configuration;
  configuration.Start();
  EXPECT_EQ(configuration.Set("slow_ms", "20"), STILLFRAME_TOO_LATE);
  EXPECT_EQ(configuration.Set("slow", "20"), STILLFRAME_BAD_ARGUMENT);
  EXPECT_EQ(configuration.Set("interval_us", "2"), STILLFRAME_BAD_ARGUMENT);
  EXPECT_FALSE(configuration.Take());
  EXPECT_EQ(configuration.Set("interval_us", "2000"), STILLFRAME_OK);
  EXPECT_EQ(configuration.own().interval_us, 10'000U);
  EXPECT_EQ(configuration.Read().interval_us, 2'000U);
  EXPECT_TRUE(configuration.Take());
  EXPECT_EQ(configuration.own().interval_us, 2'000U);
  EXPECT_FALSE(configuration.Take());
}

TEST(DumpNews, NumbersFromOneAndForgetsTheOldest) {
  DumpNews news;
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
