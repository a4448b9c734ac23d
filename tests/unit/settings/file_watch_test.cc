// SPDX-License-Identifier: Apache-2.0
// Files that come, go, are written and replaced.
#include "src/settings/file_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/unit/test_waker.h"

namespace stillframe::settings {
namespace {

namespace fs = std::filesystem;

class FileWatchTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("file-watch-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    path_ = (folder_ / "settings.json").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  static void Write(const std::string& path) { std::ofstream(path) << "{}"; }
  void Replace() {
    Write(path_ + ".new");
    fs::rename(path_ + ".new", path_);
  }
  bool IsWoken() const { return waker_.IsWoken(); }
  // Woken once or twice for a change, then idle.
  void ExpectChange(const char* what) {
    EXPECT_TRUE(IsWoken()) << what;
    EXPECT_EQ(watch_.Look(), FileWatch::Change::kDone) << what;
    IsWoken();
    watch_.Look();
    EXPECT_FALSE(IsWoken()) << what;
    EXPECT_EQ(watch_.Look(), FileWatch::Change::kNone) << what;
  }

  TestWaker waker_;
  fs::path folder_;
  std::string path_;
  FileWatch watch_;
};

TEST_F(FileWatchTest, NoticesWritesAndReplacementsForEver) {
  Write(path_);
  ASSERT_EQ(watch_.Open(path_), 0);
  EXPECT_FALSE(IsWoken());
  for (int i = 0; i < 3; ++i) {
    Write(path_);
    ExpectChange("written");
    Replace();
    ExpectChange("replaced");
  }
  Write((folder_ / "other").string());
  EXPECT_FALSE(IsWoken()) << "another file of the folder";
}

TEST_F(FileWatchTest, TellsWhatIsBeingWrittenFromWhatIsDone) {
  Write(path_);
  ASSERT_EQ(watch_.Open(path_), 0);
  std::ofstream file(path_);
  EXPECT_EQ(watch_.Look(), FileWatch::Change::kBeingWritten) << "emptied";
  EXPECT_EQ(watch_.Look(), FileWatch::Change::kNone);
  file << "{}" << std::flush;
  EXPECT_EQ(watch_.Look(), FileWatch::Change::kBeingWritten);
  file.close();
  ExpectChange("closed");
}

TEST_F(FileWatchTest, NoticesAFileThatComesLaterOrAgain) {
  ASSERT_EQ(watch_.Open(path_), 0);
  Write(path_);
  ExpectChange("came");
  Write(path_);
  ExpectChange("written");
  fs::remove(path_);
  ExpectChange("gone");
  Replace();
  ExpectChange("came again");
  Replace();
  ExpectChange("replaced");
}

TEST_F(FileWatchTest, NoticesThatALinkLeadsElsewhere) {
  const auto lead_to = [this](const char* name) {
    Write((folder_ / name).string());
    fs::create_symlink(folder_ / name, path_ + ".link");
    fs::rename(path_ + ".link", path_);
  };
  Write(path_);
  ASSERT_EQ(watch_.Open(path_), 0);
  for (const char* name : {"a", "b", "c"}) {
    lead_to(name);
    ExpectChange("a link took its place");
    Write((folder_ / name).string());
    ExpectChange("what it leads to was written");
  }
  Replace();
  ExpectChange("a file took the link's place");
  fs::remove(path_);
  ExpectChange("gone");
  lead_to("a");
  ExpectChange("a link came");
}

TEST_F(FileWatchTest, NoticesAFolderThatComesLaterOrAgain) {
  path_ = (folder_ / "later" / "deep" / "settings.json").string();
  ASSERT_EQ(watch_.Open(path_), 0);
  for (int i = 0; i < 3; ++i) {
    fs::create_directories(folder_ / "later" / "deep");
    while (IsWoken()) watch_.Look();
    Write(path_);
    ExpectChange("came");
    Write(path_);
    ExpectChange("written");
    fs::remove_all(folder_ / "later");
    ExpectChange("gone");
  }
  // All at once, before the first check.
  fs::create_directories(folder_ / "later" / "deep");
  Write(path_);
  ExpectChange("came at once");
}

TEST_F(FileWatchTest, NoticesThatAFolderOnTheWayIsReplaced) {
  path_ = (folder_ / "current" / "deep" / "settings.json").string();
  const auto make = [this](const char* name) {
    fs::create_directories(folder_ / name / "deep");
    Write((folder_ / name / "deep" / "settings.json").string());
  };
  make("current");
  ASSERT_EQ(watch_.Open(path_), 0);
  for (int i = 0; i < 2; ++i) {
    make("new");
    fs::rename(folder_ / "current", folder_ / ("old" + std::to_string(i)));
    fs::rename(folder_ / "new", folder_ / "current");
    ExpectChange("another folder took its place");
    Write(path_);
    ExpectChange("written there");
    Write((folder_ / ("old" + std::to_string(i)) / "deep" / "settings.json").string());
    EXPECT_FALSE(IsWoken()) << "the old one is nobody's";
    Write((folder_ / "current" / "deep" / "other").string());
    Write((folder_ / "other").string());
    EXPECT_FALSE(IsWoken()) << "other files on the way";
  }
}

TEST_F(FileWatchTest, NoticesThatALinkOnTheWayLeadsElsewhere) {
  path_ = (folder_ / "current" / "settings.json").string();
  const auto lead_to = [this](const std::string& name) {
    fs::create_directories(folder_ / name);
    Write((folder_ / name / "settings.json").string());
    fs::create_directory_symlink(name, folder_ / "link");
    fs::rename(folder_ / "link", folder_ / "current");
  };
  lead_to("v0");
  ASSERT_EQ(watch_.Open(path_), 0);
  for (int i = 1; i < 4; ++i) {
    lead_to("v" + std::to_string(i));
    ExpectChange("the link leads elsewhere");
    Write(path_);
    ExpectChange("written there");
    Write((folder_ / ("v" + std::to_string(i - 1)) / "settings.json").string());
    EXPECT_FALSE(IsWoken()) << "the old one is nobody's";
  }
}

TEST_F(FileWatchTest, WatchesAgainWhereItsDescriptorWasClosed) {
  const int next = dup(0);
  close(next);
  Write(path_);
  ASSERT_EQ(watch_.Open(path_), 0);
  for (int i = 0; i < 3; ++i) {
    close(next);
    EXPECT_EQ(watch_.Look(), FileWatch::Change::kDone) << "it may have changed meanwhile";
    EXPECT_EQ(watch_.Look(), FileWatch::Change::kNone);
    Replace();
    EXPECT_EQ(watch_.Look(), FileWatch::Change::kDone);
    while (watch_.Look() != FileWatch::Change::kNone) {
    }
  }
  close(next);
  EXPECT_EQ(watch_.Look(), FileWatch::Change::kNone) << "not for ever";
}

TEST_F(FileWatchTest, SaysWhereNothingCanBeWatched) {
  EXPECT_EQ(watch_.Open((folder_ / std::string(300, 'x')).string()), ENAMETOOLONG);
  EXPECT_EQ(watch_.Look(), FileWatch::Change::kNone);
  FileWatch closed;
  EXPECT_EQ(closed.Look(), FileWatch::Change::kNone);
}

}  // namespace
}  // namespace stillframe::settings
