// SPDX-License-Identifier: Apache-2.0
// Settings before and after the start, and who sees them when.
#include "src/settings/configuration.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace stillframe::settings {
namespace {

TEST(Configuration, CallsBeforeTheStartCountAtTheStart) {
  Configuration configuration;
  EXPECT_EQ(configuration.Set("slow_ms", "20"), STILLFRAME_OK);
  EXPECT_EQ(configuration.Set("slow_ms", "21"), STILLFRAME_OK);
  EXPECT_EQ(configuration.Set("slow_ms", "0"), STILLFRAME_BAD_ARGUMENT);
  EXPECT_EQ(configuration.Set("slow", "1"), STILLFRAME_BAD_ARGUMENT);
  EXPECT_EQ(configuration.own().slow_ms.count(), 50U);
  EXPECT_FALSE(configuration.Take());
  configuration.Start();
  EXPECT_EQ(configuration.own().slow_ms.count(), 21U);
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
  EXPECT_EQ(configuration.own().interval_us.count(), 10'000U);
  EXPECT_EQ(configuration.Read().interval_us.count(), 2'000U);
  EXPECT_TRUE(configuration.Take());
  EXPECT_EQ(configuration.own().interval_us.count(), 2'000U);
  EXPECT_FALSE(configuration.Take());
}

// Documents and calls take effect in the order in which they come.
TEST(Configuration, OfDocumentsAndCallsTheNewestCounts) {
  Configuration configuration;
  EXPECT_EQ(configuration.SetDocument(R"({"slow_ms":20,"trees":2})"), STILLFRAME_OK);
  configuration.Start();
  EXPECT_EQ(configuration.own().slow_ms.count(), 20U);
  EXPECT_EQ(configuration.Set("trees", "3"), STILLFRAME_OK);
  EXPECT_EQ(configuration.Read().trees, 3U);
  EXPECT_EQ(configuration.SetDocument(R"({"trees":4,"slow_ms":30})"), STILLFRAME_OK);
  EXPECT_EQ(configuration.Read().trees, 4U);
  EXPECT_EQ(configuration.Read().slow_ms.count(), 20U);
  EXPECT_EQ(configuration.SetDocument(R"({"trees":5)"), STILLFRAME_BAD_ARGUMENT);
  EXPECT_EQ(configuration.Read().trees, 4U);
  EXPECT_EQ(configuration.SetDocument("{}"), STILLFRAME_OK);
  EXPECT_EQ(configuration.Read().trees, 10U);
  EXPECT_EQ(configuration.SetDocument(R"({"trees":0,"dumps":7})"), STILLFRAME_OK);
  EXPECT_EQ(configuration.Read().trees, 10U) << "a bad value is the default of its own key";
  EXPECT_EQ(configuration.Read().dumps, 7U);
}

TEST(Configuration, ADocumentWithACohortIsForItsInstalls) {
  Configuration configuration;
  configuration.Start();
  EXPECT_EQ(configuration.SetDocument(R"({"trees":2,"cohort":{"percent":100,"salt":"janks"}})"),
            STILLFRAME_OK);
  EXPECT_EQ(configuration.Read().trees, 10U) << "no id yet";
  EXPECT_EQ(configuration.Read().cohort, "");
  configuration.Identify("install-1", 7);
  EXPECT_EQ(configuration.Read().trees, 2U);
  EXPECT_TRUE(configuration.Take());
  EXPECT_EQ(configuration.own().cohort, "janks");
  EXPECT_EQ(configuration.SetDocument(R"({"rules":[{"set":{"trees":3}}]})"), STILLFRAME_OK);
  EXPECT_EQ(configuration.Read().trees, 10U);
  EXPECT_EQ(configuration.Read().cohort, "");
}

TEST(Configuration, WhatOnlyADeskNeedsIsNotForAppsOfUsers) {
  Configuration configuration;
  for (const char* name : {"live", "message_objects"})
    EXPECT_EQ(configuration.Set(name, "1"), STILLFRAME_OK);
  EXPECT_EQ(configuration.Set("timer", "wall"), STILLFRAME_OK);
  configuration.Start();
  EXPECT_TRUE(configuration.Read().live && configuration.Read().message_objects);
  EXPECT_EQ(configuration.Read().timer, TimerChoice::kWall);
  configuration.LeaveDesk();
  EXPECT_FALSE(configuration.Read().live || configuration.Read().message_objects);
  EXPECT_EQ(configuration.Read().timer, TimerChoice::kCpu);
}

TEST(Configuration, ASwitchInADocumentCountsOverEarlierCalls) {
  Configuration configuration;
  EXPECT_EQ(configuration.Set("enabled", "1"), STILLFRAME_OK);
  configuration.Start();
  EXPECT_TRUE(configuration.IsEnabled());
  EXPECT_EQ(configuration.SetDocument(R"({"enabled":false})"), STILLFRAME_OK);
  EXPECT_FALSE(configuration.IsEnabled());
  EXPECT_TRUE(configuration.own().enabled);
  EXPECT_TRUE(configuration.Take());
  EXPECT_FALSE(configuration.own().enabled);
  EXPECT_EQ(configuration.SetDocument("{}"), STILLFRAME_OK);
  EXPECT_TRUE(configuration.IsEnabled());
}

TEST(Configuration, AFileThatItsWriterKeepsOpenIsInForceOnceItIsADocument) {
  char folder[] = "/tmp/configuration-XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  const std::string path = std::string(folder) + "/settings.json";
  std::ofstream(path) << R"({"trees":2})";
  Configuration configuration;
  EXPECT_EQ(configuration.Set("config", path), STILLFRAME_OK);
  configuration.Start();
  configuration.Watch();
  std::ofstream file(path);
  configuration.Tick();
  EXPECT_EQ(configuration.Read().trees, 2U) << "empty";
  file << R"({"trees":3,"enabled")" << std::flush;
  testing::internal::CaptureStderr();
  configuration.Tick();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "nobody said that this is all";
  EXPECT_EQ(configuration.Read().trees, 2U);
  file << ":false}" << std::flush;
  configuration.Tick();
  EXPECT_EQ(configuration.Read().trees, 3U);
  EXPECT_FALSE(configuration.IsEnabled());
  file << "x";
  file.close();
  configuration.Tick();
  EXPECT_FALSE(configuration.IsEnabled()) << "what it said last holds";
  std::filesystem::remove_all(folder);
}

TEST(Configuration, AFileThatChangesCountsOverEarlierDocumentsAndCalls) {
  char folder[] = "/tmp/configuration-XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  const std::string path = std::string(folder) + "/settings.json";
  const auto write = [&path](const char* text) { std::ofstream(path, std::ios::trunc) << text; };
  write("{}");
  Configuration configuration;
  EXPECT_EQ(configuration.Set("config", path), STILLFRAME_OK);
  configuration.Start();
  configuration.Watch();
  EXPECT_EQ(configuration.SetDocument(R"({"enabled":true,"jank_kib_per_day":30})"), STILLFRAME_OK);
  EXPECT_EQ(configuration.Set("jank_ms", "100"), STILLFRAME_OK);
  write(R"({"enabled":false,"jank_ms":5000})");
  configuration.Tick();
  EXPECT_FALSE(configuration.IsEnabled());
  EXPECT_EQ(configuration.Read().jank_ms.count(), 5'000U);
  EXPECT_EQ(configuration.Read().jank_kib_per_day, 30U) << "which the file does not name";
  EXPECT_EQ(configuration.SetDocument(R"({"enabled":true})"), STILLFRAME_OK);
  EXPECT_TRUE(configuration.IsEnabled());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace stillframe::settings
