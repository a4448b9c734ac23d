// SPDX-License-Identifier: Apache-2.0
// Whole files, folders of numbers, and the newest files that are kept.
#include "src/os/file_text.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace stillframe::os {
namespace {

class FileText : public testing::Test {
 protected:
  FileText() {
    std::string path = testing::TempDir() + "stillframe-files-XXXXXX";
    root_ = mkdtemp(path.data());
  }
  ~FileText() override { std::filesystem::remove_all(root_); }

  // Written `age_s` ago.
  void Write(const std::string& name, const std::string& text, int age_s = 0) {
    std::ofstream(root_ / name) << text;
    const timespec then = {time(nullptr) - age_s, 0};
    const timespec times[] = {then, then};
    utimensat(AT_FDCWD, (root_ / name).c_str(), times, 0);
  }

  std::filesystem::path root_;
};

TEST_F(FileText, ReadsUpToTheLimit) {
  Write("a", "hello");
  std::string text;
  EXPECT_EQ(ReadFileText((root_ / "a").c_str(), 100, &text), 0);
  EXPECT_EQ(text, "hello");
  EXPECT_EQ(ReadFileText((root_ / "a").c_str(), 3, &text), 0);
  EXPECT_EQ(text, "hel");
  EXPECT_EQ(ReadFileText((root_ / "none").c_str(), 3, &text), ENOENT);
  EXPECT_EQ(text, "");
  EXPECT_EQ(ReadFileText(root_.c_str(), 3, &text), EISDIR);
}

TEST_F(FileText, CountsNumericNamesAndListsAsManyAsAskedFor) {
  for (const char* name : {"1", "22", "333", "4a", "b"}) Write(name, "");
  std::vector<int32_t> numbers;
  uint32_t found = 0;
  EXPECT_EQ(ReadNumericNames(root_.c_str(), 2, &numbers, &found), 0);
  EXPECT_EQ(numbers.size(), 2U);
  EXPECT_EQ(found, 3U);
  EXPECT_EQ(ReadNumericNames((root_ / "none").c_str(), 2, &numbers, &found), ENOENT);
  EXPECT_EQ(found, 0U);
}

TEST_F(FileText, TheFirstNumericNamesAreListedAlone) {
  for (int i = 1; i <= 500; ++i) Write(std::to_string(i), "");
  Write("4a", "");
  std::vector<int32_t> numbers;
  ReadFirstNumericNames(root_.c_str(), 40, &numbers);
  EXPECT_EQ(numbers.size(), 40U);
  ReadFirstNumericNames(root_.c_str(), 1'000, &numbers);
  EXPECT_EQ(numbers.size(), 500U);
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(std::unique(numbers.begin(), numbers.end()), numbers.end());
  ReadFirstNumericNames((root_ / "none").c_str(), 40, &numbers);
  EXPECT_EQ(numbers.size(), 0U);
}

TEST_F(FileText, TheOldestFilesAreRemoved) {
  for (int i = 0; i < 6; ++i) Write("x" + std::to_string(i) + ".dump", "", i * 10);
  Write("y.dump", "", 1'000);
  Write("x9.other", "", 1'000);
  std::filesystem::create_directory(root_ / "x.dump");
  EXPECT_EQ(KeepNewestFiles(root_, "x", ".dump", 4), 2U);
  EXPECT_TRUE(std::filesystem::exists(root_ / "x3.dump"));
  EXPECT_FALSE(std::filesystem::exists(root_ / "x4.dump"));
  EXPECT_TRUE(std::filesystem::exists(root_ / "y.dump"));
  EXPECT_TRUE(std::filesystem::exists(root_ / "x9.other"));
  EXPECT_TRUE(std::filesystem::exists(root_ / "x.dump"));
  EXPECT_EQ(KeepNewestFiles(root_, "x", ".dump", 4), 0U);
  EXPECT_EQ(KeepNewestFiles(root_ / "none", "x", ".dump", 4), 0U);
}

TEST_F(FileText, WhatKilledProcessesLeftUnfinishedGoes) {
  const std::string own = std::to_string(getppid());
  for (const char* name : {"x-1.dump.2147483646.tmp", "x-verdict.2147483646.part",
                           "y.2147483646.tmp", "x-1.dump", "x.json.part"})
    Write(name, "");
  Write("x-now." + own + ".tmp", "");
  Write("x-old." + own + ".tmp", "", 90'000);
  RemoveUnfinished(root_, "x-");
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(root_))
    left.push_back(entry.path().filename());
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, (std::vector<std::string>{"x-1.dump", "x-now." + own + ".tmp", "x.json.part",
                                            "y.2147483646.tmp"}));
}

}  // namespace
}  // namespace stillframe::os
