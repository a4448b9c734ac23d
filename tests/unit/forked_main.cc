// SPDX-License-Identifier: Apache-2.0
// Runs each case of a GoogleTest program in a process of its own, by fork: for code with state that
// only a new process resets, such as signal handlers that are installed once. With a filter, the
// cases share one process.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace {

// Returns the exit code of the case, or 1 and a line that counts as its failure when it died.
int RunInChild(const std::string& name) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    testing::GTEST_FLAG(filter) = name;
    std::exit(RUN_ALL_TESTS());
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 1;
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  std::printf("[  FAILED  ] %s: died by signal %d\n", name.c_str(), WTERMSIG(status));
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(filter) != "*" || testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  testing::GTEST_FLAG(print_time) = true;
  const testing::UnitTest& program = *testing::UnitTest::GetInstance();
  int cases = 0;
  int failed = 0;
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *program.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const std::string name = std::string(suite.name()) + "." + suite.GetTestInfo(j)->name();
      if (name.find("DISABLED_") != std::string::npos) continue;
      ++cases;
      failed += RunInChild(name) == 0 ? 0 : 1;
    }
  }
  std::printf("[==========] %d cases ran in processes of their own, %d failed\n", cases, failed);
  return failed == 0 ? 0 : 1;
}
