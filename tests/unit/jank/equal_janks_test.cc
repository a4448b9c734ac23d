// SPDX-License-Identifier: Apache-2.0
// Which janks are equal and share a record.
#include <map>

#include "src/dump/reader.h"
#include "tests/unit/jank/jank_store_case.h"

namespace stillframe::jank {
namespace {

TEST_F(JankStoreTest, EqualJanksAreOneRecordThatIsWrittenNowAndThen) {
  for (uint64_t i = 0; i < 1'000; ++i) {
    Jank(700 + i, {"run", "total"});
    EXPECT_GT(store_.Serve(kSecondNs + i * 10 * kNsPerMs), 0U);
  }
  // In ten seconds a record is written at once, after two seconds, and after four more.
  EXPECT_EQ(counted_.Of(Counter::kJanks), 1'000U);
  EXPECT_EQ(counted_.Of(Counter::kJankRecordsWritten), 3U);
  EXPECT_EQ(store_.Serve(100 * kSecondNs), UINT64_MAX);
  const Json record = OnlyRecord();
  EXPECT_EQ(record["count"], 1'000);
  EXPECT_EQ(record["total_ms"], 1'199'500);
  EXPECT_EQ(record["cost"], 1'699);  // the longest is described
  EXPECT_EQ(record["newest_ms"].size(), 8U);
  EXPECT_EQ(record["newest_ms"].back(), 1'699);
  EXPECT_EQ(record["histogram"], Json({{"512", 324}, {"1024", 676}}));
}

TEST_F(JankStoreTest, AnotherMethodOrMessageIsAnotherRecord) {
  Jank(900, {"run", "total"});
  Jank(900, {"run", "tax"});
  Jank(900, {"run", "total"}, "com.shop.Refresh");
  Jank(900, {"run", "total"});
  store_.Serve(kSecondNs);
  EXPECT_EQ(Files().size(), 3U);
}

TEST_F(JankStoreTest, AnotherThreadIsAnotherRecordThatNamesIt) {
  Jank(900, {"run", "total"});
  for (const char* name : {"worker-0", "worker-1", "worker-0"}) {
    thread_ = {name, 12};
    Jank(901, {"run", "total"});
  }
  store_.Serve(kSecondNs);
  std::map<std::string, uint64_t> counts;
  for (const std::string& file : Files()) {
    const Json record = Json::parse(file);
    counts[record.value("thread", "none")] = record["count"];
    input::HangFile hang;
    input::SessionFile session;
    std::string error;
    ASSERT_EQ(input::ReadRecordFile(file, &hang, &session, &error), input::FileKind::kHang);
    EXPECT_EQ(hang.thread,
              record.contains("thread") ? "thread " + std::string(record["thread"]) : "");
    const auto dump =
        dump::ReadDump({reinterpret_cast<const uint8_t*>(hang.dump.data()), hang.dump.size()});
    ASSERT_TRUE(dump.ok()) << dump.error;
    ASSERT_EQ(dump.document.history.size(), 1U);
    EXPECT_EQ(dump.document.trees.size(), 1U);
    const uint32_t looper = dump.document.history[0].looper;
    EXPECT_EQ(looper, hang.thread.empty() ? 0U : 1U);
    if (looper != 0) EXPECT_EQ(dump.document.loopers[looper].thread, record["thread"]);
  }
  EXPECT_EQ(counts,
            (std::map<std::string, uint64_t>{{"none", 1}, {"worker-0", 2}, {"worker-1", 1}}));
}

TEST_F(JankStoreTest, WithoutThreadsTheRecordOfAnotherThreadStaysOneOfAnother) {
  config_.omit.Add(settings::Part::kThreads);
  thread_ = {"worker-0", 12};
  Jank(900, {"run", "total"});
  store_.Serve(kSecondNs);
  EXPECT_EQ(OnlyRecord()["thread"], "");
  EXPECT_EQ(Files()[0].find("worker"), std::string::npos);
}

// Two methods share the samples about equally. By chance either is heavier, and one may seem to
// have only a fifth.
TEST_F(JankStoreTest, ChanceDoesNotPartEqualJanks) {
  for (uint32_t i = 0; i < 20; ++i) {
    const uint32_t total = i == 7 ? 20 : 12 + i % 2;
    model::TraceTree tree(Token{7});
    for (uint32_t sample = 0; sample < 25; ++sample)
      tree.Add(std::vector{Frame("run"), Frame(sample < total ? "total" : "tax")},
               {40'000 * (sample + 1), 40'000, 0, model::ThreadState::kRunnable});
    End(1'000, &tree);
  }
  store_.Serve(kSecondNs);
  EXPECT_EQ(OnlyRecord()["count"], 20);
}

TEST_F(JankStoreTest, WithoutEnoughSamplesTheMessageIsWhatIsEqual) {
  Jank(900, {});
  samples_ = 4;
  Jank(901, {"run", "total"});
  Jank(902, {"run", "tax"});
  Jank(900, {"run"}, "com.shop.Refresh");
  samples_ = 5;
  Jank(903, {"run", "total"});
  store_.Serve(kSecondNs);
  auto files = Files();
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(Json::parse(files[0])["count"], 4);
  // From now on the common methods of this record are known.
  Jank(904, {"run", "tax"});
  store_.Serve(2 * kSecondNs);
  files = Files();
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(Json::parse(files[2])["count"], 1);
}

TEST_F(JankStoreTest, WhereItWaitedForACpuByChanceDoesNotPartEqualJanks) {
  Jank(900, {"run", "total"});
  without_cpu_ms_ = 800;
  Jank(901, {"run", "tax"});
  samples_ = 80;  // enough of them came with a CPU
  Jank(902, {"run", "tax"});
  store_.Serve(0);
  const auto files = Files();
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(Json::parse(files[0])["count"], 2);
  EXPECT_EQ(Json::parse(files[1])["count"], 1);
}

}  // namespace
}  // namespace stillframe::jank
