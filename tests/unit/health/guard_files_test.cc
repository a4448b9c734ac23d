// SPDX-License-Identifier: Apache-2.0
// The files of processes beside each other: what is in them, is not, or cannot be.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "tests/unit/health/guard_case.h"

namespace stillframe::health {
namespace {

TEST_F(GuardTest, AFileThatTookTheNumberIsLeftAlone) {
  setup_.limits.deaths = 1;
  const std::string other = folder_ + "/other";
  In([&other](Guard*) {
    for (int fd = 3; fd < 64; ++fd) close(fd);
    const int fd = open(other.c_str(), O_RDWR | O_CREAT, 0600);
    for (int i = 0; i < 16; ++i) dup(fd);
    Fault();
  });
  EXPECT_EQ(std::filesystem::file_size(other), 0U);
}

// Another component closes our descriptor: by the next tick its number belongs to another file.
TEST_F(GuardTest, AFileThatTookTheNumberIsLeftAloneByAHealthyProcessToo) {
  const std::string other = folder_ + "/other";
  In([&other, this](Guard* guard) {
    for (int fd = 3; fd < 64; ++fd) close(fd);
    const int fd = open(other.c_str(), O_RDWR | O_CREAT, 0600);
    for (int i = 0; i < 16; ++i) dup(fd);
    guard->Tick(begun_ns_ + 61 * kSecondNs);
    guard->Suspend();
  });
  EXPECT_EQ(std::filesystem::file_size(other), 0U);
}

TEST_F(GuardTest, WhatAProcessThatNeverRunsAgainHasLearnedEndsAfterItsTime) {
  setup_.limits = {1, 100};
  setup_.process = "com.example:gone";
  In([](Guard*) { Fault(); });
  setup_.process = "com.example";
  EXPECT_EQ(Next().level, Level::kRecording);
  SetTimes(-101);
  EXPECT_EQ(Next().level, Level::kSampling);
  // Times from a clock that was ahead: from the next start on they count as today's.
  SetTimes(1'000'000);
  EXPECT_EQ(Next().level, Level::kRecording);
  const auto now = std::filesystem::file_time_type::clock::now();
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    EXPECT_LE(entry.last_write_time(), now + std::chrono::seconds(2));
}

TEST_F(GuardTest, TwoOfOneNameHaveAFileEach) {
  In([this](Guard*) {
    EXPECT_EQ(Next().counters["guard_kills"], 0U) << "the first lives";
    raise(SIGKILL);
  });
  EXPECT_EQ(Files(), 2U);
  EXPECT_EQ(Next().counters["guard_kills"], 1U);
}

TEST_F(GuardTest, DeathsOfAllProcessesOfTheApplicationCountTogether) {
  setup_.limits.deaths = 3;
  for (const char* process : {"com.example", "com.example:push", "com.example:web"}) {
    setup_.process = process;
    EXPECT_EQ(Next().level, Level::kSampling) << process;
    In([](Guard*) { Fault(); });
  }
  for (const char* process :
       {"com.example:new", "com.example", "com.example:push", "com.example"}) {
    setup_.process = process;
    const Seen seen = Next();
    EXPECT_EQ(seen.level, Level::kRecording) << process;
    EXPECT_TRUE(seen.why.starts_with("of earlier processes 3 died")) << seen.why;
  }
  setup_.about = "art 2";
  EXPECT_EQ(Next().level, Level::kSampling);
}

TEST_F(GuardTest, AfterTheBackOffOneDeathOfAnyOfThemIsEnough) {
  setup_.limits = {3, 1};
  for (const char* process : {"com.example", "com.example:push", "com.example:web"}) {
    setup_.process = process;
    In([](Guard*) { Fault(); });
  }
  EXPECT_EQ(Next().level, Level::kRecording);
  sleep(2);
  EXPECT_EQ(Next().level, Level::kSampling);
  In([](Guard*) { Fault(); });
  EXPECT_EQ(Next().level, Level::kRecording);
}

TEST_F(GuardTest, WhoIsOneTooManyOfANameHasNoGuardAndDoesNotSample) {
  for (const auto& [lives, level] : {std::pair(16, Level::kRecording), {15, Level::kSampling}})
    EXPECT_EQ(BesideOthers(lives, level), SIGTERM) << lives;
}

TEST_F(GuardTest, ADamagedFileIsEmptyAndAForeignOneIsNoGuard) {
  setup_.limits.deaths = 1;
  In([](Guard*) { Fault(); });
  std::string path;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) path = entry.path();
  std::ofstream(path, std::ios::trunc) << "nonsense";
  EXPECT_EQ(Next().level, Level::kSampling);
  EXPECT_EQ(Next().counters["guard_deaths"], 0U);
  In([](Guard*) { Fault(); });
  EXPECT_EQ(Next().level, Level::kRecording) << "it works again";
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/dev/null", path);
  EXPECT_EQ(Next().level, Level::kRecording);
}

TEST_F(GuardTest, WithoutRoomForItsFileThereIsNoSampling) {
  const rlimit none = {0, RLIM_INFINITY};
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  const Seen seen = Next();
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(seen.level, Level::kRecording);
  EXPECT_NE(seen.why.find("File too large"), std::string::npos) << seen.why;
  EXPECT_EQ(Files(), 0U);
  EXPECT_EQ(Next().level, Level::kSampling) << "there is room again";
}

TEST_F(GuardTest, NoGuardWithoutAFolderOrWhereItIsSwitchedOff) {
  setup_.limits.deaths = 0;
  In([](Guard*) { Fault(); });
  EXPECT_EQ(Files(), 0U);
  setup_.limits.deaths = 1;
  setup_.folder = "";
  EXPECT_EQ(Next().level, Level::kSampling);
}

TEST_F(GuardTest, WithoutAFolderForItsFileThereIsNoSampling) {
  setup_.folder = "/nonexistent";
  const Seen seen = Next();
  EXPECT_EQ(seen.level, Level::kRecording);
  EXPECT_NE(seen.why.find("No such file"), std::string::npos) << seen.why;
  setup_.limits.deaths = 0;
  EXPECT_EQ(Next().level, Level::kSampling) << "no guard is asked for";
}

}  // namespace
}  // namespace stillframe::health
