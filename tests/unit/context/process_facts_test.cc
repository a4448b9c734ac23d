// SPDX-License-Identifier: Apache-2.0
// Facts of this process, and of a fake /proc with missing or forbidden files.
#include "src/context/process_facts.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "src/core/clock.h"
#include "src/model/context_names.h"

namespace stillframe::context {
namespace {

namespace names = model::context;
using State = model::ContextEntry::State;
constexpr uint64_t kSecond = 1'000'000'000;

const model::ContextEntry* Find(const std::vector<model::ContextEntry>& entries,
                                std::string_view group, std::string_view name) {
  for (const model::ContextEntry& entry : entries)
    if (entry.group == group && entry.name == name) return &entry;
  return nullptr;
}

// A /proc of two threads, 10 (the main one) and 11.
class FakeProc : public testing::Test {
 protected:
  FakeProc() {
    char path[] = "/tmp/stillframe-proc-XXXXXX";
    root_ = mkdtemp(path);
    for (const char* folder : {"self/task/10", "self/task/11", "self/fd", "pressure"})
      std::filesystem::create_directories(root_ / folder);
    Write("loadavg", "1.50 0.75 0.25 3/100 12\n");
    Write("stat", "cpu  100 0 0 900 0 0 0 0 0 0\ncpu0 1 2\n");
    Write("meminfo", "MemTotal:  4096 kB\nMemAvailable:  1024 kB\n");
    Write("self/status", "VmRSS:\t 512 kB\nVmSwap:\t 0 kB\n");
    Write("self/smaps_rollup", "Rss: 512 kB\nPss: 256 kB\n");
    Write("self/io", "read_bytes: 1000\nwrite_bytes: 2000\n");
    Write("self/oom_score_adj", "0\n");
    Write("self/fd/0", "");
    Write("self/fd/17", "");
    Write("pressure/memory", "some avg10=12.50 avg60=0.00 avg300=0.00 total=1\n");
    SetThread(10, "main", 100, 0);
    SetThread(11, "worker", 100, 0);
    SetProcess(200, 5);
  }
  ~FakeProc() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& name, const std::string& text) {
    std::ofstream(root_ / name) << text;
  }
  static std::string Stat(int pid, const std::string& name, int user, int major) {
    return std::to_string(pid) + " (" + name + ") R 1 1 1 0 -1 0 50 0 " + std::to_string(major) +
           " 0 " + std::to_string(user) + " 0 0 0 20 0 2 0 777 0 0\n";
  }
  void SetThread(int tid, const std::string& name, int user, uint64_t wait_ns) {
    const std::string folder = "self/task/" + std::to_string(tid);
    Write(folder + "/stat", Stat(tid, name, user, 0));
    Write(folder + "/schedstat", "1 " + std::to_string(wait_ns) + " 1\n");
  }
  void SetProcess(int user, int major) { Write("self/stat", Stat(10, "main", user, major)); }

  std::vector<model::ContextEntry> Describe(ProcessFacts* facts, uint64_t now_ns) {
    std::vector<model::ContextEntry> entries;
    facts->Describe(now_ns, &entries);
    return entries;
  }

