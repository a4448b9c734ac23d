// SPDX-License-Identifier: Apache-2.0
// Runs the built program in a folder with sample dumps.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/host/sample_documents.h"

namespace stillframe::host_test {

namespace fs = std::filesystem;

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

inline std::string ReadAll(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline void WriteAll(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

class CommandLine : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("command-line-" + std::to_string(getpid()) + "-" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    ASSERT_NO_FATAL_FAILURE(WriteSample(AnrDocument(), Path("anr.sfdump")));
    ASSERT_NO_FATAL_FAILURE(WriteSample(QuietDocument(), Path("quiet.sfdump")));
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  // `arguments` go through the shell, in the test's folder.
  Outcome Run(const std::string& arguments) const {
    const std::string command = "cd '" + folder_.string() + "' && '" STILLFRAME_TOOL "' " +
                                arguments + " >'" + Path("out") + "' 2>'" + Path("err") + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadAll(Path("out")),
            ReadAll(Path("err"))};
  }

  // One line on standard error: "stillframe: SUBJECT: what; what to do".
  static void ExpectOneLine(const Outcome& outcome, const std::string& subject) {
    EXPECT_EQ(outcome.err.rfind("stillframe: " + subject + ": ", 0), 0U) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    EXPECT_NE(outcome.err.find("; "), std::string::npos) << "says not what to do: " << outcome.err;
  }

  fs::path folder_;
};

}  // namespace stillframe::host_test
