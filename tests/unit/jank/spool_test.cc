// SPDX-License-Identifier: Apache-2.0
// The folder of records: its bounds, its day, several processes, processes that are killed.
#include "src/jank/spool.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <set>
#include <sstream>
#include <string>

namespace stillframe::jank {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kDay = 20'000;
constexpr SpoolLimits kWide = {10'000, 1U << 30};

class SpoolTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = (fs::path(testing::TempDir()) / ("spool-" + std::to_string(getpid()))).string();
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const {
    return folder_ + "/stillframe-jank-" + name + ".json";
  }
  static std::string Record(int total_ms) {
    return "{\"cost\":9,\"count\":1,\"total_ms\":" + std::to_string(total_ms) + "}\n";
  }
  SpoolResult Write(const std::string& name, int total_ms, const SpoolLimits& limits,
                    int64_t now_s = kDay * 86'400) {
    return WriteToSpool(folder_, Path(name), Record(total_ms), limits, now_s);
  }
  void SetTime(const std::string& path, int64_t time_s) {
    const auto time = static_cast<time_t>(time_s);
    const timespec times[] = {{time, 0}, {time, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }
  // "a b.sent"
  std::string Names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      std::string name = entry.path().filename().string();
      if (!name.starts_with("stillframe-jank-")) continue;
      name.erase(0, 16);
      names.insert(name.ends_with(".json") ? name.substr(0, name.size() - 5) : name);
    }
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : " ") + name;
    return all;
  }
  std::string Day() const {
    std::stringstream text;
    text << std::ifstream(folder_ + "/stillframe-jank.day").rdbuf();
    return text.str();
  }
  void SetDay(const std::string& text) {
    const std::string path = folder_ + "/stillframe-jank.day";
    std::ofstream(path) << text;
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  }

  std::string folder_;
};

