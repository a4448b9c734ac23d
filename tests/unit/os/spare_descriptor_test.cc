// SPDX-License-Identifier: Apache-2.0
// The spare descriptor, in a process that leaks all others.
#include "src/os/spare_descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <vector>

namespace stillframe::os {
namespace {

constexpr rlim_t kFew = 64;

class SpareDescriptor : public testing::Test {
 protected:
  SpareDescriptor() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few = {kFew, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
  }
  ~SpareDescriptor() override {
    for (const int fd : leaked_) close(fd);
    setrlimit(RLIMIT_NOFILE, &before_);
  }

  void Leak() {
    for (int fd = dup(STDERR_FILENO); fd >= 0; fd = dup(STDERR_FILENO)) leaked_.push_back(fd);
    ASSERT_EQ(errno, EMFILE);
  }

 private:
  rlimit before_ = {};
  std::vector<int> leaked_;
};

TEST_F(SpareDescriptor, OpensFilesOneByOneInAProcessThatHasNoneLeft) {
  KeepSpareDescriptor();
  Leak();
  for (int i = 0; i < 3; ++i) {
    const int fd = OpenWithSpare("/proc/self/maps", O_RDONLY);
    ASSERT_GE(fd, 0);
    EXPECT_LT(OpenWithSpare("/proc/self/maps", O_RDONLY), 0) << "there is one only";
    EXPECT_EQ(errno, EMFILE);
    close(fd);
    TakeBackSpareDescriptor();
    EXPECT_LT(open("/proc/self/maps", O_RDONLY), 0) << "the spare one has the number again";
  }
}

}  // namespace
}  // namespace stillframe::os
