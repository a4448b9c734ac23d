// SPDX-License-Identifier: Apache-2.0
// The system's word about a process that ended joins the record of its last hang, whatever else the
// folder has.
#include "src/jank/system_exit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace stillframe::jank {
namespace {

namespace fs = std::filesystem;

constexpr int32_t kAnr = 6;
constexpr int32_t kLowMemory = 3;
constexpr int32_t kPid = 4'000'001;  // above the kernel's most: no process has it
constexpr uint64_t kStartMs = 1'700'000'000'000;
constexpr uint64_t kEndMs = kStartMs + 60'000;

class SystemExitTest : public testing::Test {
 protected:
  SystemExitTest() {
    folder_ = (fs::path(testing::TempDir()) / ("exits-" + std::to_string(getpid()))).string();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    config_.janks = true;
    config_.dump_dir = folder_;
    identity_.Start({.folder = folder_,
                     .app_install = "install",
                     .app_version = 7,
                     .abi = "arm64-v8a",
                     .art_build_id = "",
                     .library_build_id = "",
                     .cohort = ""});
  }
  ~SystemExitTest() override { fs::remove_all(folder_); }

  void File(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/stillframe-" + name) << text;
  }
  // A record with these numbers; its token is `last_ms`.
  void Record(uint64_t start_ms, uint64_t cost_ms, uint64_t last_ms, const std::string& end,
              const char* suffix = "json") const {
    const std::string id = "install-" + std::to_string(start_ms) + "p" + std::to_string(kPid) +
                           "-" + std::to_string(last_ms % 1'000'000);
    File("jank-" + id + "-r2." + suffix,
         "{\"cost\":" + std::to_string(cost_ms) + ",\"count\":1,\"last_time\":" +
             std::to_string(last_ms) + ",\"id\":\"" + id + "\",\"revision\":2" + end + "}\n");
  }
  static model::SystemExit Anr(uint64_t time_ms = kEndMs) {
    model::SystemExit exit;
    exit.pid = kPid;
    exit.time_ms = time_ms;
    exit.reason = kAnr;
    exit.description = "Input \"dispatching\" timed out";
    return exit;
  }
  static std::string Summary(uint64_t start_ms, int32_t pid = kPid) {
    const model::ProcessSummary summary = model::SummaryOf(start_ms, pid);
    return {summary.begin(), summary.end()};
  }
  std::string Join(const model::SystemExit& exit) {
    std::string path;
    EXPECT_EQ(JoinExit(config_, identity_, exit, &path), SpoolResult::kWritten);
    return path.empty() ? "" : fs::path(path).filename().string();
  }
  std::map<std::string, std::string> Records() const {
    std::map<std::string, std::string> texts;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with(kRecordPrefix) || name.ends_with(".day")) continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      texts[name] = text.str();
    }
    return texts;
  }

  std::string folder_;
  settings::Config config_;
  context::Identity identity_;
};