TEST_F(SpoolTest, OfTooManyTheSentGoFirstThenThoseOfTheLeastTime) {
  SpoolLimits limits = kWide;
  for (const char* name : {"a", "b", "c", "d"})
    EXPECT_EQ(Write(name, 1'000 * (name[0] - 'a' + 1), limits), SpoolResult::kWritten);
  fs::rename(Path("d"), folder_ + "/stillframe-jank-d.sent");
  limits.files = 4;
  EXPECT_EQ(Write("e", 10, limits), SpoolResult::kWritten);
  EXPECT_EQ(Names(), "a b c e");
  EXPECT_EQ(Write("f", 20, limits), SpoolResult::kWritten);
  EXPECT_EQ(Names(), "a b c f");
  EXPECT_EQ(Write("g", 1, limits), SpoolResult::kWritten) << "what is just written stays";
  EXPECT_EQ(Names(), "a b c g");
  limits.files = 2;
  EXPECT_EQ(Write("h", 9'000, limits), SpoolResult::kWritten);
  EXPECT_EQ(Names(), "c h");
}

TEST_F(SpoolTest, ASentOneThatWasWrittenAnewGoes) {
  EXPECT_EQ(Write("sent", 1, kWide), SpoolResult::kWritten);
  fs::rename(Path("sent"), folder_ + "/stillframe-jank-sent.sent");
  EXPECT_EQ(Write("new", 1, kWide), SpoolResult::kWritten);
  EXPECT_EQ(Names(), "new sent.sent");
  EXPECT_EQ(Write("sent", 2, kWide), SpoolResult::kWritten);
  EXPECT_EQ(Names(), "new sent");
}

TEST_F(SpoolTest, ADayHasItsBudgetWhoeverWrites) {
  SpoolLimits limits = kWide;
  limits.bytes_a_day = 3 * Record(1).size();
  constexpr int64_t kNow = kDay * 86'400 + 86'399;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Write("a", i, limits, kNow), SpoolResult::kWritten);
  EXPECT_EQ(Day(), "20000 3 " + std::to_string(3 * Record(1).size()) + " 0\n");
  EXPECT_EQ(Write("b", 1, limits, kNow), SpoolResult::kDayOver);
  EXPECT_EQ(Write("b", 1, limits, kNow - 86'400), SpoolResult::kDayOver) << "a clock set back";
  EXPECT_EQ(Names(), "a");
  EXPECT_EQ(Write("b", 1, limits, kNow + 86'401), SpoolResult::kWritten);
}

TEST_F(SpoolTest, WhatCannotBeWrittenCostsTheDayNothing) {
  ASSERT_EQ(Write("a", 1, kWide), SpoolResult::kWritten);
  const std::string day = Day();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Write("missing/b", 1, kWide), SpoolResult::kFailed);
  EXPECT_EQ(Day(), day);
}

TEST_F(SpoolTest, ADayThatIsToComeIsMadeToday) {
  SetDay("24855 500 100000 7\n");
  SpoolLimits limits = kWide;
  limits.bytes_a_day = 100'000;
  EXPECT_EQ(Write("a", 1, limits, kDay * 86'400), SpoolResult::kDayOver);
  EXPECT_EQ(Day(), "20000 500 100000 7\n");
  EXPECT_EQ(Write("a", 1, limits, (kDay + 1) * 86'400), SpoolResult::kWritten);
}

TEST_F(SpoolTest, ALineThatIsNotReadableIsMadeAnewFromTheFiles) {
  EXPECT_EQ(Write("a", 1, kWide), SpoolResult::kWritten);
  SetTime(Path("a"), kDay * 86'400);
  for (const char* line :
       {"x", "20000", "20000 1", "20000 1 x\n", "20000 -1 1\n", "20000 9 9 9", "\0"}) {
    SetDay(line);
    EXPECT_EQ(Write("b", 1, kWide), SpoolResult::kWritten);
    EXPECT_EQ(Day().rfind("20000 2 ", 0), 0U) << Day();
    fs::remove(Path("b"));
  }
}

TEST_F(SpoolTest, CpuTimeOfADayAddsUpWhoeverUsesIt) {
  constexpr int64_t kNow = kDay * 86'400;
  uint64_t total_ms = 0;
  EXPECT_EQ(AddCpuToDay(folder_, 40, 40, kNow, &total_ms), SpoolResult::kWritten);
  EXPECT_EQ(AddCpuToDay(folder_, 2, 2, kNow + 5, &total_ms), SpoolResult::kWritten);
  EXPECT_EQ(total_ms, 42U);
  EXPECT_EQ(Write("a", 1, kWide), SpoolResult::kWritten);
  EXPECT_EQ(Day(), "20000 1 " + std::to_string(Record(1).size()) + " 42\n");
  SetDay("damaged");
  SetTime(Path("a"), kNow);
  EXPECT_EQ(AddCpuToDay(folder_, 1, 41, kNow, &total_ms), SpoolResult::kWritten);
  EXPECT_EQ(Day(), "20000 1 " + std::to_string(Record(1).size()) + " 41\n") << "what is known";
  EXPECT_EQ(AddCpuToDay(folder_, 3, 3, kNow + 86'400, &total_ms), SpoolResult::kWritten);
  EXPECT_EQ(Day(), "20001 0 0 3\n");
  EXPECT_EQ(AddCpuToDay(folder_, 3, 6, kNow, &total_ms), SpoolResult::kWritten);
  EXPECT_EQ(total_ms, 6U) << "a clock set back";
  SetDay("20000 7 8\n");
  EXPECT_EQ(AddCpuToDay(folder_, 9, 9, kNow, &total_ms), SpoolResult::kWritten);
  EXPECT_EQ(Day(), "20000 7 8 9\n") << "as releases before had it";
}

// A pipe would block a reader for ever.
TEST_F(SpoolTest, WhatIsNoFileOfOursIsNeitherWaitedForNorBelieved) {
  const std::string path = folder_ + "/stillframe-jank.day";
  const std::string full = "20000 1 1000000 1\n";
  const std::string elsewhere = folder_ + "/elsewhere";
  std::ofstream(elsewhere) << full;
  SpoolLimits limits = kWide;
  limits.bytes_a_day = 10'000;
  const std::function<void()> others[] = {
      [&] { EXPECT_EQ(mkfifo(path.c_str(), 0600), 0); },
      [&] { fs::create_symlink(elsewhere, path); },
      [&] { fs::create_hard_link(elsewhere, path); },
      [&] {
        SetDay(full);
        EXPECT_EQ(chmod(path.c_str(), 0666), 0);
      },
  };
  for (size_t i = 0; i < std::size(others); ++i) {
    fs::remove(path);
    others[i]();
    EXPECT_EQ(Write("a", 1, limits), SpoolResult::kWritten) << i;
    EXPECT_LE(Day().find("20000 "), 0U) << i << Day();
    EXPECT_LE(Day().size(), 16U) << i << Day();
    std::stringstream text;
    text << std::ifstream(elsewhere).rdbuf();
    EXPECT_EQ(text.str(), full) << i;
    struct stat facts = {};
    ASSERT_EQ(lstat(path.c_str(), &facts), 0);
    EXPECT_TRUE(S_ISREG(facts.st_mode)) << i;
    EXPECT_EQ(facts.st_mode & 0777, 0600U) << i;
  }
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_EQ(Write("b", 1, limits), SpoolResult::kWritten) << "an empty folder";
  fs::remove(path);
  fs::create_directories(path + "/full");
  EXPECT_EQ(Write("c", 1, limits), SpoolResult::kFailed);
}

TEST_F(SpoolTest, WhoHasTheLockKeepsOthersAwayForThatLong) {
  const int fd = open((folder_ + "/stillframe-jank.day").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(flock(fd, LOCK_EX), 0);
  EXPECT_EQ(Write("a", 1, kWide), SpoolResult::kBusy);
  close(fd);
  EXPECT_EQ(Write("a", 1, kWide), SpoolResult::kWritten);
  EXPECT_EQ(WriteToSpool(folder_ + "/none", folder_ + "/none/x", "", kWide, 0),
            SpoolResult::kFailed);
}

// Several processes at once, each killed at a random moment.
TEST_F(SpoolTest, ProcessesThatAreKilledLeaveWholeRecordsWithinTheBudget) {
  SpoolLimits limits = kWide;
  limits.files = 20;
  limits.bytes_a_day = 80'000;
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    pid_t children[3];
    for (pid_t& child : children) {
      child = fork();
      if (child != 0) continue;
      for (int i = 0;; ++i)
        Write(std::to_string(getpid()) + "-" + std::to_string(i % 9), i, limits);
    }
    usleep(static_cast<useconds_t>(random() % 5'000));
    for (const pid_t child : children) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }
  int records = 0;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (entry.path().extension() != ".json") continue;
    ++records;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    EXPECT_TRUE(text.str().ends_with("}\n")) << text.str();
  }
  EXPECT_LE(records, 20);
  EXPECT_GT(records, 0);
  unsigned day = 0;
  unsigned bytes = 0;
  ASSERT_EQ(sscanf(Day().c_str(), "%u %*u %u", &day, &bytes), 2) << Day();
  EXPECT_LE(bytes, 80'000U);
  EXPECT_GT(bytes, 800U);
}

}  // namespace
}  // namespace stillframe::jank
