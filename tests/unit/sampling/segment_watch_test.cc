// SPDX-License-Identifier: Apache-2.0
// Start and end of segments, with made-up times and a real thread whose stack the test controls.
#include "src/sampling/segment_watch.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string_view>
#include <thread>

#include "src/model/document.h"
#include "src/os/proc.h"
#include "tests/unit/sampling/slow_message_case.h"

namespace stillframe::sampling {
namespace {

// A thread that sleeps, except for requested CPU time.
class Sleeper {
 public:
  Sleeper() {
    while (tid_ == 0) std::this_thread::yield();
    WaitUntilAsleep();
  }
  ~Sleeper() {
    Order(kEnd);
    thread_.join();
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  int32_t tid() const { return tid_; }
  uint64_t CpuNs() const { return core::CpuClockNs(core::ThreadCpuClock(tid_)); }
  void UseCpu() {
    Order(kUseCpu);
    while (order_ != kNothing) std::this_thread::yield();
    WaitUntilAsleep();
  }

 private:
  static constexpr int kNothing = 0;
  static constexpr int kUseCpu = 1;
  static constexpr int kEnd = 2;

  void Order(int order) {
    order_ = order;
    order_.notify_one();
  }
  void WaitUntilAsleep() const {
    while (os::SchedulerState(tid_) != 'S') std::this_thread::yield();
  }
  void Live() {
    tid_ = gettid();
    for (;;) {
      order_.wait(kNothing);
      if (order_ == kEnd) return;
      const uint64_t until_ns = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID) + 30 * kNsPerMs;
      while (core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID) < until_ns) {
      }
      order_ = kNothing;
    }
  }

