// The recorder's account of messages: slow, quick, nested, abandoned, and of other threads.
#include "src/looper/recorder.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "src/core/clock.h"
#include "src/dump/document.h"

namespace stillframe::looper {
namespace {

constexpr uint64_t kNsPerMs = 1'000'000;

class RecorderTest : public testing::Test {
 protected:
  RecorderTest() { StartWith(5 * kNsPerMs); }
  ~RecorderTest() override { close(wake_fd_); }

  void StartWith(uint64_t slow_ns) {
    thread_.tid = gettid();
    recorder_->Start({&thread_, slow_ns, wake_fd_, nullptr, nullptr});
    recorder_->SetCollectorAwake(true);
  }
  static void BurnMs(uint64_t ms) {
    const uint64_t until = core::MonotonicNs() + ms * kNsPerMs;
    while (core::MonotonicNs() < until) {
    }
  }
  bool IsWoken() const {
    pollfd wake = {wake_fd_, POLLIN, 0};
    uint64_t count = 0;
    return poll(&wake, 1, 0) == 1 && read(wake_fd_, &count, sizeof count) == sizeof count;
  }
  std::vector<EndedMessage> TakeAll() {
    std::vector<EndedMessage> all;
    EndedMessage message;
    while (recorder_->TakeEnded(&message)) all.push_back(message);
    return all;
  }
  // Dispatches a message from a frame further down the stack, as a nested loop does.
  [[gnu::noinline]] void DispatchNested(uint64_t ms) {
    volatile char further_down[512];
    further_down[0] = 1;
    recorder_->Begin();
    BurnMs(ms);
    if (recorder_->End()) recorder_->Describe("inner", "", 2, 0, false);
    further_down[511] = further_down[0];
  }
  [[gnu::noinline]] void BeginAndLeave() { recorder_->Begin(); }

  int wake_fd_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  core::WatchedThread thread_;
  std::unique_ptr<Recorder> recorder_ = std::make_unique<Recorder>();
};

TEST_F(RecorderTest, AQuickMessageLeavesNothing) {
  recorder_->Begin();
  EXPECT_NE(thread_.message.token, 0U);
  EXPECT_FALSE(recorder_->End());
  EXPECT_EQ(thread_.message.token, 0U);
  EXPECT_TRUE(TakeAll().empty());
}

TEST_F(RecorderTest, ASlowMessageIsKeptWhole) {
  const auto when_ms = static_cast<int64_t>(core::MonotonicNs() / kNsPerMs) - 40;
  recorder_->Begin();
  const uint64_t token = thread_.message.token;
  BurnMs(20);
  ASSERT_TRUE(recorder_->End());
  EXPECT_TRUE(TakeAll().empty()) << "not before it is described";
  recorder_->Describe("com.example.H", "com.example.Row$1", 159, when_ms, false);
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 1U);
  const EndedMessage& message = all.front();
  EXPECT_EQ(message.token, token);
  EXPECT_GE(message.end_ns - message.start_ns, 20 * kNsPerMs);
  EXPECT_STREQ(message.target, "com.example.H");
  EXPECT_STREQ(message.callback, "com.example.Row$1");
  EXPECT_EQ(message.what, 159);
  EXPECT_EQ(message.flags, 0U);
  EXPECT_GE(message.wait_ns, static_cast<int64_t>(39 * kNsPerMs));
  EXPECT_LT(message.wait_ns, static_cast<int64_t>(10'000 * kNsPerMs));
}

TEST_F(RecorderTest, TheChildOfAForkRecordsNothing) {
  recorder_->Begin();
  recorder_->Forget();
  EXPECT_EQ(thread_.message.token, 0U);
  const uint64_t begun = thread_.message.begun;
  BurnMs(20);
  EXPECT_FALSE(recorder_->End());
  recorder_->Begin();
  EXPECT_EQ(thread_.message.begun, begun);
  EXPECT_EQ(thread_.message.token, 0U);
  EXPECT_TRUE(TakeAll().empty());
}

TEST_F(RecorderTest, CpuTimeIsTheThreadsOwn) {
  BurnMs(3);  // past the last reading of the CPU clock
  recorder_->Begin();
  const timespec nap{0, 30 * static_cast<long>(kNsPerMs)};
  nanosleep(&nap, nullptr);
  ASSERT_TRUE(recorder_->End());
  recorder_->Describe("sleeper", "", 0, 0, false);
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_LE(all[0].end_cpu_ns, all[0].start_cpu_ns + 15 * kNsPerMs);
  EXPECT_GE(all[0].end_cpu_ns + Recorder::kCpuMarkNs, all[0].start_cpu_ns);
}

TEST_F(RecorderTest, WaitIsUnknownWithoutAWhen) {
  recorder_->Begin();
  BurnMs(6);
  ASSERT_TRUE(recorder_->End());
  recorder_->Describe("front of the queue", "", 0, 0, true);
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].wait_ns, dump::kTimeUnknown);
  EXPECT_EQ(all[0].flags, dump::kMessageThrew);
}

TEST_F(RecorderTest, DescribesByThePrintersLine) {
  for (const char* line : {">>>>> Dispatching to Handler (a.B) {1} c.D@2: 3", "not such a line"}) {
    recorder_->Begin();
    BurnMs(6);
    ASSERT_TRUE(recorder_->End());
    recorder_->DescribeText(line);
  }
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_STREQ(all[0].target, "a.B");
  EXPECT_STREQ(all[0].callback, "c.D");
  EXPECT_EQ(all[0].what, 3);
  EXPECT_EQ(all[1].flags, dump::kMessageIdentityUnknown);
}

TEST_F(RecorderTest, NamesAreCutAndTerminated) {
  const std::string endless(10'000, 'x');
  recorder_->Begin();
  BurnMs(6);
  ASSERT_TRUE(recorder_->End());
  recorder_->Describe(endless.c_str(), nullptr, 0, 0, false);
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(std::string(all[0].target).size(), EndedMessage::kNameBytes - 1);
  EXPECT_STREQ(all[0].callback, "");
}

TEST_F(RecorderTest, ASlowMessageThatNobodyDescribesIsKeptWhenTheNextBegins) {
  recorder_->Begin();
  BurnMs(6);
  ASSERT_TRUE(recorder_->End());
  recorder_->Begin();
  recorder_->End();
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].flags, dump::kMessageIdentityUnknown);
}

