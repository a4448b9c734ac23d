// SPDX-License-Identifier: Apache-2.0
// Copies in libraries of their own, one after the other and at once.
#include "src/health/only_copy.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace stillframe::os {
namespace {

class OtherCopy {
 public:
  // One file under two names is two libraries.
  explicit OtherCopy(const char* path) : library_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    EXPECT_NE(library_, nullptr) << dlerror();
  }
  bool Claims() const { return Find<bool (*)()>("other_copy_claims")(); }
  void Releases() const { Find<void (*)()>("other_copy_releases")(); }

 private:
  template <class Function>
  Function Find(const char* name) const {
    return reinterpret_cast<Function>(dlsym(library_, name));
  }
  void* library_;
};

TEST(OnlyCopyTest, ACopyAloneHasTheProcessAndMayAskAgain) {
  EXPECT_EQ(ClaimProcess(), "");
  EXPECT_EQ(ClaimProcess(), "");
  ReleaseProcess();
}

TEST(OnlyCopyTest, TheSecondIsToldWhereTheFirstIs) {
  const OtherCopy one(STILLFRAME_OTHER_COPY_1);
  const OtherCopy two(STILLFRAME_OTHER_COPY_2);
  EXPECT_TRUE(one.Claims());
  EXPECT_FALSE(two.Claims());
  EXPECT_EQ(ClaimProcess(), STILLFRAME_OTHER_COPY_1);
  EXPECT_TRUE(one.Claims()) << "whoever asked in vain has left no mark";
  one.Releases();
  EXPECT_EQ(ClaimProcess(), "");
  EXPECT_FALSE(one.Claims());
  EXPECT_FALSE(two.Claims());
  ReleaseProcess();
  EXPECT_TRUE(two.Claims());
  two.Releases();
}

TEST(OnlyCopyTest, OfThreeThatStartAtOnceOneDoes) {
  const OtherCopy one(STILLFRAME_OTHER_COPY_1);
  const OtherCopy two(STILLFRAME_OTHER_COPY_2);
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> waiting{3};
    std::atomic<int> have{0};
    const auto start = [&](auto claims) {
      waiting.fetch_sub(1);
      while (waiting.load() > 0) std::this_thread::yield();
      if (claims()) have.fetch_add(1);
    };
    std::thread first(
        start, [&] { return one.Claims(); });
    std::thread second(
        start, [&] { return two.Claims(); });
    start([] { return ClaimProcess().empty(); });
    first.join();
    second.join();
    ASSERT_EQ(have.load(), 1) << "round " << round;
    one.Releases();
    two.Releases();
    ReleaseProcess();
  }
}

}  // namespace
}  // namespace stillframe::os