  std::atomic<int32_t> tid_{0};
  std::atomic<int> order_{kNothing};
  std::thread thread_{[this] { Live(); }};
};

// The main Looper's queue as the runtime has it: references of 32 bits, so it is low in memory.
class FakeQueue {
 public:
  FakeQueue() {
    void* hint = reinterpret_cast<void*>(uintptr_t{0x3000'0000});
    memory_ = mmap(hint, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(memory_, MAP_FAILED);
    EXPECT_LT(reinterpret_cast<uintptr_t>(memory_), uintptr_t{UINT32_MAX});
    for (Field& field : g_fields) field = {0, 0, 0, kOffset};
    g_fields[kWhen].offset = kWhenOffset;
    g_fields[kMainLooper].declaring_class = At(0x100);
    Word(0x100 + kOffset) = At(0x200);  // Looper.sMainLooper
    Word(0x200 + kOffset) = At(0x300);  // mQueue
    functions_.PushLocalFrame = [](JNIEnv*, jint) -> jint { return JNI_OK; };
    functions_.PopLocalFrame = [](JNIEnv*, jobject) -> jobject { return nullptr; };
    functions_.ExceptionCheck = [](JNIEnv*) -> jboolean { return JNI_FALSE; };
    functions_.ExceptionClear = [](JNIEnv*) {};
    functions_.FindClass = [](JNIEnv*, const char*) { return reinterpret_cast<jclass>(&g_fields); };
    functions_.GetStaticFieldID = [](JNIEnv*, jclass, const char*, const char*) {
      return Id(kMainLooper);
    };
    functions_.GetFieldID = [](JNIEnv*, jclass, const char* field, const char*) -> jfieldID {
      const std::string_view name = field;
      const bool is_newer = name == "mStack" || name == "mPriorityQueue";
      return is_newer ? nullptr : Id(name == "when" ? kWhen : kOther);
    };
    functions_.GetMethodID = [](JNIEnv*, jclass, const char*, const char*) {
      return reinterpret_cast<jmethodID>(uintptr_t{kPoll});
    };
    JNIEnv env = {&functions_};
    queue_.Find(&env);
    EXPECT_EQ(queue_.poll(), kPoll);
  }
  ~FakeQueue() { munmap(memory_, kBytes); }
  FakeQueue(const FakeQueue&) = delete;
  FakeQueue& operator=(const FakeQueue&) = delete;

  static constexpr uint64_t kPoll = 0x5000;

  const art::MainQueue& queue() const { return queue_; }
  void SetHeadDueMs(uint32_t due_ms) {
    Word(0x300 + kOffset) = At(0x400);  // mMessages
    Word(0x400 + kOffset) = At(0x500);  // target
    Word(0x400 + kWhenOffset) = due_ms;
  }

 private:
  struct Field {  // art::ArtField
    uint32_t declaring_class;
    uint32_t flags;
    uint32_t index;
    uint32_t offset;
  };
  enum FieldIndex : uint8_t { kMainLooper, kWhen, kOther };
  static constexpr size_t kBytes = 4096;
  static constexpr uint32_t kOffset = 8;
  static constexpr uint32_t kWhenOffset = 16;

  static jfieldID Id(FieldIndex field) { return reinterpret_cast<jfieldID>(&g_fields[field]); }
  uint32_t At(uint32_t place) const {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(memory_)) + place;
  }
  uint32_t& Word(uint32_t place) {
    return static_cast<uint32_t*>(memory_)[place / sizeof(uint32_t)];
  }

  static inline std::array<Field, 3> g_fields;
  void* memory_ = nullptr;
  JNINativeInterface_ functions_ = {};
  art::MainQueue queue_;
};

class SegmentWatchTest : public testing::Test {
 protected:
  static constexpr uint64_t kElsewhere = 0x6000;

  SegmentWatchTest() {
    tap::WatchedLoopers::Setup setup = {};
    setup.limits = tap::kLimits;
    EXPECT_EQ(loopers_->Start(setup, main_.tid()), 0);
    thread().runtime_thread = 1;
    watch_.Start({{&TheSampler(), &thread(), &facts_, &queue_.queue(), nullptr},
                  loopers_.get(),
                  kSlowNs,
                  tap::kLimits.idle_ns},
                 Ns(1'000));
    StandIn(kElsewhere);
  }
  ~SegmentWatchTest() override {
    g_method = 0;
    g_state = kRunnable;
  }

  static constexpr uint64_t Ns(uint64_t ms) { return ms * kNsPerMs; }
  static void StandIn(uint64_t method) {
    g_state = kSleeping;
    g_method = method;
  }
  core::WatchedThread& thread() { return loopers_->main().thread; }
  tap::Recorder& recorder() { return loopers_->main().recorder; }
  void Message(uint64_t begin_ms, uint64_t end_ms) {
    recorder().BeginAt(Ns(begin_ms), 9);
    recorder().EndAt(Ns(end_ms));
    end_ms_ = end_ms;
  }
  void Look(uint64_t ms) { watch_.Look(Ns(ms), Ns(end_ms_)); }
  bool IsOpen() const { return watch_.open().token != Token::kNone; }
  uint64_t StartMs() const { return watch_.open().start_ns / kNsPerMs; }
  // A segment from 1010 ms on.
  void OpenOne() {
    Message(1'005, 1'010);
    Look(1'020);
    Look(1'070);
    ASSERT_TRUE(IsOpen());
  }

  // In the poll at 1020 ms, outside from 1100 ms on; `in_between` runs after it left the poll.
  void OpenAfterPoll(const std::function<void()>& in_between = [] {}) {
    StandIn(FakeQueue::kPoll);
    Look(1'020);
    StandIn(kElsewhere);
    in_between();
    Look(1'100);
    Look(1'150);
    ASSERT_TRUE(IsOpen());
  }

  Sleeper main_;
  FakeQueue queue_;
  walk::RuntimeFacts facts_{.layout = walk::KnownLayouts().rows};
  std::unique_ptr<tap::WatchedLoopers> loopers_ = std::make_unique<tap::WatchedLoopers>();
  SegmentWatch watch_;
  uint64_t end_ms_ = 0;
};

TEST_F(SegmentWatchTest, OpensWhenTheThreadIsFoundElsewhereForLong) {
  Message(1'005, 1'010);
  Look(1'020);
  EXPECT_EQ(watch_.SuspectedNs(Ns(1'030)), Ns(40));
  Look(1'069);
  EXPECT_FALSE(IsOpen());
  Look(1'070);
  ASSERT_TRUE(IsOpen());
  EXPECT_EQ(StartMs(), 1'010U) << "where the message before it ended";
  EXPECT_EQ(thread().segment, watch_.open().token);
  EXPECT_EQ(watch_.around(), 0U);
}

TEST_F(SegmentWatchTest, BeforeTheFirstMessageItBeginsWhereTheWatchDoes) {
  Look(1'020);
  Look(1'070);
  ASSERT_TRUE(IsOpen());
  EXPECT_EQ(StartMs(), 1'000U);
}

TEST_F(SegmentWatchTest, AMessageInBetweenBeginsAnew) {
  Message(1'005, 1'010);
  Look(1'020);
  Message(1'040, 1'041);
  Look(1'075);
  EXPECT_FALSE(IsOpen());
  Look(1'125);
  ASSERT_TRUE(IsOpen());
  EXPECT_EQ(StartMs(), 1'041U);
}

TEST_F(SegmentWatchTest, ThePollIsNoSegment) {
  Message(1'005, 1'010);
  Look(1'020);
  StandIn(FakeQueue::kPoll);
  for (uint64_t ms = 1'040; ms < 2'000; ms += 50) Look(ms);
  EXPECT_FALSE(IsOpen());
  EXPECT_EQ(watch_.SuspectedNs(Ns(2'000)), UINT64_MAX);
  EXPECT_TRUE(watch_.IsIdle(Ns(2'000)));
  EXPECT_FALSE(watch_.OpenNow(Ns(2'000)));
}

TEST_F(SegmentWatchTest, WhatCannotBeToldIsNoSegment) {
  StandIn(0);
  for (uint64_t ms = 1'020; ms < 2'000; ms += 50) Look(ms);
  EXPECT_FALSE(IsOpen());
}

TEST_F(SegmentWatchTest, AfterThePollItBeginsAtTheLookWithoutASign) {
  ASSERT_NO_FATAL_FAILURE(OpenAfterPoll());
  EXPECT_EQ(StartMs(), 1'100U);
}

TEST_F(SegmentWatchTest, AfterThePollItBeginsWhenTheHeadOfTheQueueWasDue) {
  ASSERT_NO_FATAL_FAILURE(OpenAfterPoll([this] { queue_.SetHeadDueMs(1'060); }));
  EXPECT_EQ(StartMs(), 1'060U);
}

TEST_F(SegmentWatchTest, AfterThePollItBeginsBeforeTheCpuTimeThatItUsed) {
  StandIn(FakeQueue::kPoll);
  Look(1'020);
  const uint64_t cpu_ns = main_.CpuNs();
  main_.UseCpu();
  StandIn(kElsewhere);
  Look(1'100);
  const uint64_t ran_ns = main_.CpuNs() - cpu_ns;
  EXPECT_GE(ran_ns, Ns(30));
  Look(1'150);
  ASSERT_TRUE(IsOpen());
  EXPECT_EQ(watch_.open().start_ns, std::max(Ns(1'020), Ns(1'100) - ran_ns));
  EXPECT_GE(watch_.open().start_cpu_ns, cpu_ns) << "what ran before the poll is not its own";
}

TEST_F(SegmentWatchTest, EndsWhereTheNextMessageBegins) {
  ASSERT_NO_FATAL_FAILURE(OpenOne());
  EXPECT_FALSE(watch_.FindEnd(Ns(1'200)).is_over);
  recorder().BeginAt(Ns(1'300), 9);
  const SegmentWatch::End end = watch_.FindEnd(Ns(1'320));
  ASSERT_TRUE(end.is_over);
  EXPECT_EQ(end.at_ns, Ns(1'300));
  const tap::OpenHistory open = recorder().ReadOpen();
  EXPECT_EQ(open.idle_start_ns, Ns(1'010)) << "the pause is handed over, short as it is";
  EXPECT_EQ(open.idle_end_ns, Ns(1'300));
}

TEST_F(SegmentWatchTest, EndsWhereTheFirstOfManyMessagesBegan) {
  ASSERT_NO_FATAL_FAILURE(OpenOne());
  Message(1'300, 1'301);
  Message(1'302, 1'303);
  uint64_t pause_end_ns = 0;
  tap::EndedMessage ended;
  while (recorder().TakeEnded(&ended))
    if (ended.kind == tap::EndedKind::kIdle) pause_end_ns = ended.end_ns;
  EXPECT_EQ(pause_end_ns, Ns(1'300));
  const SegmentWatch::End end = watch_.FindEnd(Ns(1'320), pause_end_ns);
  ASSERT_TRUE(end.is_over);
  EXPECT_EQ(end.at_ns, Ns(1'300));
}

TEST_F(SegmentWatchTest, EndsAtTheLookThatFindsThePoll) {
  ASSERT_NO_FATAL_FAILURE(OpenOne());
  StandIn(FakeQueue::kPoll);
  const SegmentWatch::End end = watch_.FindEnd(Ns(1'300));
  ASSERT_TRUE(end.is_over);
  EXPECT_EQ(end.at_ns, Ns(1'300));
  const tap::EndedMessage ended = watch_.AsEnded(end);
  EXPECT_EQ(ended.kind, tap::EndedKind::kSegment);
  EXPECT_EQ(ended.token, watch_.open().token);
  EXPECT_EQ(ended.start_ns, Ns(1'010));
  EXPECT_EQ(ended.work_ns, Ns(290));
  EXPECT_GE(ended.end_cpu_ns, ended.start_cpu_ns);
  EXPECT_EQ(ended.messages, 0U);
  EXPECT_EQ(ended.flags, model::kMessageIdentityUnknown);
}

TEST_F(SegmentWatchTest, OnceClosedTheNextIsAnotherOne) {
  ASSERT_NO_FATAL_FAILURE(OpenOne());
  const Token token = watch_.open().token;
  Message(1'300, 1'301);
  ASSERT_TRUE(watch_.FindEnd(Ns(1'320)).is_over);
  watch_.Close();
  EXPECT_FALSE(IsOpen());
  EXPECT_EQ(thread().segment, Token::kNone);
  Look(1'330);
  Look(1'380);
  ASSERT_TRUE(IsOpen());
  EXPECT_NE(watch_.open().token, token);
  EXPECT_EQ(StartMs(), 1'301U);
}

TEST_F(SegmentWatchTest, ADumpOpensWhatWasFoundElsewhereOnce) {
  Message(1'005, 1'010);
  EXPECT_FALSE(watch_.OpenNow(Ns(1'015))) << "nobody has looked";
  Look(1'020);
  EXPECT_TRUE(watch_.OpenNow(Ns(1'021)));
  EXPECT_EQ(StartMs(), 1'010U);
  EXPECT_FALSE(watch_.OpenNow(Ns(1'022)));
}

TEST_F(SegmentWatchTest, TheMessageAroundANestedLoopIsKnown) {
  recorder().BeginAt(Ns(1'005), 9);
  recorder().BeginAt(Ns(1'006), 8);
  recorder().EndAt(Ns(1'010));
  end_ms_ = 1'010;
  Look(1'020);
  Look(1'070);
  ASSERT_TRUE(IsOpen());
  EXPECT_EQ(StartMs(), 1'010U) << "where the nested message ended";
  recorder().EndAt(Ns(1'300));
  EXPECT_EQ(watch_.around(), 1U) << "as it was when the segment began";
  EXPECT_FALSE(watch_.FindEnd(Ns(1'310)).is_over) << "the loop around it goes on";
  recorder().BeginAt(Ns(1'305), 9);
  EXPECT_EQ(watch_.FindEnd(Ns(1'310)).at_ns, Ns(1'305));
}

}  // namespace
}  // namespace stillframe::sampling