TEST_F(SystemExitTest, JoinsTheHangThatRan) {
  Record(kStartMs, 9'000, kEndMs - 30'000, "");
  Record(kStartMs, 5'000, kEndMs - 40'000, ",\"running\":true");
  const std::string joined = Join(Anr());
  EXPECT_TRUE(joined.ends_with("-20000-r3.json")) << joined;
  const std::string text = Records()[joined];
  EXPECT_NE(text.find("\"revision\":3,\"running\":true,\"ended\":\"killed\",\"exit\":{\"time\":"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"description\":\"Input \\\"dispatching\\\" timed out\"}}\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(Records().size(), 2U);
}

TEST_F(SystemExitTest, AnAnrJoinsTheLastHangAndNoShortJank) {
  Record(kStartMs, 5'000, kEndMs - 50'000, "");
  Record(kStartMs, 8'000, kEndMs - 40'000, "", "sent");
  Record(kStartMs, 900, kEndMs - 1'000, "");
  const std::string joined = Join(Anr());
  EXPECT_TRUE(joined.ends_with("-20000-r3.json")) << joined;
  EXPECT_EQ(Records().size(), 3U);  // the sent one is replaced
}

TEST_F(SystemExitTest, AnAnrIsNotOfAnotherThreadsHang) {
  Record(kStartMs, 8'000, kEndMs - 10'000, ",\"thread\":\"worker\"");
  EXPECT_TRUE(Join(Anr()).ends_with("-" + std::to_string(kEndMs) + "-r1.json"));
  Record(kStartMs, 3'000, kEndMs - 40'000, "");
  EXPECT_TRUE(Join(Anr(kEndMs + 1)).ends_with("-r1.json")) << "that process has ended";
}

TEST_F(SystemExitTest, TheTracesOfAnAnrAfterAHangAreKept) {
  Record(kStartMs, 3'000, kEndMs - 40'000, "");
  model::SystemExit exit = Anr();
  exit.trace = "Subject: secret\n----- pid 1 at 2026 -----\n";
  const std::string name = Join(exit);
  const std::string text = Records()[name];
  EXPECT_NE(text.find(",\"system_traces\":\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"exit\":{"), std::string::npos) << text;
}

TEST_F(SystemExitTest, AnotherReasonJoinsOnlyAHangThatRan) {
  Record(kStartMs, 8'000, kEndMs - 40'000, "");
  model::SystemExit exit = Anr();
  exit.reason = kLowMemory;
  EXPECT_EQ(Join(exit), "");
  EXPECT_TRUE(IsExitKnown(folder_, kPid, kEndMs));
  exit.time_ms += 1;
  Record(kStartMs, 3'000, kEndMs - 500, ",\"running\":true,\"ended\":\"killed\"");
  EXPECT_EQ(Join(exit), "");  // that process ended at the first exit
}

TEST_F(SystemExitTest, ThePidAloneFindsTheLastProcess) {
  Record(kStartMs - 500'000, 6'000, kStartMs - 400'000, ",\"running\":true");
  Record(kStartMs, 7'000, kEndMs - 5'000, ",\"running\":true");
  Record(kEndMs + 10'000, 7'000, kEndMs + 20'000, ",\"running\":true");
  EXPECT_TRUE(Join(Anr()).starts_with("stillframe-jank-install-1700000000000p"));
}

TEST_F(SystemExitTest, TheSummaryFindsItsProcess) {
  Record(kStartMs - 500'000, 6'000, kStartMs - 400'000, ",\"running\":true");
  Record(kStartMs, 7'000, kEndMs - 5'000, ",\"running\":true");
  model::SystemExit exit = Anr();
  exit.summary = Summary(kStartMs - 500'000);
  EXPECT_TRUE(Join(exit).starts_with("stillframe-jank-install-1699999500000p"));
}

TEST_F(SystemExitTest, ASummaryOfTheApplicationIsNone) {
  Record(kStartMs, 7'000, kEndMs - 5'000, ",\"running\":true");
  model::SystemExit exit = Anr();
  for (const std::string& summary : {std::string("sixteen letters!"),
                                     Summary(kStartMs - 9'999, kPid + 1), std::string("SFP1")}) {
    exit.summary = summary;
    exit.time_ms += 1;
    fs::remove(folder_ + "/stillframe-exits");
    for (const auto& [name, text] : Records()) fs::remove(folder_ + "/" + name);
    Record(kStartMs, 7'000, kEndMs - 5'000, ",\"running\":true");
    EXPECT_TRUE(Join(exit).starts_with("stillframe-jank-install-1700000000000p")) << summary;
  }
}

TEST_F(SystemExitTest, ALaterProcessOfThePidDoesNotJoinAnEarlierRecord) {
  Record(kStartMs, 7'000, kEndMs - 5'000, ",\"running\":true");
  EXPECT_NE(Join(Anr()), "");
  const std::string own = Join(Anr(kEndMs + 90'000));
  EXPECT_TRUE(own.starts_with("stillframe-jank-install-0p")) << own;
  EXPECT_EQ(Records().size(), 2U);
}

TEST_F(SystemExitTest, IsReadOnce) {
  Record(kStartMs, 7'000, kEndMs - 5'000, ",\"running\":true");
  EXPECT_NE(Join(Anr()), "");
  const auto records = Records();
  EXPECT_EQ(Join(Anr()), "");
  fs::remove(folder_ + "/stillframe-exits");  // its list is lost
  EXPECT_EQ(Join(Anr()), "");
  EXPECT_EQ(Records(), records);
}

TEST_F(SystemExitTest, TheListStaysShort) {
  for (uint64_t i = 0; i < 200; ++i) {
    model::SystemExit exit = Anr(kEndMs + i);
    exit.reason = kLowMemory;
    Join(exit);
  }
  EXPECT_FALSE(IsExitKnown(folder_, kPid, kEndMs + 100));
  EXPECT_TRUE(IsExitKnown(folder_, kPid, kEndMs + 199));
  EXPECT_LT(fs::file_size(folder_ + "/stillframe-exits"), 2'000U);
}

TEST_F(SystemExitTest, AnAnrWithoutARecordKeepsTheSystemsTraces) {
  const std::string id = "install-" + std::to_string(kStartMs) + "p" + std::to_string(kPid);
  File("session-" + id + ".json",
       "{\"identity\":{\"version_name\":\"2.0 }\",\"package\":\"com.shop\"},\"id\":\"" + id +
           "\",\"revision\":4}\n");
  model::SystemExit exit = Anr();
  exit.process = "com.shop:remote";
  exit.trace = "DALVIK THREADS (1):\n";
  const std::string name = Join(exit);
  EXPECT_EQ(name, "stillframe-jank-" + id + "-" + std::to_string(kEndMs) + "-r1.json");
  const std::string text = Records()[name];
  EXPECT_NE(text.find("\"identity\":{\"version_name\":\"2.0 }\",\"package\":\"com.shop\"},"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"process\":\"com.shop:remote\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"system_traces\":\""), std::string::npos) << text;
}

TEST_F(SystemExitTest, LeavesOutWhatTheApplicationOmits) {
  for (const settings::Part part :
       {settings::Part::kStacks, settings::Part::kReason, settings::Part::kInstall})
    config_.omit.Add(part);
  model::SystemExit exit = Anr();
  exit.trace = "DALVIK THREADS (1):\n";
  const std::string name = Join(exit);
  EXPECT_TRUE(name.starts_with("stillframe-jank-x-0p")) << name;
  const std::string text = Records()[name];
  EXPECT_EQ(text.find("system_traces"), std::string::npos) << text;
  EXPECT_EQ(text.find("timed out"), std::string::npos) << text;
  EXPECT_NE(text.find("\"exit\":{"), std::string::npos) << text;
}

TEST_F(SystemExitTest, AWordAddedLaterHoldsForTheWholeRecord) {
  const std::string id = "install-" + std::to_string(kStartMs) + "p" + std::to_string(kPid);
  File("session-" + id + ".json", "{\"identity\":{\"package\":\"com.shop\"},\"revision\":4}\n");
  config_.omit.Add(settings::Part::kInstall);
  config_.omit.Add(settings::Part::kReason);
  model::SystemExit exit = Anr();
  exit.trace = "Subject: secret";  // nothing but the system's words
  const std::string name = Join(exit);
  EXPECT_TRUE(name.starts_with("stillframe-jank-x-1700000000000p")) << name;
  const std::string text = Records()[name];
  EXPECT_EQ(text.find("install-"), std::string::npos) << text;
  EXPECT_EQ(text.find("system_traces"), std::string::npos) << text;
}

TEST_F(SystemExitTest, TheDaysBytesHoldForExitsToo) {
  config_.jank_kib_per_day = 0;
  std::string path;
  EXPECT_EQ(JoinExit(config_, identity_, Anr(), &path), SpoolResult::kDayOver);
  EXPECT_FALSE(IsExitKnown(folder_, kPid, kEndMs));  // another day
}

}  // namespace
}  // namespace stillframe::jank
