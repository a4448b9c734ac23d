// SPDX-License-Identifier: Apache-2.0
// The files that janks leave in the folder, their sizes, and when they are written.
#include <sys/wait.h>
#include <unistd.h>

#include "src/dump/reader.h"
#include "tests/unit/jank/jank_store_case.h"

namespace stillframe::jank {
namespace {

TEST_F(JankStoreTest, ARecordSaysWhatRanBeforeAndWhenItWasFirstSeen) {
  const auto ended = [this](history::EntryKind kind, uint64_t ms, const char* callback) {
    history::Entry entry = {};
    entry.kind = kind;
    entry.end_ns = ms * kNsPerMs;
    entry.messages = kind == history::EntryKind::kRun ? 40 : 1;
    entry.target = names_.Intern("android.os.Handler");
    entry.callback = names_.Intern(callback);
    past_.Push(entry);
  };
  for (int i = 0; i < 5; ++i) ended(history::EntryKind::kMessage, 9, "com.shop.Old");
  ended(history::EntryKind::kSegment, 80, "com.shop.Warm.queueIdle");
  ended(history::EntryKind::kIdle, 500, "");
  ended(history::EntryKind::kRun, 30, "");
  ended(history::EntryKind::kMessage, 12, "com.shop.Load");
  Jank(900, {"run"});
  store_.Serve(0);
  const Json record = OnlyRecord();
  EXPECT_EQ(record["before"],
            "message,1,12,com.shop.Load\n"
            "messages,40,30,android.os.Handler\n"
            "idle,1,500,android.os.Handler\n"
            "segment,1,80,com.shop.Warm.queueIdle\n"
            "message,1,9,com.shop.Old\n");
  EXPECT_EQ(record["first_sample_ms"], 90);
}

TEST_F(JankStoreTest, MethodsOfSegmentsBeforeItAreLeftOutWithStacks) {
  history::Entry entry = {};
  entry.kind = history::EntryKind::kSegment;
  entry.callback = names_.Intern("com.shop.Warm.queueIdle");
  past_.Push(entry);
  config_.omit.Add(settings::Part::kStacks);
  Jank(900, {"run"});
  store_.Serve(0);
  EXPECT_EQ(OnlyRecord()["before"], "segment,1,0,\n");
}

TEST_F(JankStoreTest, AFrozenFrameHasARecordWithItsStageWhereNoMessageHasOne) {
  tap::EndedMessage frame = {};
  frame.work_ns = 850 * kNsPerMs;
  std::strncpy(frame.callback, "com.shop.Draw", sizeof frame.callback - 1);
  history::MessageFacts facts;
  facts.stage = model::FrameStage::kTraversal;
  const auto tell = [&](uint64_t longest_ms) {
    frame.token = Token{++token_};
    JankStore::OnJank(&store_, {frame, facts, nullptr, past_, true, longest_ms * kNsPerMs});
    store_.Serve(0);
  };
  tell(700);
  EXPECT_EQ(Files().size(), 0U) << "that one has it";
  tell(699);
  const Json record = OnlyRecord();
  EXPECT_TRUE(record["frozenFrame"] == true && record["stage"] == 5 && record["cost"] == 850);
  EXPECT_EQ(record["callback"], "com.shop.Draw");
  EXPECT_FALSE(record.contains("usage") || record.contains("cpu_ms"));
  facts.stage = model::FrameStage::kNone;
  tell(400);
  EXPECT_EQ(Files().size(), 2U) << "another stage is another jank";
  frame.work_ns = 800 * kNsPerMs;
  frame.token = Token{++token_};
  JankStore::OnJank(&store_, {frame, facts, nullptr, past_});
  store_.Serve(0);
  EXPECT_EQ(Files().size(), 3U) << "a message is none";
}

TEST_F(JankStoreTest, ARecordSaysWhatMatrixSaysAndMore) {
  annotations_.SetScene("Checkout \"pay\"", 1);
  Jank(900, {"run", "total"});
  EXPECT_EQ(store_.Serve(kSecondNs), UINT64_MAX);
  const Json record = OnlyRecord();
  EXPECT_EQ(record["cost"], 900);
  EXPECT_EQ(record["usage"], "25.00%");
  EXPECT_EQ(record["scene"], "Checkout \"pay\"");
  EXPECT_EQ(record["callback"], "com.shop.Pay");
  EXPECT_EQ(record["late_ms"], 12);
  EXPECT_FALSE(record.contains("blocked_ms"));  // not known
  EXPECT_EQ(record["count"], 1);
  EXPECT_EQ(record["newest_ms"], Json::array({900}));
  EXPECT_EQ(record["histogram"], Json({{"512", 1}}));
  const std::string key = record["stackKey"].get<std::string>();
  EXPECT_EQ(record["methods"][key.substr(0, key.size() - 1)], "com.shop.Cart.total");
  EXPECT_EQ(record["stack"].get<std::string>().back(), '\n');
}

TEST_F(JankStoreTest, NothingIsWrittenBelowTheThresholdOrWhenItIsOff) {
  Jank(699, {"run"});
  Jank(900, {"run"});  // and is not written before it is switched off
  config_.janks = false;
  Jank(5'000, {"run"});
  EXPECT_EQ(store_.Serve(kSecondNs), UINT64_MAX);
  config_.janks = true;
  EXPECT_EQ(store_.Serve(3 * kSecondNs), UINT64_MAX);
  EXPECT_TRUE(Files().empty());
}

TEST_F(JankStoreTest, AFileIsWrittenEveryTwoSecondsAndAtOnceWhenTheProcessEnds) {
  for (int i = 0; i < 3; ++i) {
    Jank(900, {"run"});
    store_.Serve(kSecondNs + static_cast<uint64_t>(i));
  }
  EXPECT_EQ(OnlyRecord()["count"], 1);
  EXPECT_EQ(store_.Serve(2 * kSecondNs), kSecondNs);
  const uint32_t then = store_.RequestFlush();
  EXPECT_FALSE(store_.HasCaughtUp(then));
  EXPECT_EQ(store_.Serve(2 * kSecondNs), UINT64_MAX);
  EXPECT_FALSE(store_.HasCaughtUp(then));  // a message may have ended in the middle of it
  store_.Serve(kSecondNs);
  EXPECT_FALSE(store_.HasCaughtUp(then));  // the session is closed after it
  store_.Serve(2 * kSecondNs);
  EXPECT_TRUE(store_.HasCaughtUp(then));
  EXPECT_EQ(OnlyRecord()["count"], 3);
}

TEST_F(JankStoreTest, ADayThatIsUsedUpHoldsRecordsBack) {
  config_.jank_kib_per_day = 1;
  for (int i = 0; i < 5; ++i) Jank(900, {"run", "m" + std::to_string(i)});
  EXPECT_GT(store_.Serve(kSecondNs), kSecondNs);
  EXPECT_LE(Files().size(), 1U);
  EXPECT_GE(counted_.Of(Counter::kJankRecordsHeld), 4U);
}

TEST_F(JankStoreTest, TheFolderKeepsTheNewest) {
  config_.jank_files = 3;
  for (int i = 0; i < 10; ++i) {
    Jank(900, {"run", "m" + std::to_string(i)});
    store_.Serve(static_cast<uint64_t>(i + 1) * kSecondNs);
  }
  EXPECT_EQ(Files().size(), 3U);
}

TEST_F(JankStoreTest, ManyDifferentOnesAreBoundedInMemoryAndCounted) {
  for (int i = 0; i < 40; ++i) Jank(900, {"run", "m" + std::to_string(i)});
  EXPECT_EQ(counted_.Of(Counter::kJanksLost), 8U);
}

TEST_F(JankStoreTest, TheLongestNamesFitAndTheDeepestMethodStays) {
  std::vector<std::string> methods;
  for (int i = 0; i < 200; ++i) methods.push_back(std::string(300, 'a') + std::to_string(i));
  annotations_.SetScene(std::string(250, '\x01').c_str(), 1);
  for (int i = 0; i < 12; ++i) Jank(uint64_t{900} << i, methods, std::string(159, '\x02').c_str());
  store_.Serve(kSecondNs);
  const Json record = OnlyRecord();
  ASSERT_TRUE(record.contains("stack"));
  EXPECT_GE(record["methods"].size(), 1U);
  const std::string key = record["stackKey"].get<std::string>();
  EXPECT_TRUE(record["methods"].contains(key.substr(0, key.size() - 1)));
}

TEST_F(JankStoreTest, WhatIsOmittedIsNotThere) {
  annotations_.SetScene("Checkout", 1);
  config_.omit.AddWords("stacks,messages,process,annotations,context");
  Jank(900, {"run", "total"});
  Jank(900, {"run", "tax"});
  store_.Serve(kSecondNs);
  store_.Serve(10 * kSecondNs);
  const auto files = Files();
  ASSERT_EQ(files.size(), 1U);
  for (const char* gone : {"Cart", "Pay", "Handler", "Checkout", "jank_store", "machine"})
    EXPECT_EQ(files[0].find(gone), std::string::npos) << gone;
  EXPECT_EQ(Json::parse(files[0])["count"], 2);
}

TEST_F(JankStoreTest, ASegmentsNameIsOfItsStack) {
  segment_ = model::SegmentKind::kIdleHandler;
  config_.omit.AddWords("stacks");
  Jank(900, {"run"});
  store_.Serve(kSecondNs);
  const Json record = OnlyRecord();
  EXPECT_EQ(record["segment"], 2);
  EXPECT_FALSE(record.contains("callback"));
}

TEST_F(JankStoreTest, AFolderThatIsGoneIsTriedAgain) {
  const std::string elsewhere = config_.dump_dir = folder_ + "/not-yet";
  Jank(900, {"run"});
  const uint32_t then = store_.RequestFlush();
  EXPECT_EQ(store_.Serve(kSecondNs), UINT64_MAX) << "nobody is woken for it";
  store_.Serve(kSecondNs + 1);
  EXPECT_FALSE(store_.HasCaughtUp(then));
  fs::create_directory(elsewhere);
  EXPECT_EQ(store_.Serve(4 * kSecondNs), UINT64_MAX);
  EXPECT_EQ(std::distance(fs::directory_iterator(elsewhere), {}), 2) << "and what the day has";
  fs::remove_all(elsewhere);
}

// Killed at any moment, also while it writes: the files that exist are whole.
TEST_F(JankStoreTest, KilledAtAnyMomentRecordsAreWhole) {
  config_.jank_kib_per_day = 1'000'000;
  for (int i = 0; i < 60; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (uint64_t jank = 0;; ++jank) {
        Jank(700 + jank % 500, {"run", "m" + std::to_string(jank % 5)});
        store_.Serve(jank * 3 * kSecondNs);
      }
    }
    usleep(static_cast<useconds_t>(1'000 + i * 137 % 4'000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  // The last ones may have been killed before they removed halves.
  Jank(900, {"end"});
  store_.Serve(0);
  size_t records = 0;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (entry.path().extension() != ".json") continue;  // half of one, under its other name
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    std::string error;
    input::HangFile hang;
    input::SessionFile session;
    EXPECT_NE(ReadRecordFile(text.str(), &hang, &session, &error), input::FileKind::kNeither)
        << entry.path() << "\n"
        << text.str();
    ++records;
  }
  EXPECT_GT(records, 0U);
  // Killed before it removed the oldest, or the revision before.
  EXPECT_LE(records, config_.jank_files + 2);
  const auto files = std::distance(fs::directory_iterator(folder_), {});
  // Halves are bounded too; and the day and the install.
  EXPECT_LE(files, static_cast<ptrdiff_t>(records) + 10);
}

TEST_F(JankStoreTest, TimeStandsStillWhileTheProcessIsFrozen) {
  frozen_.Add({600 * kNsPerMs, 3'600 * kNsPerMs, 3'000 * kNsPerMs});
  frozen_.Add({3'700 * kNsPerMs, 9'000 * kNsPerMs, 0});  // suspended: no time of CLOCK_MONOTONIC
  Jank(3'191, {"run"});
  store_.Serve(10 * kSecondNs);
  EXPECT_TRUE(Files().empty()) << "191 ms";
  Jank(5'000, {"run", "pay"});
  store_.Serve(20 * kSecondNs);
  const Json record = OnlyRecord();
  EXPECT_EQ(record["cost"], 2'000);
  EXPECT_EQ(record["total_ms"], 2'000);
  const std::string stack = record["stack"];
  EXPECT_TRUE(stack.ends_with(",10,2000\n")) << stack;
  input::RecordFacts facts;
  ASSERT_TRUE(input::ReadFacts(record.dump(), &facts));
  const dump::ReadResult read =
      dump::ReadDump({reinterpret_cast<const uint8_t*>(facts.dump.data()), facts.dump.size()});
  ASSERT_TRUE(read.ok()) << read.error;
  EXPECT_EQ(read.document.history.at(0).wall_ns, 2'000 * static_cast<int64_t>(kNsPerMs));
  EXPECT_EQ(read.document.trees.at(0).samples().back().wall_us, 2'000'000U);
}

}  // namespace
}  // namespace stillframe::jank
