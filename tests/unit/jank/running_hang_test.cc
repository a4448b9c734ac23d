// SPDX-License-Identifier: Apache-2.0
// Running hangs and sessions on disk, and how the next process closes them.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/jank/earlier_files.h"
#include "tests/unit/jank/jank_store_case.h"

namespace stillframe::jank {
namespace {

class RunningHangTest : public JankStoreTest {
 protected:
  RunningHangTest() {
    store_.Start(
        {.config = &config_,
         .names = &names_,
         .annotations = &annotations_,
         .identity = &identity_,
         .writer = &writer_,
         .running = Running,
         .is_debugged = [](void* source,
                           bool) { return static_cast<RunningHangTest*>(source)->is_debugged_; },
         .source = this});
  }

  static uint64_t Running(void* source, uint64_t now_ns, uint64_t least_ns, Hang* hang) {
    auto* self = static_cast<RunningHangTest*>(source);
    hang->message.token = self->running_;
    if (self->running_ == Token::kNone) return 0;
    const uint64_t whole_ns = now_ns - self->since_ns_;
    const uint64_t age_ns = whole_ns - self->frozen_.Within(self->since_ns_, now_ns);
    if (age_ns < least_ns) return age_ns;
    hang->is_running = true;
    hang->frozen = &self->frozen_;
    hang->message.start_ns = self->since_ns_;
    hang->message.wall_ns = static_cast<int64_t>(whole_ns);
    return age_ns;
  }

  void Begin(uint64_t now_ns) {
    running_ = Token{token_ + 1};  // as the next Jank has it
    since_ns_ = now_ns;
  }