  std::filesystem::path root_;
};

TEST_F(FakeProc, DescribesTheDifferenceToAnEarlierReading) {
  ProcessFacts facts(root_);
  facts.Remember(100 * kSecond);
  const int ticks = static_cast<int>(sysconf(_SC_CLK_TCK));
  SetThread(10, "main", 100 + ticks / 2, 300'000'000);
  SetThread(11, "worker", 100 + 2 * ticks, 0);
  SetProcess(200 + 3 * ticks, 9);
  Write("stat", "cpu  800 0 0 1000 100 0 0 0 0 0\ncpu0 1 2\n");
  Write("self/io", "read_bytes: 5000\nwrite_bytes: 2000\n");
  const auto entries = Describe(&facts, 104 * kSecond);
  EXPECT_EQ(Find(entries, names::kCpu, names::kWindowMs)->number, 4'000);
  EXPECT_EQ(Find(entries, names::kCpu, names::kSystemBusyPermille)->number, 777);
  EXPECT_EQ(Find(entries, names::kCpu, names::kSystemIowaitPermille)->number, 111);
  EXPECT_EQ(Find(entries, names::kCpu, names::kProcessBusyPermille)->number, 750);
  EXPECT_EQ(Find(entries, names::kMemory, names::kMajorFaults)->number, 4);
  EXPECT_EQ(Find(entries, names::kMemory, names::kMinorFaults)->number, 0);
  EXPECT_EQ(Find(entries, names::kMemory, names::kPressureSomePermille)->number, 125);
  EXPECT_EQ(Find(entries, names::kMemory, names::kRssBytes)->number, 512 * 1024);
  EXPECT_EQ(Find(entries, names::kIo, names::kReadBytes)->number, 4'000);
  EXPECT_EQ(Find(entries, names::kIo, names::kWrittenBytes)->number, 0);
  EXPECT_EQ(Find(entries, names::kIo, names::kOpenFiles)->number, 2);
  EXPECT_EQ(Find(entries, names::kCpu, names::kLoad1Milli)->number, 1'500);

  const model::ThreadTable table = facts.Threads(104 * kSecond);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.threads, 2U);
  EXPECT_EQ(table.rows[0].name, "worker");
  EXPECT_EQ(table.rows[0].user_ms, 2'000);
  EXPECT_EQ(table.rows[1].user_ms, 500);
  EXPECT_EQ(table.rows[1].runqueue_wait_ms, 300);
  EXPECT_EQ(table.rows[1].interval_ms, 4'000U);
}

TEST_F(FakeProc, OfManyThreadsSomeAreRememberedAndAllAreInTheTable) {
  constexpr int kThreads = 60;
  for (int i = 0; i < kThreads; ++i) {
    std::filesystem::create_directories(root_ / "self/task" / std::to_string(10 + i));
    SetThread(10 + i, "worker", 100, 0);
  }
  ProcessFacts facts(root_);
  facts.Remember(100 * kSecond);
  const model::ThreadTable table = facts.Threads(104 * kSecond);
  ASSERT_EQ(table.rows.size(), static_cast<size_t>(kThreads));
  const auto remembered = std::count_if(table.rows.begin(), table.rows.end(),
                                        [](const auto& row) { return row.interval_ms == 4'000; });
  EXPECT_EQ(remembered, static_cast<long>(ProcessFacts::kMaxRemembered));
}

TEST_F(FakeProc, SharesAreAbsentWithoutAnEarlierReading) {
  ProcessFacts facts(root_);
  const auto entries = Describe(&facts, 100 * kSecond);
  for (const auto& name :
       {names::kWindowMs, names::kSystemBusyPermille, names::kProcessBusyPermille})
    EXPECT_EQ(Find(entries, names::kCpu, name)->state, State::kAbsent) << name;
  EXPECT_EQ(Find(entries, names::kMemory, names::kMajorFaults)->state, State::kAbsent);
  EXPECT_EQ(Find(entries, names::kMemory, names::kRssBytes)->state, State::kNumber);
  const model::ThreadTable table = facts.Threads(100 * kSecond);
  EXPECT_EQ(table.rows[0].interval_ms, 0U) << "since the thread began";
}

TEST_F(FakeProc, ComparesOnlyWithReadingsOfTheRightAge) {
  ProcessFacts facts(root_);
  facts.Remember(100 * kSecond);
  facts.Remember(104 * kSecond);  // not taken: too soon
  facts.Remember(106 * kSecond);
  const auto window = [&](uint64_t at_s) {
    const auto entries = Describe(&facts, at_s * kSecond);
    return Find(entries, names::kCpu, names::kWindowMs)->number;
  };
  EXPECT_EQ(window(108), 2'000);
  EXPECT_EQ(window(106), 6'000) << "the older one, while the newer one is too young";
  EXPECT_EQ(window(300), 0) << "absent";
}

TEST_F(FakeProc, UnreadableFilesAreAbsentWithTheirReason) {
  for (const char* name : {"stat", "loadavg", "self/io", "self/smaps_rollup", "self/oom_score_adj"})
    std::filesystem::remove(root_ / name);
  Write("meminfo", "");
  ProcessFacts facts(root_);
  facts.Remember(100 * kSecond);
  const auto entries = Describe(&facts, 104 * kSecond);
  const model::ContextEntry* busy = Find(entries, names::kCpu, names::kSystemBusyPermille);
  EXPECT_EQ(busy->state, State::kAbsent);
  EXPECT_NE(busy->text.find("stat: No such file"), std::string::npos) << busy->text;
  EXPECT_EQ(Find(entries, names::kIo, names::kReadBytes)->state, State::kAbsent);
  EXPECT_EQ(Find(entries, names::kMemory, "pss_bytes")->state, State::kAbsent);
  EXPECT_EQ(Find(entries, names::kIo, names::kPressureSomePermille)->state, State::kAbsent);
  const model::ContextEntry* available = Find(entries, names::kMemory, names::kAvailableBytes);
  EXPECT_NE(available->text.find("not as expected"), std::string::npos) << available->text;
  EXPECT_EQ(Find(entries, names::kCpu, names::kProcessBusyPermille)->number, 0);
}

TEST_F(FakeProc, AReusedThreadIdStartsFromZero) {
  ProcessFacts facts(root_);
  facts.Remember(100 * kSecond);
  Write("self/task/11/stat", "11 (other) S 1 1 1 0 -1 0 50 0 0 0 100 0 0 0 20 0 2 0 9999 0 0\n");
  const model::ThreadTable table = facts.Threads(104 * kSecond);
  ASSERT_EQ(table.rows[0].name, "other");
  EXPECT_EQ(table.rows[0].interval_ms, 0U);
  EXPECT_GT(table.rows[0].user_ms, 0);
}

TEST_F(FakeProc, AThreadTableWithoutThreadsIsAbsent) {
  std::filesystem::remove_all(root_ / "self/task");
  ProcessFacts facts(root_);
  EXPECT_NE(facts.Threads(1).absent, "");
}

// The least CPU time of some readings in this process.
uint64_t CostOfReading() {
  uint64_t least_ns = UINT64_MAX;
  for (int i = 0; i < 40; ++i) {
    ProcessFacts facts;
    const uint64_t begin_ns = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID);
    facts.Remember(core::MonotonicNs());
    least_ns = std::min(least_ns, core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID) - begin_ns);
  }
  return least_ns;
}

// A thousand more threads: the remaining cost is the kernel's sum over a process's threads.
TEST(OwnProcess, AReadingIsAboutAsCheapWithAThousandThreads) {
  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  const auto add = [&](size_t count) {
    while (threads.size() < count) threads.emplace_back([&is_over] { is_over.wait(false); });
  };
  add(ProcessFacts::kMaxRemembered);
  const uint64_t few_ns = CostOfReading();
  add(1'000);
  const uint64_t many_ns = CostOfReading();
  is_over = true;
  is_over.notify_all();
  for (std::thread& thread : threads) thread.join();
  RecordProperty("few_ns", static_cast<int>(few_ns));
  RecordProperty("many_ns", static_cast<int>(many_ns));
  EXPECT_LT(many_ns, 4 * few_ns)
      << few_ns << " ns with few";  // reading each thread would take 17 times as long
}

TEST(OwnProcess, TheBusiestThreadComesFirst) {
  std::atomic<bool> done{false};
  std::thread busy([&done] {
    pthread_setname_np(pthread_self(), "busy one");
    while (!done) core::MonotonicNs();
  });
  ProcessFacts facts;
  facts.Remember(core::MonotonicNs());
  clockid_t cpu_clock = 0;
  ASSERT_EQ(pthread_getcpuclockid(busy.native_handle(), &cpu_clock), 0);
  const uint64_t enough_ns = core::CpuClockNs(cpu_clock) + 150 * 1'000'000;
  usleep(1'050'000);
  while (core::CpuClockNs(cpu_clock) < enough_ns) usleep(1'000);
  const model::ThreadTable table = facts.Threads(core::MonotonicNs());
  const auto used_ms = static_cast<int64_t>(core::CpuClockNs(cpu_clock) / 1'000'000);
  done = true;
  busy.join();
  ASSERT_GE(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].name, "busy one");
  EXPECT_GT(table.rows[0].user_ms + table.rows[0].system_ms, 100);
  EXPECT_LE(table.rows[0].user_ms, used_ms + 50);
}

}  // namespace
}  // namespace stillframe::context
