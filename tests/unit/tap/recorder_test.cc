// SPDX-License-Identifier: Apache-2.0
// The recorder's account of messages: slow, quick, nested, abandoned, and of other threads.
#include "src/tap/recorder.h"

#include <gtest/gtest.h>
#include <time.h>

#include <string>
#include <thread>
#include <vector>

#include "src/core/clock.h"
#include "src/model/values.h"
#include "tests/unit/counted.h"
#include "tests/unit/tap/recorder_fixture.h"

namespace stillframe::tap {
namespace {

TEST_F(RecorderTest, AQuickMessageLeavesNothing) {
  const uint64_t now_ns = core::MonotonicNs();
  recorder_->BeginAt(now_ns, 1);
  EXPECT_NE(thread_.message.token, Token::kNone);
  EXPECT_EQ(recorder_->EndAt(now_ns + 1), Recorder::kEnded);
  EXPECT_EQ(thread_.message.token, Token::kNone);
  EXPECT_TRUE(TakeAll().empty());
}

TEST_F(RecorderTest, WhatEndsAtOnceIsNoFrame) {
  recorder_->BeginAt(1'000, 1);
  recorder_->EndAt(1'000 + Recorder::kShortestFrameNs - 1);
  EXPECT_FALSE(recorder_->LastMayBeFrame());
  recorder_->BeginAt(20'000, 1);
  recorder_->EndAt(20'000 + Recorder::kShortestFrameNs);
  EXPECT_TRUE(recorder_->LastMayBeFrame());
}

TEST_F(RecorderTest, ASlowMessageIsKeptWhole) {
  const auto when_ms = static_cast<int64_t>(core::MonotonicNs() / kNsPerMs) - 40;
  recorder_->Begin();
  const Token token = thread_.message.token;
  BurnMs(20);
  ASSERT_EQ(recorder_->End(), Recorder::kEnded | Recorder::kDescribe);
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

TEST_F(RecorderTest, CpuTimeIsTheThreadsOwn) {
  BurnMs(3);  // past the last reading of the CPU clock
  recorder_->Begin();
  const timespec nap{0, 30 * static_cast<long>(kNsPerMs)};
  nanosleep(&nap, nullptr);
  ASSERT_EQ(recorder_->End(), Recorder::kEnded | Recorder::kDescribe);
  recorder_->Describe("sleeper", "", 0, 0, false);
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_LE(all[0].end_cpu_ns, all[0].start_cpu_ns + 15 * kNsPerMs);
  EXPECT_GE(all[0].end_cpu_ns + CpuMark::kMarkNs, all[0].start_cpu_ns);
}

TEST_F(RecorderTest, WaitIsUnknownWithoutAWhen) {
  recorder_->Begin();
  BurnMs(6);
  ASSERT_EQ(recorder_->End(), Recorder::kEnded | Recorder::kDescribe);
  recorder_->Describe("front of the queue", "", 0, 0, true);
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].wait_ns, model::kTimeUnknown);
  EXPECT_EQ(all[0].flags, model::kMessageThrew);
}

TEST_F(RecorderTest, DescribesByThePrintersLine) {
  for (const char* line : {">>>>> Dispatching to Handler (a.B) {1} c.D@2: 3", "not such a line"}) {
    recorder_->Begin();
    BurnMs(6);
    ASSERT_EQ(recorder_->End(), Recorder::kEnded | Recorder::kDescribe);
    recorder_->DescribeText(line, false);
  }
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_STREQ(all[0].target, "a.B");
  EXPECT_STREQ(all[0].callback, "c.D");
  EXPECT_EQ(all[0].what, 3);
  EXPECT_EQ(all[1].flags, model::kMessageIdentityUnknown);
}

TEST_F(RecorderTest, LongNamesAreTruncatedAndTerminated) {
  const std::string endless(10'000, 'x');
  recorder_->Begin();
  BurnMs(6);
  ASSERT_EQ(recorder_->End(), Recorder::kEnded | Recorder::kDescribe);
  recorder_->Describe(endless.c_str(), nullptr, 0, 0, false);
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(std::string(all[0].target).size(), EndedMessage::kNameBytes - 1);
  EXPECT_STREQ(all[0].callback, "");
}

TEST_F(RecorderTest, IsDescribingFromTheEndOfASlowMessageUntilItIsHandedOver) {
  recorder_->Begin();
  BurnMs(6);
  EXPECT_FALSE(recorder_->IsDescribing());
  recorder_->End();
  EXPECT_EQ(core::Read(thread_.message).token, Token::kNone);
  EXPECT_TRUE(recorder_->IsDescribing());
  EXPECT_TRUE(TakeAll().empty());
  recorder_->Describe("target", "callback", 1, 0, false);
  EXPECT_FALSE(recorder_->IsDescribing());
  EXPECT_EQ(TakeAll().size(), 1U);
}

TEST_F(RecorderTest, ASlowMessageThatNobodyDescribesIsKeptWhenTheNextBegins) {
  recorder_->Begin();
  BurnMs(6);
  ASSERT_EQ(recorder_->End(), Recorder::kEnded | Recorder::kDescribe);
  recorder_->Begin();
  recorder_->End();
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].flags, model::kMessageIdentityUnknown);
}

TEST_F(RecorderTest, AMessageEndsWhereTheFirstOfItsOwnLoopBegins) {
  recorder_->Begin();
  const Token outer = thread_.message.token;
  BurnMs(6);
  DispatchNested(8);
  EXPECT_EQ(thread_.message.token, Token::kNone) << "between the loop's messages none runs";
  EXPECT_TRUE(thread_.message.is_nested());
  DispatchNested(8);
  BurnMs(6);
  EXPECT_EQ(recorder_->End(), Recorder::kEnded);
  EXPECT_FALSE(thread_.message.is_nested());
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].token, outer);
  EXPECT_EQ(all[0].flags, model::kMessageIdentityUnknown);
  EXPECT_EQ(all[0].end_ns, all[1].start_ns);
  for (const size_t i : {1U, 2U}) {
    EXPECT_STREQ(all[i].target, "inner");
    EXPECT_EQ(all[i].flags, model::kMessageNested);
    EXPECT_GE(all[i].work_ns, 8 * kNsPerMs);
  }
  EXPECT_LE(all[1].end_ns, all[2].start_ns);
}

TEST_F(RecorderTest, ANestedMessageIsPublishedAsAnyOther) {
  recorder_->BeginAt(1'000, 9);
  const Token outer = thread_.message.token;
  recorder_->BeginAt(2'000, 8);
  EXPECT_GT(thread_.message.token, outer);
  EXPECT_EQ(thread_.message.start_ns, 2'000U);
  EXPECT_EQ(thread_.message.begun, 2U);
  EXPECT_EQ(recorder_->EndAt(3'000), Recorder::kEnded);
  const OpenHistory open = recorder_->ReadOpen();
  EXPECT_EQ(open.run.messages, 2U) << "what the message around it took so far, and it";
  EXPECT_EQ(open.run.work_ns, 2'000U);
}

TEST_F(RecorderTest, APauseInANestedLoopIsRecorded) {
  recorder_->BeginAt(1'000, 9);
  recorder_->BeginAt(2'000, 8);
  recorder_->EndAt(3'000);
  recorder_->BeginAt(3'000 + 1'000 * kNsPerMs, 8);
  const OpenHistory open = recorder_->ReadOpen();
  EXPECT_EQ(open.idle_start_ns, 3'000U);
  EXPECT_EQ(open.idle_end_ns, 3'000 + 1'000 * kNsPerMs);
}

TEST_F(RecorderTest, WhatAnErrorLeavesOutOfManyLoopsIsClosed) {
  for (uintptr_t stack_pointer = 100; stack_pointer > 80; --stack_pointer)
    recorder_->BeginAt(1'000 + (100 - stack_pointer), stack_pointer);
  EXPECT_EQ(thread_.message.begun, 20U);
  recorder_->BeginAt(5'000, 100);
  EXPECT_EQ(thread_.message.start_ns, 5'000U);
  EXPECT_FALSE(thread_.message.is_nested());
  EXPECT_EQ(recorder_->EndAt(6'000), Recorder::kEnded);
  EXPECT_EQ(recorder_->EndAt(6'000), 0U) << "nothing is left open";
  EXPECT_EQ(recorder_->ReadOpen().run.messages, 9U)
      << "the deepest twelve are a part of the eighth";
}

TEST_F(RecorderTest, AnAbandonedMessageEndsWhenTheNextBegins) {
  constexpr uint64_t kBeginNs = 1'000'000'000;
  constexpr uint64_t kSlowNs = 60'000'000;
  recorder_->BeginAt(kBeginNs, 100);
  const Token abandoned = thread_.message.token;
  recorder_->BeginAt(kBeginNs + kSlowNs, 100);
  EXPECT_NE(thread_.message.token, abandoned);
  EXPECT_EQ(recorder_->EndAt(kBeginNs + kSlowNs + 1'000), Recorder::kEnded);
  EXPECT_EQ(thread_.message.token, Token::kNone);
  EXPECT_EQ(recorder_->EndAt(kBeginNs + kSlowNs + 2'000), 0U) << "nothing is left open";
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].token, abandoned);
  EXPECT_EQ(all[0].flags, model::kMessageThrew | model::kMessageIdentityUnknown);
}

TEST_F(RecorderTest, AFullQueueKeepsTimeButNoIdentity) {
  const Counted counted;
  StartWith(0);  // every message is slow
  uint64_t now_ns = 1'000 * kNsPerMs;
  const auto dispatch = [&](int32_t what) {
    recorder_->BeginAt(now_ns, 1);
    now_ns += kNsPerMs;
    const uint32_t wanted = recorder_->EndAt(now_ns);
    if ((wanted & Recorder::kDescribeRun) != 0) recorder_->DescribeRun("r", "", -1);
    if ((wanted & Recorder::kDescribe) != 0) recorder_->Describe("t", "", what, 0, false);
  };
  constexpr auto kSlots = static_cast<int32_t>(EndedQueue::kSlots);
  for (int32_t i = 0; i < kSlots + 8; ++i) dispatch(i);
  EXPECT_EQ(counted.Of(Counter::kSlowMessagesLost), 8U);
  EXPECT_EQ(recorder_->ReadOpen().run.messages, 8U);
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), EndedQueue::kSlots);
  for (int32_t i = 0; i < kSlots; ++i) EXPECT_EQ(all[static_cast<size_t>(i)].what, i);
  dispatch(77);
  const auto later = TakeAll();
  ASSERT_EQ(later.size(), 2U);
  EXPECT_EQ(later[0].kind, EndedKind::kQuickRun);
  EXPECT_EQ(later[0].messages, 8U);
  EXPECT_EQ(later[0].work_ns, 8 * kNsPerMs);
  EXPECT_EQ(later[1].what, 77);
}

// Made-up times: a message of so many milliseconds, `pause_ms` after the one before.
class RecorderTimesTest : public RecorderTest {
 protected:
  RecorderTimesTest() {
    const HistoryLimits limits = {50 * kNsPerMs, 30 * kNsPerMs, 300 * kNsPerMs, 1'000 * kNsPerMs};
    recorder_->Start({&thread_, limits, &wake_up_, nullptr});
  }
  uint32_t Message(uint64_t pause_ms, uint64_t ms) {
    now_ns_ += pause_ms * kNsPerMs;
    recorder_->BeginAt(now_ns_, 1);
    now_ns_ += ms * kNsPerMs;
    return recorder_->EndAt(now_ns_);
  }
  uint64_t now_ns_ = 1'000 * kNsPerMs;
};

TEST_F(RecorderTimesTest, QuickMessagesLeaveAsOneRun) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Message(1, 2), Recorder::kEnded);
  EXPECT_TRUE(TakeAll().empty());
  const OpenHistory open = recorder_->ReadOpen();
  EXPECT_EQ(open.run.messages, 5U);
  EXPECT_EQ(open.run.work_ns, 10 * kNsPerMs);
  EXPECT_EQ(open.run.end_ns - open.run.start_ns, 14 * kNsPerMs);
  EXPECT_EQ(Message(1, 40), Recorder::kEnded | Recorder::kDescribeRun | Recorder::kDescribe);
  recorder_->DescribeRun("quick", "", 5);
  EXPECT_TRUE(TakeAll().empty()) << "not before the message is described";
  recorder_->Describe("normal", "", 6, 0, false);
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].kind, EndedKind::kQuickRun);
  EXPECT_EQ(all[0].messages, 5U);
  EXPECT_STREQ(all[0].target, "quick");
  EXPECT_STREQ(all[1].target, "normal");
  EXPECT_EQ(recorder_->ReadOpen().run.messages, 0U);
}

TEST_F(RecorderTimesTest, ARunEndsWithItsGroup) {
  for (int i = 0; i < 15; ++i) EXPECT_EQ(Message(0, 20), Recorder::kEnded);
  EXPECT_EQ(Message(0, 20), Recorder::kEnded | Recorder::kDescribeRun);
  recorder_->DescribeRun("quick", "", 5);
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].work_ns, 300 * kNsPerMs);
  EXPECT_EQ(recorder_->ReadOpen().run.messages, 1U);
  EXPECT_EQ(recorder_->ReadOpen().run.group, all[0].group + 1);
}

TEST_F(RecorderTimesTest, APauseIsRecordedWhenItEnds) {
  Message(0, 2);
  Message(999, 2);
  EXPECT_EQ(recorder_->ReadOpen().idle_end_ns, 0U);
  now_ns_ += 1'500 * kNsPerMs;
  recorder_->BeginAt(now_ns_, 1);
  const OpenHistory open = recorder_->ReadOpen();
  EXPECT_EQ(open.idle_end_ns - open.idle_start_ns, 1'500 * kNsPerMs) << "seen while the next hangs";
  EXPECT_EQ(open.run.messages, 2U);
  now_ns_ += 2 * kNsPerMs;
  EXPECT_EQ(recorder_->EndAt(now_ns_), Recorder::kEnded | Recorder::kDescribeRun);
  recorder_->DescribeRun("quick", "", 5);
  const auto all = TakeAll();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].messages, 2U);
  EXPECT_EQ(all[1].kind, EndedKind::kIdle);
  EXPECT_EQ(recorder_->ReadOpen().run.messages, 1U);
}

TEST_F(RecorderTimesTest, AFrameIsTheMessageThatEndedLast) {
  Message(0, 5);
  recorder_->MarkFrame(static_cast<int64_t>((now_ns_ - 20 * kNsPerMs) / kNsPerMs));
  Message(0, 5);
  recorder_->MarkFrame(0);
  EndedFrame frame;
  ASSERT_TRUE(recorder_->TakeFrame(&frame));
  EXPECT_EQ(frame.end_ns - frame.start_ns, 5 * kNsPerMs);
  EXPECT_EQ(frame.end_ns - frame.due_ns, 20 * kNsPerMs);
  EXPECT_TRUE(frame.is_due_known);
  ASSERT_TRUE(recorder_->TakeFrame(&frame));
  EXPECT_EQ(frame.due_ns, frame.start_ns) << "no time was given";
  EXPECT_FALSE(frame.is_due_known);
  EXPECT_FALSE(recorder_->TakeFrame(&frame));
}

TEST_F(RecorderTest, OnlyTheActiveTapCounts) {
  recorder_->SetActiveTap(1);
  recorder_->Begin(1);
  EXPECT_EQ(thread_.message.begun, 1U);
  recorder_->SetActiveTap(2);  // a new tap comes while a message runs
  EXPECT_EQ(recorder_->End(2), 0U) << "it did not begin this one";
  EXPECT_NE(recorder_->End(1), 0U);
  recorder_->Begin(2);
  recorder_->Begin(1);  // the old one, called by a component that kept it
  EXPECT_EQ(recorder_->End(1), 0U);
  EXPECT_NE(recorder_->End(2), 0U);
  EXPECT_EQ(thread_.message.begun, 2U);
}

TEST_F(RecorderTest, AnEndWithoutABeginLeavesNothing) {
  EXPECT_EQ(recorder_->End(), 0U);
  recorder_->Describe("nobody", "", 0, 0, false);
  EXPECT_TRUE(TakeAll().empty());
}

}  // namespace
}  // namespace stillframe::tap
