// SPDX-License-Identifier: Apache-2.0
// The self-check's cache: which entries are kept, and which are rejected.
#include "src/art/self_check_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace stillframe::art {
namespace {

class SelfCheckCacheTest : public testing::Test {
 protected:
  SelfCheckCacheTest() {
    char name[] = "/tmp/sf_verdict_XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~SelfCheckCacheTest() override { std::filesystem::remove_all(folder_); }

  SelfCheckCache Cache(const std::string& key = "abc 0.1.0 8") const { return {folder_, key}; }
  std::string Text() const {
    std::ostringstream text;
    text << std::ifstream(Cache().path()).rdbuf();
    return text.str();
  }
  void Write(const std::string& text) const { std::ofstream(Cache().path()) << text; }
  bool IsBelieved() const {
    SelfCheckResult verdict;
    return Cache().Load(&verdict);
  }
  void SetAge(time_t seconds) const {
    const timespec at = {time(nullptr) - seconds, 0};
    const timespec times[] = {at, at};
    utimensat(AT_FDCWD, Cache().path().c_str(), times, 0);
  }

  std::string folder_;
};

TEST_F(SelfCheckCacheTest, KeepsBothKinds) {
  EXPECT_FALSE(IsBelieved());
  for (const SelfCheckResult& stored :
       {SelfCheckResult{true, "14", 0}, SelfCheckResult{false, "frame 1 is a.b:3, not a.b:4", 1},
        SelfCheckResult{false, "bad frame", 3}}) {
    Cache().Store(stored);
    SelfCheckResult loaded;
    ASSERT_TRUE(Cache().Load(&loaded));
    EXPECT_EQ(loaded.is_good, stored.is_good);
    EXPECT_EQ(loaded.text, stored.text);
    EXPECT_EQ(loaded.failures, stored.failures);
    EXPECT_EQ(loaded.is_final(), stored.failures == SelfCheckResult::kEnough);
  }
  // Nothing else is left behind.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(SelfCheckCacheTest, OfAnotherBuildOrVersionIsNotBelieved) {
  Cache().Store({true, "14", 0});
  SelfCheckResult verdict;
  for (const char* key :
       {"abd 0.1.0 8", "abc 0.1.1 8", "abc 0.1.0 4", "abc 0.1.0", "", "abc 0.1.0 8\ngood"})
    EXPECT_FALSE(Cache(key).Load(&verdict)) << key;
}

TEST_F(SelfCheckCacheTest, DamagedIsNotBelieved) {
  Cache().Store({false, "the walk was truncated: depth", 1});
  const std::string whole = Text();
  for (size_t length = 0; length < whole.size(); ++length) {
    Write(whole.substr(0, length));
    EXPECT_FALSE(IsBelieved()) << length;
  }
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    Write(flipped);
    EXPECT_FALSE(IsBelieved()) << bit;
  }
  Write(whole + whole);
  EXPECT_FALSE(IsBelieved());
  Write(std::string(1 << 20, 'a'));
  EXPECT_FALSE(IsBelieved());
}

TEST_F(SelfCheckCacheTest, BelievesOnlyAFileThatNobodyElseMayWrite) {
  Cache().Store({true, "14", 0});
  EXPECT_TRUE(IsBelieved());
  chmod(Cache().path().c_str(), 0666);
  EXPECT_FALSE(IsBelieved()) << "anybody may have written it";
  const std::string aside = folder_ + "/aside";
  chmod(Cache().path().c_str(), 0600);
  ASSERT_EQ(rename(Cache().path().c_str(), aside.c_str()), 0);
  ASSERT_EQ(symlink(aside.c_str(), Cache().path().c_str()), 0);
  EXPECT_FALSE(IsBelieved()) << "a link";
  unlink(Cache().path().c_str());
  ASSERT_EQ(mkfifo(Cache().path().c_str(), 0600), 0);
  EXPECT_FALSE(IsBelieved()) << "a pipe, which must not block";
}

TEST_F(SelfCheckCacheTest, ABadOneIsForgottenAfterAWeek) {
  constexpr time_t kDay = 24 * 3600;
  Cache().Store({false, "why", 1});
  SetAge(6 * kDay);
  EXPECT_TRUE(IsBelieved());
  SetAge(8 * kDay);
  EXPECT_FALSE(IsBelieved());
  SetAge(-kDay);
  EXPECT_FALSE(IsBelieved()) << "from the future";
  Cache().Store({true, "14", 0});
  SetAge(80 * kDay);
  EXPECT_TRUE(IsBelieved()) << "a good one is checked anyway";
}

TEST_F(SelfCheckCacheTest, TextIsBoundedAndPrintable) {
  Cache().Store({false, "two\nlines\x01 " + std::string(10'000, 'x'), 1});
  SelfCheckResult verdict;
  ASSERT_TRUE(Cache().Load(&verdict));
  EXPECT_EQ(verdict.text.substr(0, 11), "two?lines? ");
  EXPECT_LT(verdict.text.size(), 4096U);
}

TEST_F(SelfCheckCacheTest, WithoutAFolderNothingIsKept) {
  for (const std::string& folder : {std::string(), folder_ + "/none"}) {
    const SelfCheckCache cache(folder, "key");
    cache.Store({true, "14", 0});
    SelfCheckResult verdict;
    EXPECT_FALSE(cache.Load(&verdict));
  }
}

}  // namespace
}  // namespace stillframe::art
