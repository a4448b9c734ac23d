// SPDX-License-Identifier: Apache-2.0
// The records that a message leaves in the history, and the costs of the bounds.
#include "src/history/history.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "tests/unit/counted.h"
#include "tests/unit/tap/usual_limits.h"

namespace stillframe::history {
namespace {

tap::EndedMessage Ended(uint64_t token, uint64_t start_ms, uint64_t ms, const char* target = "a.H",
                        const char* callback = "") {
  tap::EndedMessage message = {};
  message.kind = tap::EndedKind::kMessage;
  message.token = Token{token};
  message.messages = 1;
  message.start_ns = start_ms * kNsPerMs;
  message.end_ns = (start_ms + ms) * kNsPerMs;
  message.work_ns = ms * kNsPerMs;
  message.start_cpu_ns = 100;
  message.end_cpu_ns = 130;
  message.wait_ns = 5;
  message.what = static_cast<int32_t>(token);
  strcpy(message.target, target);
  strcpy(message.callback, callback);
  return message;
}

class HistoryTest : public testing::Test {
 protected:
  model::FrameTable names_;
  History history_{{.groups = 4, .records = 8, .messages = 5}, tap::kLimits, &names_};
  uint64_t lost_ = 0;
};

TEST_F(HistoryTest, KeepsAMessageWhole) {
  MessageFacts facts;
  facts.samples = 9;
  facts.runqueue_wait_ns = 7'000;
  facts.blocked_ns = 8'000;
  facts.stage = model::FrameStage::kInput;
  history_.Add(Ended(6, 1'000, 60, "com.example.H", "com.example.Even"), facts);
  const auto messages = history_.Messages();
  ASSERT_EQ(messages.size(), 1U);
  const model::Message& message = messages.front();
  EXPECT_EQ(message.token, Token{6});
  EXPECT_EQ(message.start_ns, 1'000 * kNsPerMs);
  EXPECT_EQ(message.wall_ns, static_cast<int64_t>(60 * kNsPerMs));
  EXPECT_EQ(message.cpu_ns, 30);
  EXPECT_EQ(message.wait_ns, 5);
  EXPECT_EQ(message.samples, 9U);
  EXPECT_EQ(message.what, 6);
  EXPECT_EQ(message.runqueue_wait_ns, 7'000);
  EXPECT_EQ(message.blocked_ns, 8'000);
  EXPECT_EQ(message.stage, model::FrameStage::kInput);
  EXPECT_EQ(message.target, "com.example.H");
  EXPECT_EQ(message.callback, "com.example.Even");
}

TEST_F(HistoryTest, TheNewestMessagesHaveTheirLocksOwners) {
  std::vector<model::LockWait> waits(LockHolders::kMaxStretches,
                                     {1'000, 9'000, 7'000, 17, "writer", "a.Store"});
  for (uint64_t token = 1; token <= 40; ++token) {
    MessageFacts facts;
    waits.front().owner_tid = static_cast<uint32_t>(token);
    facts.lock_waits = waits;
    history_.Add(Ended(token, token * 1'000, token % 2 == 0 ? 60 : 1), facts);
  }
  const auto messages = history_.Messages();
  ASSERT_EQ(messages.size(), 5U);
  for (const model::Message& message : messages) {
    ASSERT_EQ(message.lock_waits.size(), waits.size()) << NumberOf(message.token);
    EXPECT_EQ(message.lock_waits.front().owner_tid, NumberOf(message.token));
    const model::LockWait& last = message.lock_waits.back();
    EXPECT_EQ(last.from_us, 1'000U);
    EXPECT_EQ(last.until_us, 9'000U);
    EXPECT_EQ(last.blocked_us, 7'000U);
    EXPECT_EQ(last.owner, "writer");
    EXPECT_EQ(last.lock_class, "a.Store");
  }
  // 512 stretches, of whole messages.
  EXPECT_LE(
      history_.memory_bytes(),
      History({.groups = 4, .records = 8, .messages = 5}, tap::kLimits, &names_).memory_bytes() +
          2 * 512 * sizeof(LockStretch));
}

// Segments and blind times are added before the run that preceded them, which arrives later.
TEST_F(HistoryTest, APauseIsWhatSegmentsAndBlindTimesLeaveOfIt) {
  tap::EndedMessage segment = Ended(90, 1'100, 400, "", "a.Warm.queueIdle");
  segment.kind = tap::EndedKind::kSegment;
  segment.messages = 0;
  MessageFacts facts;
  facts.segment = model::SegmentKind::kIdleHandler;
  history_.Add(segment, facts);
  history_.AddBlind({1'400 * kNsPerMs, 2'000 * kNsPerMs});
  tap::EndedMessage run = Ended(1, 1'000, 100);
  run.kind = tap::EndedKind::kQuickRun;
  history_.Add(run, {});
  tap::EndedMessage pause = Ended(0, 1'100, 2'000);
  pause.kind = tap::EndedKind::kIdle;
  pause.messages = 0;
  history_.Add(pause, {});
  const auto records = history_.Records({}, &lost_);
  ASSERT_EQ(records.size(), 4U);
  const model::SpanKind kinds[] = {model::SpanKind::kQuick, model::SpanKind::kOutside,
                                   model::SpanKind::kBlind, model::SpanKind::kIdle};
  uint64_t at_ns = 1'000 * kNsPerMs;
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(records[i].kind, kinds[i]);
    EXPECT_EQ(records[i].start_ns, at_ns);
    at_ns += records[i].span_ns;
  }
  EXPECT_EQ(at_ns, 3'100 * kNsPerMs);
  EXPECT_EQ(records[1].segment.kind, model::SegmentKind::kIdleHandler);
  EXPECT_EQ(records[1].segment.method, "a.Warm.queueIdle");
  ASSERT_EQ(history_.Messages().size(), 1U);
  EXPECT_EQ(history_.Messages().front().segment.kind, model::SegmentKind::kIdleHandler);
}

TEST_F(HistoryTest, UnknownTimesStayUnknown) {
  history_.Add(Ended(1, 1, 60), {});
  EXPECT_EQ(history_.Messages().front().runqueue_wait_ns, model::kTimeUnknown);
  EXPECT_EQ(history_.Messages().front().blocked_ns, model::kTimeUnknown);
}

TEST_F(HistoryTest, TheNewestSlowMessagesStayOldestFirst) {
  for (uint64_t token = 1; token <= 12; ++token) history_.Add(Ended(token, token * 100, 60), {});
  history_.Add(Ended(13, 1'300, 40), {});  // not slow
  const auto messages = history_.Messages();
  ASSERT_EQ(messages.size(), 5U);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(messages[i].token, Token{8 + i});
  EXPECT_EQ(history_.messages_lost(), 7U);
}

TEST_F(HistoryTest, ASweepKeepsTheNewestNames) {
  model::FrameTable names({.max_frames = 10, .max_strings = 20, .max_string_bytes = 1'000});
  History history({.groups = 4, .records = 8, .messages = 100}, tap::kLimits, &names);
  for (uint64_t token = 1; token <= 12; ++token)
    history.Add(Ended(token, token * 100, 60, ("a.H" + std::to_string(token)).c_str()), {});
  const Counted counted;
  model::LiveNames live(names);
  history.KeepNames(50, &live);
  EXPECT_EQ(live.percent(), 50U);  // eight names, and the table's own two
  names.Sweep(live);
  EXPECT_EQ(counted.Of(Counter::kHistoryNamesLost), 4U);
  for (const model::Message& message : history.Messages()) {
    const bool is_kept = message.token > Token{4};
    EXPECT_EQ(message.target, is_kept ? "a.H" + std::to_string(NumberOf(message.token)) : "");
  }
}

TEST_F(HistoryTest, AFullHistoryTakesNoMoreMemory) {
  const size_t before = history_.memory_bytes();
  for (uint64_t token = 1; token <= 10'000; ++token)
    history_.Add(Ended(token, token * 100, 60), {});
  EXPECT_EQ(history_.memory_bytes(), before);
  EXPECT_EQ(history_.Messages().size() + history_.messages_lost(), 10'000U);
}

TEST_F(HistoryTest, ClocksThatGoBackGiveNoNegativeCpuTime) {
  tap::EndedMessage message = Ended(1, 1, 60);
  message.end_cpu_ns = message.start_cpu_ns - 1;
  history_.Add(message, {});
  EXPECT_EQ(history_.Messages().front().cpu_ns, 0);
}

TEST_F(HistoryTest, RecordsSayWhatTheyAre) {
  history_.Add(Ended(1, 0, 40), {});
  history_.Add(Ended(2, 100, 60), {});
  history_.Add(Ended(3, 200, 60, "android.app.ActivityThread$H"), {});
  history_.Add(Ended(4, 300, 60, "android.view.Choreographer$FrameHandler",
                     "android.view.Choreographer$FrameDisplayEventReceiver"),
               {});
  history_.AddFrozen({400 * kNsPerMs, 9'000 * kNsPerMs, 8'600 * kNsPerMs});
  const auto records = history_.Records({}, &lost_);
  ASSERT_EQ(records.size(), 5U);
  EXPECT_EQ(records[0].kind, model::SpanKind::kNormal);
  EXPECT_EQ(records[1].kind, model::SpanKind::kSlow);
  EXPECT_EQ(records[2].kind, model::SpanKind::kSystem);
  EXPECT_EQ(records[3].kind, model::SpanKind::kFrame);
  EXPECT_EQ(records[4].kind, model::SpanKind::kFrozen);
  EXPECT_EQ(records[4].span_ns, 8'600 * kNsPerMs);
  EXPECT_EQ(records[4].messages, 0U);
  EXPECT_EQ(lost_, 0U);
}

TEST_F(HistoryTest, AMergedRunHasTheNameOfMostOfItsTime) {
  const auto add_run = [this](uint64_t token, uint64_t ms, const char* target) {
    tap::EndedMessage run = Ended(token, 1'000 * token, ms, target);
    run.kind = tap::EndedKind::kQuickRun;
    history_.Add(run, {});
  };
  add_run(1, 300, "app.Tick");
  add_run(2, 300, "app.Row");
  add_run(3, 310, "app.Tick");
  add_run(4, 20, "app.Last");
  tap::OpenHistory open = {};  // the name of an open run is not known yet
  open.run = Ended(5, 5'000, 200, "");
  open.run.kind = tap::EndedKind::kQuickRun;
  const auto records = history_.Records(open, &lost_);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].target, "app.Tick");
  EXPECT_EQ(records[0].token, Token{5});
  EXPECT_EQ(records[0].messages, 5U);
}

TEST_F(HistoryTest, AFreezeIsAPauseBesideItsGroup) {
  history_.Add(Ended(1, 0, 40), {});
  history_.AddFrozen({100 * kNsPerMs, 9'000 * kNsPerMs, 8'900 * kNsPerMs});
  history_.Add(Ended(2, 9'000, 60), {});
  const auto groups = history_.Groups({}, &lost_);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].kind, model::SpanKind::kMixed);
  EXPECT_EQ(groups[0].messages, 2U);
  EXPECT_EQ(groups[0].tokens, std::vector<Token>{Token{2}});
  EXPECT_EQ(groups[1].kind, model::SpanKind::kFrozen);
}

TEST_F(HistoryTest, TheCulpritIsTheMessageThatTookMostOfTheTime) {
  history_.Add(Ended(1, 0, 500), {});
  history_.Add(Ended(2, 500, 60), {});
  history_.Add(Ended(3, 560, 300), {});
  EXPECT_EQ(history_.LongestBetween(0, 860 * kNsPerMs).token, Token{1});
  EXPECT_EQ(history_.LongestBetween(400 * kNsPerMs, 860 * kNsPerMs).token, Token{3});
  EXPECT_EQ(history_.LongestBetween(510 * kNsPerMs, 550 * kNsPerMs).token, Token{2});
  EXPECT_EQ(history_.LongestBetween(900 * kNsPerMs, 950 * kNsPerMs).token, Token::kNone);
  EXPECT_EQ(history_.LongestBetween(400 * kNsPerMs, 860 * kNsPerMs).whole_ns, 500 * kNsPerMs);
  EXPECT_EQ(history_.LongestBetween(900 * kNsPerMs, 950 * kNsPerMs).whole_ns, 0U);
}

}  // namespace
}  // namespace stillframe::history