  Token running_ = Token::kNone;
  uint64_t since_ns_ = 0;
  bool is_debugged_ = false;
};

TEST_F(RunningHangTest, UnderADebuggerNothingIsWrittenEvenIfItIsGoneAtTheEnd) {
  is_debugged_ = true;
  Begin(kSecondNs);
  store_.Serve(3 * kSecondNs + 100);
  EXPECT_TRUE(Files().empty());
  is_debugged_ = false;
  Jank(3'500, {"sync"});
  running_ = Token::kNone;
  store_.Serve(9 * kSecondNs);
  EXPECT_TRUE(Files().empty());
  Jank(3'500, {"sync"});
  store_.Serve(20 * kSecondNs);
  EXPECT_EQ(OnlyRecord()["count"], 1) << "the next one counts";
}

TEST_F(RunningHangTest, OneThatWasOnDiskBeforeTheDebuggerCameIsMarked) {
  Begin(kSecondNs);
  store_.Serve(3 * kSecondNs + 100);
  EXPECT_FALSE(OnlyRecord().contains("debugged"));
  is_debugged_ = true;
  Jank(5'500, {"sync"});
  running_ = Token::kNone;
  store_.Serve(9 * kSecondNs);
  EXPECT_EQ(OnlyRecord()["debugged"], true);
}

TEST_F(RunningHangTest, AHangIsWrittenWhileItGoesOnAndOnceWhenItEnds) {
  Begin(kSecondNs);
  EXPECT_EQ(store_.Serve(2 * kSecondNs), kSecondNs) << "it is due when it is two seconds old";
  EXPECT_TRUE(Files().empty());
  EXPECT_EQ(store_.Serve(3 * kSecondNs + 100), 3 * kSecondNs - 100);
  Json record = OnlyRecord();
  EXPECT_EQ(record["running"], true);
  EXPECT_EQ(record["cost"], 2'000);
  EXPECT_EQ(record["total_ms"], 2'000);
  EXPECT_EQ(record["revision"], 1);
  const std::string id = record["id"];
  EXPECT_EQ(id, identity_.ProcessId(0) + "-101");
  store_.Serve(6 * kSecondNs);
  store_.Serve(7 * kSecondNs);
  EXPECT_EQ(OnlyRecord()["cost"], 5'000);
  EXPECT_EQ(store_.Serve(11 * kSecondNs), 10 * kSecondNs);
  EXPECT_EQ(OnlyRecord()["cost"], 10'000);
  Jank(12'345, {"run"});
  running_ = Token::kNone;
  EXPECT_EQ(store_.Serve(14 * kSecondNs), UINT64_MAX);
  record = OnlyRecord();
  EXPECT_FALSE(record.contains("running"));
  EXPECT_EQ(record["id"], id);
  EXPECT_EQ(record["revision"], 4);
  EXPECT_EQ(record["cost"], 12'345);
  EXPECT_EQ(record["count"], 1);
  EXPECT_EQ(record["total_ms"], 12'345);
  EXPECT_EQ(record["histogram"], Json({{"8192", 1}}));
}

TEST_F(RunningHangTest, OneThatIsEqualToAnEarlierOneIsCountedThereOnlyIfItWasNotOnDisk) {
  Jank(900, {"run"});
  store_.Serve(kSecondNs);
  Begin(2 * kSecondNs);
  store_.Serve(4 * kSecondNs + 1);
  Jank(2'300, {"run"});
  running_ = Token::kNone;
  Jank(800, {"run"});
  store_.Serve(60 * kSecondNs);
  const auto files = Files();
  ASSERT_EQ(files.size(), 2U) << "its id was in a file of its own";
  EXPECT_EQ(Json::parse(files[0])["count"], 2);
  EXPECT_EQ(Json::parse(files[1])["count"], 1);
}

TEST_F(RunningHangTest, OneThatEndsWithoutAReportKeepsWhatIsKnown) {
  Begin(kSecondNs);
  store_.Serve(4 * kSecondNs);
  running_ = Token::kNone;
  store_.Serve(5 * kSecondNs);
  store_.Serve(6 * kSecondNs);
  const Json record = OnlyRecord();
  EXPECT_FALSE(record.contains("running"));
  EXPECT_EQ(record["cost"], 3'000);
}

TEST_F(RunningHangTest, OneWhoseEndIsReportedLateCountsOnce) {
  Begin(kSecondNs);
  store_.Serve(4 * kSecondNs);
  running_ = Token::kNone;
  EXPECT_EQ(store_.Serve(5 * kSecondNs), 100 * kNsPerMs) << "Java describes it meanwhile";
  Jank(4'000, {"run"});
  EXPECT_EQ(store_.Serve(5 * kSecondNs + kNsPerMs), UINT64_MAX);
  const Json record = OnlyRecord();
  EXPECT_FALSE(record.contains("running"));
  EXPECT_EQ(record["count"], 1);
  EXPECT_EQ(record["cost"], 4'000);
}

TEST_F(RunningHangTest, SwitchingOffRemovesTheRecordOfAHangThatRuns) {
  Begin(kSecondNs);
  store_.Serve(4 * kSecondNs);
  EXPECT_EQ(Files().size(), 1U);
  config_.janks = false;
  store_.Serve(5 * kSecondNs);
  EXPECT_TRUE(Files().empty()) << "the next process would take it for killed";
}

TEST_F(RunningHangTest, TheEndOfAHangThatWasOnDiskMayExceedTheBudget) {
  Begin(kSecondNs);
  store_.Serve(4 * kSecondNs);
  config_.jank_kib_per_day = 1;
  Jank(9'000, {"run"});
  running_ = Token::kNone;
  store_.Serve(12 * kSecondNs);
  EXPECT_EQ(OnlyRecord()["cost"], 9'000);
}

TEST_F(RunningHangTest, FrozenTimeIsNoPartOfAHangThatWasOnDisk) {
  Begin(0);
  store_.Serve(2'100 * kNsPerMs);
  EXPECT_EQ(OnlyRecord()["cost"], 2'100);
  frozen_.Add({2'200 * kNsPerMs, 7'200 * kNsPerMs, 5'000 * kNsPerMs});
  EXPECT_EQ(store_.Serve(7'300 * kNsPerMs), 2'700 * kNsPerMs);
  EXPECT_EQ(OnlyRecord()["cost"], 2'100);
  store_.Serve(10'000 * kNsPerMs);
  store_.Serve(13'000 * kNsPerMs);
  EXPECT_EQ(OnlyRecord()["cost"], 5'000);
  Jank(14'000, {"run"});
  running_ = Token::kNone;
  store_.Serve(30 * kSecondNs);
  const Json record = OnlyRecord();
  EXPECT_FALSE(record.contains("running"));
  EXPECT_EQ(record["cost"], 9'000);
  EXPECT_EQ(record["total_ms"], 9'000);
}

// An id of a process that has ended.
std::string DeadProcess() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return "abc-1700000000000p" + std::to_string(child);
}

TEST_F(RunningHangTest, TheNextProcessClosesWhatAKilledOneLeft) {
  const std::string id = DeadProcess() + "-7";
  const std::string text =
      "{\"cost\":2000,\"id\":\"" + id + "\",\"revision\":9,\"running\":true}\n";
  const Closed closed = CloseText(RecordPath("/f", id, 9), text);
  EXPECT_EQ(closed.path, RecordPath("/f", id, 10));
  EXPECT_EQ(closed.text, "{\"cost\":2000,\"id\":\"" + id +
                             "\",\"revision\":10,\"running\":true,\"ended\":\"killed\"}\n");
  EXPECT_EQ(CloseText(closed.path, closed.text).text, "") << "once";
  std::string sent = RecordPath("/f", id, 9);
  sent.replace(sent.rfind(".json"), 5, ".sent");
  EXPECT_EQ(CloseText(sent, text).path, RecordPath("/f", id, 10)) << "it is to be sent again";
  const std::string ended = "{\"cost\":2000,\"id\":\"" + id + "\",\"revision\":9}\n";
  EXPECT_EQ(CloseText(RecordPath("/f", id, 9), ended).text, "") << "the hang had ended";
  const std::string session = std::string("/f/") + kSessionPrefix + "x.json";
  EXPECT_NE(CloseText(session, ended).text, "");
  const std::string own =
      "{\"id\":\"" + identity_.ProcessId(0) + "-7\",\"revision\":9,\"running\":true}\n";
  EXPECT_EQ(CloseText(RecordPath("/f", "x", 9), own).text, "") << "its process is alive";
  for (const char* bad :
       {"", "}\n", "\"revision\":}\n", "{\"id\":\"\",\"revision\":1,\"running\":true}\n",
        "{\"id\":\"a-b.c\",\"revision\":x"})
    EXPECT_EQ(CloseText(RecordPath("/f", "x", 9), bad).text, "") << bad;
}

TEST_F(RunningHangTest, AZombieIsNotAlive) {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  const std::string id =
      "abc-" + std::to_string(context::ProcessStartMs(child)) + "p" + std::to_string(child);
  const std::string text = "{\"id\":\"" + id + "-7\",\"revision\":9,\"running\":true}\n";
  const std::string path = RecordPath("/f", id + "-7", 9);
  EXPECT_TRUE(CloseText(path, text).is_alive);
  kill(child, SIGKILL);
  siginfo_t ended;
  EXPECT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_NE(CloseText(path, text).text, "");
  waitpid(child, nullptr, 0);
}

TEST_F(RunningHangTest, OfASessionThatWasSentTheNewerFileIsClosed) {
  const std::string id = DeadProcess();
  const std::string path = folder_ + "/" + kSessionPrefix + id;
  for (const auto& [suffix, revision] : {std::pair(kSentSuffix, 5), std::pair(kRecordSuffix, 9)})
    std::ofstream(path + suffix) << "{\"alive_ms\":5,\"id\":\"" << id
                                 << "\",\"revision\":" << revision << "}\n";
  EXPECT_TRUE(CloseFilesOfKilled(folder_));
  EXPECT_FALSE(fs::exists(path + kSentSuffix));
  std::ostringstream closed;
  closed << std::ifstream(path + kRecordSuffix).rdbuf();
  EXPECT_TRUE(closed.str().ends_with("\"revision\":10,\"ended\":\"killed\"}\n")) << closed.str();
}

TEST_F(RunningHangTest, SentSessionsDoNotPileUp) {
  for (int i = 100; i < 170; ++i)
    std::ofstream(folder_ + "/" + kSessionPrefix + std::to_string(i) + kSentSuffix) << "{}\n";
  SessionFile session;
  session.Start({.config = &config_, .identity = &identity_, .annotations = &annotations_}, 0);
  const auto is_sent = [](const fs::directory_entry& entry) {
    return entry.path().extension() == kSentSuffix;
  };
  EXPECT_EQ(std::ranges::count_if(fs::directory_iterator(folder_), is_sent), 64);
}

TEST_F(RunningHangTest, ASessionSumsUpItsProcessAndIsClosed) {
  config_.dump_dir = folder_;
  const std::string dead = folder_ + "/" + kSessionPrefix + "dead.json";
  std::ofstream(dead) << "{\"alive_ms\":5,\"id\":\"" << DeadProcess() << "\",\"revision\":2}\n";
  SessionFile session;
  session.Start({.config = &config_,
                 .identity = &identity_,
                 .annotations = &annotations_,
                 .read =
                     [](void*, dump::Session* to) {
                       to->messages = 42;
                       to->sampler = "off: a test";
                       return true;
                     },
                 .group = "sampled"},
                0);
  const auto read = [this] {
    std::ostringstream text;
    text
        << std::ifstream(folder_ + "/" + kSessionPrefix + identity_.ProcessId(0) + ".json").rdbuf();
    return Json::parse(text.str(), nullptr, false);
  };
  std::ostringstream closed;
  closed << std::ifstream(dead).rdbuf();
  EXPECT_TRUE(closed.str().ends_with("\"revision\":3,\"ended\":\"killed\"}\n")) << closed.str();
  session.Count(60 * kNsPerMs, true, false);
  session.Count(3'000 * kNsPerMs, true, true);
  session.Count(800 * kNsPerMs, false, true);  // a frozen frame
  session.Serve(kSecondNs);
  session.Serve(11 * kSecondNs);
  Json json = read();
  EXPECT_EQ(json["messages"], 42);
  EXPECT_EQ(json["sampler"], "off: a test");
  EXPECT_EQ(json["alive_ms"], 11'000);
  EXPECT_EQ(json["watched_ms"], 10'000) << "from the first reading on";
  EXPECT_EQ(json["slow"], 2);
  EXPECT_EQ(json["slow_ms"], 3'060);
  EXPECT_EQ(json["slow_histogram"], Json({{"32", 60}, {"2048", 3'000}}));
  EXPECT_EQ(json["janks"], 2);
  EXPECT_EQ(json["jank_ms"], 3'800);
  EXPECT_FALSE(json.contains("ended"));
  session.Close(12 * kSecondNs, "exit");
  EXPECT_EQ(session.Serve(900 * kSecondNs), UINT64_MAX);
  json = read();
  EXPECT_EQ(json["ended"], "exit");
  EXPECT_EQ(json["alive_ms"], 12'000);
  EXPECT_EQ(json["revision"], 3);
}

}  // namespace
}  // namespace stillframe::jank