TEST_F(RecorderTest, NestedMessages) {
  recorder_->Begin();
  const uint64_t outer = thread_.message.token;
  DispatchNested(8);
  EXPECT_EQ(thread_.message.token, outer) << "samples belong to the outermost message";
  ASSERT_TRUE(recorder_->End());
  recorder_->Describe("outer", "", 1, 0, false);
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_STREQ(all[0].target, "inner");
  EXPECT_EQ(all[0].flags, dump::kMessageNested);
  EXPECT_STREQ(all[1].target, "outer");
  EXPECT_EQ(all[1].flags, 0U);
  EXPECT_EQ(all[1].token, outer);
  EXPECT_LE(all[1].start_ns, all[0].start_ns);
  EXPECT_GE(all[1].end_ns, all[0].end_ns);
}

TEST_F(RecorderTest, AnAbandonedMessageEndsWhenTheNextBegins) {
  BeginAndLeave();
  const uint64_t abandoned = thread_.message.token;
  BurnMs(6);
  BeginAndLeave();
  EXPECT_NE(thread_.message.token, abandoned);
  EXPECT_FALSE(recorder_->End());
  EXPECT_EQ(thread_.message.token, 0U);
  EXPECT_FALSE(recorder_->End()) << "nothing is left open";
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].token, abandoned);
  EXPECT_EQ(all[0].flags, dump::kMessageThrew | dump::kMessageIdentityUnknown);
}

TEST_F(RecorderTest, OtherThreadsAreIgnored) {
  recorder_->Begin();
  const uint64_t token = thread_.message.token;
  std::thread other([this] {
    recorder_->Begin();
    BurnMs(6);
    EXPECT_FALSE(recorder_->End());
    recorder_->Describe("other", "", 0, 0, false);
  });
  other.join();
  EXPECT_EQ(thread_.message.token, token);
  EXPECT_EQ(thread_.message.begun, 1U);
  recorder_->End();
}

TEST_F(RecorderTest, AThreadBeforeTheWatchedOneDoesNotTakeItsPlace) {
  std::thread other([this] {
    recorder_->Begin();
    EXPECT_FALSE(recorder_->End());
  });
  other.join();
  EXPECT_EQ(thread_.message.begun, 0U);
  recorder_->Begin();
  EXPECT_EQ(thread_.message.begun, 1U);
  recorder_->End();
}

TEST_F(RecorderTest, BindsOnceOnTheWatchedThread) {
  static int bound = 0;
  bound = 0;
  recorder_->Start({&thread_, kNsPerMs, wake_fd_, [](Recorder*) { ++bound; }, nullptr});
  std::thread other([this] { recorder_->Begin(); });
  other.join();
  EXPECT_EQ(bound, 0);
  for (int i = 0; i < 3; ++i) {
    recorder_->Begin();
    recorder_->End();
  }
  EXPECT_EQ(bound, 1);
}

TEST_F(RecorderTest, AFullQueueLosesTheNewAndCounts) {
  StartWith(0);  // every message is slow
  for (int i = 0; i < 40; ++i) {
    recorder_->Begin();
    if (recorder_->End()) recorder_->Describe("t", "", i, 0, false);
  }
  EXPECT_EQ(recorder_->ended_lost(), 8U);
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 32U);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(all[static_cast<size_t>(i)].what, i);
  recorder_->Begin();
  ASSERT_TRUE(recorder_->End());
  recorder_->Describe("t", "", 77, 0, false);
  EXPECT_EQ(TakeAll().size(), 1U);
}

TEST_F(RecorderTest, WakesASleepingCollectorOnly) {
  recorder_->Begin();
  recorder_->End();
  EXPECT_FALSE(IsWoken());
  recorder_->SetCollectorAwake(false);
  recorder_->Begin();
  recorder_->End();
  EXPECT_TRUE(IsWoken());
}

TEST_F(RecorderTest, EndWithoutBegin) {
  EXPECT_FALSE(recorder_->End());
  recorder_->Describe("nobody", "", 0, 0, false);
  EXPECT_TRUE(TakeAll().empty());
}

}  // namespace
}  // namespace stillframe::looper
