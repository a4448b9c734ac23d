// SPDX-License-Identifier: Apache-2.0
// When a dump is due, over made-up times.
#include "src/anr/trigger_policy.h"

#include <gtest/gtest.h>

#include <random>

namespace stillframe::anr {
namespace {

using Decision = TriggerPolicy::Decision;
using Reason = TriggerPolicy::Reason;

constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kSecond = 1'000 * kMs;
constexpr TriggerPolicy::Limits kLimits = {.long_message_ns = 5 * kSecond, .gap_ns = 2 * kSecond};

TEST(TriggerPolicy, ALongMessageIsDumpedOnce) {
  TriggerPolicy policy(kLimits);
  policy.Observe(Token{7}, 100 * kSecond, 7, 101 * kSecond);
  EXPECT_EQ(policy.OnLongMessage(104 * kSecond), Decision::kNothing);
  EXPECT_EQ(policy.SleepNs(104 * kSecond), kSecond);
  EXPECT_EQ(policy.OnLongMessage(105 * kSecond), Decision::kDump);
  policy.Dumped(Reason::kLongMessage, "a", 105 * kSecond);
  policy.Observe(Token{7}, 100 * kSecond, 7, 150 * kSecond);
  EXPECT_EQ(policy.OnLongMessage(150 * kSecond), Decision::kNothing);
  EXPECT_EQ(policy.SleepNs(150 * kSecond), UINT64_MAX);
  policy.Observe(Token{8}, 150 * kSecond, 8, 151 * kSecond);
  EXPECT_EQ(policy.OnLongMessage(155 * kSecond), Decision::kDump);
}

TEST(TriggerPolicy, ASigquitReplacesTheDumpOfItsMessage) {
  TriggerPolicy policy(kLimits);
  policy.Observe(Token{7}, 100 * kSecond, 7, 105 * kSecond);
  policy.Dumped(Reason::kLongMessage, "a", 105 * kSecond);
  EXPECT_EQ(policy.OnQuit(106 * kSecond), Decision::kReplace);
  EXPECT_EQ(policy.long_message_path(), "a");
  policy.Dumped(Reason::kQuit, "b", 106 * kSecond);
  EXPECT_EQ(policy.OnQuit(107 * kSecond), Decision::kMerge) << "the same ANR, told twice";
  EXPECT_EQ(policy.OnQuit(109 * kSecond), Decision::kDump) << "another ANR of the same message";
}

TEST(TriggerPolicy, ASigquitForAnotherMessageReplacesNothing) {
  TriggerPolicy policy(kLimits);
  policy.Observe(Token{7}, 100 * kSecond, 7, 105 * kSecond);
  policy.Dumped(Reason::kLongMessage, "a", 105 * kSecond);
  policy.Observe(Token{8}, 108 * kSecond, 8, 109 * kSecond);
  EXPECT_EQ(policy.OnQuit(109 * kSecond), Decision::kDump);
}

TEST(TriggerPolicy, NoLongMessageDumpAfterASigquit) {
  TriggerPolicy policy(kLimits);
  policy.Observe(Token{7}, 100 * kSecond, 7, 103 * kSecond);
  EXPECT_EQ(policy.OnQuit(103 * kSecond), Decision::kDump);
  policy.Dumped(Reason::kQuit, "a", 103 * kSecond);
  EXPECT_EQ(policy.OnLongMessage(120 * kSecond), Decision::kNothing);
}

TEST(TriggerPolicy, AnExplicitDumpOnlyDelaysTheNext) {
  TriggerPolicy policy(kLimits);
  policy.Observe(Token{7}, 100 * kSecond, 7, 104 * kSecond);
  policy.Dumped(Reason::kOther, "a", 104 * kSecond);
  EXPECT_EQ(policy.OnLongMessage(105 * kSecond), Decision::kNothing);
  EXPECT_EQ(policy.SleepNs(105 * kSecond), kSecond) << "never 0: that would be a busy loop";
  EXPECT_EQ(policy.OnLongMessage(106 * kSecond), Decision::kDump);
}

// For messages deep in nested loops, only the count of begun messages is visible.
TEST(TriggerPolicy, AMessageInWhichOthersAreDispatchedIsNotALongOne) {
  TriggerPolicy policy(kLimits);
  policy.Observe(Token{7}, 100 * kSecond, 7, 100 * kSecond);
  uint64_t begun = 7;
  for (uint64_t at = 101; at < 130; at += 2) {
    ++begun;
    policy.Observe(Token{begun}, at * kSecond, begun, at * kSecond);
    policy.Observe(Token{7}, 100 * kSecond, begun, (at + 1) * kSecond);
    EXPECT_EQ(policy.OnLongMessage((at + 1) * kSecond), Decision::kNothing);
  }
  EXPECT_EQ(policy.OnLongMessage(140 * kSecond), Decision::kDump) << "now the inner loop stands";
}

TEST(TriggerPolicy, FrozenTimeDoesNotCount) {
  TriggerPolicy policy(kLimits);
  policy.Observe(Token{7}, 100 * kSecond, 7, 101 * kSecond);
  policy.WasFrozen(3'600 * kSecond);
  EXPECT_EQ(policy.OnLongMessage(3'702 * kSecond), Decision::kNothing);
  EXPECT_EQ(policy.OnLongMessage(3'705 * kSecond), Decision::kDump);
}

TEST(TriggerPolicy, AMissedHeartbeatIsConfirmedThenDumpedOnce) {
  TriggerPolicy policy(kLimits);
  policy.Observe(Token::kNone, 0, 40, 100 * kSecond);
  EXPECT_FALSE(policy.HeartbeatIsDue(104 * kSecond));
  ASSERT_TRUE(policy.HeartbeatIsDue(105 * kSecond));
  EXPECT_EQ(policy.OnHeartbeat(9 * kSecond, 105 * kSecond), Decision::kNothing);
  EXPECT_EQ(policy.SleepNs(105 * kSecond), TriggerPolicy::kConfirmHeartbeatNs);
  ASSERT_TRUE(policy.HeartbeatIsDue(106 * kSecond));
  EXPECT_EQ(policy.OnHeartbeat(10 * kSecond, 106 * kSecond), Decision::kDump);
  policy.Dumped(Reason::kOther, "a", 106 * kSecond);
  EXPECT_FALSE(policy.HeartbeatIsDue(900 * kSecond));
  EXPECT_EQ(policy.SleepNs(900 * kSecond), UINT64_MAX);
  policy.Observe(Token::kNone, 0, 41, 901 * kSecond);
  EXPECT_TRUE(policy.HeartbeatIsDue(907 * kSecond));
}

TEST(TriggerPolicy, LooksAgainWhenTheQueueReachesTheLimit) {
  TriggerPolicy policy(kLimits);
  policy.Observe(Token::kNone, 0, 40, 100 * kSecond);
  ASSERT_TRUE(policy.HeartbeatIsDue(105 * kSecond));
  EXPECT_EQ(policy.OnHeartbeat(2 * kSecond, 105 * kSecond), Decision::kNothing);
  EXPECT_EQ(policy.SleepNs(105 * kSecond), 3 * kSecond);
}

TEST(TriggerPolicy, HeartbeatsOfAnIdleLoopBackOff) {
  TriggerPolicy policy(kLimits);
  policy.Observe(Token::kNone, 0, 40, 100 * kSecond);
  int looks = 0;
  uint64_t now_ns = 100 * kSecond;
  while (now_ns < 700 * kSecond) {
    const uint64_t sleep_ns = policy.SleepNs(now_ns);
    ASSERT_GT(sleep_ns, 0U);
    now_ns += sleep_ns;
    ASSERT_TRUE(policy.HeartbeatIsDue(now_ns));
    policy.OnHeartbeat(0, now_ns);
    ++looks;
  }
  EXPECT_LE(looks, 14);
}

TEST(TriggerPolicy, WithoutALimitOnlySigquitIsDumped) {
  TriggerPolicy policy({.long_message_ns = 0, .gap_ns = 2 * kSecond});
  policy.Observe(Token{7}, 100 * kSecond, 7, 200 * kSecond);
  EXPECT_EQ(policy.OnLongMessage(200 * kSecond), Decision::kNothing);
  EXPECT_FALSE(policy.HeartbeatIsDue(500 * kSecond));
  EXPECT_EQ(policy.SleepNs(200 * kSecond), UINT64_MAX);
  EXPECT_EQ(policy.OnQuit(200 * kSecond), Decision::kDump);
}

TEST(TriggerPolicy, AHundredSigquitsInASecondAreOneDump) {
  TriggerPolicy policy(kLimits);
  policy.Observe(Token{7}, 100 * kSecond, 7, 101 * kSecond);
  int dumps = 0;
  for (uint64_t i = 0; i < 100; ++i) {
    const uint64_t now_ns = 101 * kSecond + i * 10 * kMs;
    if (policy.OnQuit(now_ns) != Decision::kDump) continue;
    ++dumps;
    policy.Dumped(Reason::kQuit, "a", now_ns);
  }
  EXPECT_EQ(dumps, 1);
}

// In any sequence, a message's length causes at most one dump, and signals' dumps keep the gap.
TEST(TriggerPolicy, RandomEventsKeepTheBounds) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    TriggerPolicy policy(kLimits);
    uint64_t now_ns = kSecond;
    uint64_t begun = 0;
    Token token = Token::kNone;
    uint64_t start_ns = 0;
    uint64_t last_quit_ns = 0;
    Token long_dumped = Token::kNone;
    for (int step = 0; step < 300; ++step) {
      now_ns += random() % (2 * kSecond);
      if (random() % 4 == 0) {
        token = token == Token::kNone ? Token{++begun} : Token::kNone;
        start_ns = now_ns;
      }
      policy.Observe(token, start_ns, begun, now_ns);
      if (random() % 5 == 0 && policy.OnQuit(now_ns) == Decision::kDump) {
        EXPECT_TRUE(last_quit_ns == 0 || now_ns - last_quit_ns >= kLimits.gap_ns);
        last_quit_ns = now_ns;
        policy.Dumped(Reason::kQuit, "q", now_ns);
      }
      if (policy.OnLongMessage(now_ns) == Decision::kDump) {
        EXPECT_NE(token, long_dumped);
        EXPECT_GE(now_ns - start_ns, kLimits.long_message_ns);
        long_dumped = token;
        policy.Dumped(Reason::kLongMessage, "l", now_ns);
      }
    }
  }
}

model::PendingMessage Due(int64_t delay_ms, bool is_barrier = false) {
  model::PendingMessage message;
  message.delay_ms = delay_ms;
  message.is_barrier = is_barrier;
  return message;
}

TEST(HeadLate, IsOfTheFirstMessageThatIsNoBarrier) {
  EXPECT_EQ(HeadLateMs({}), 0);
  EXPECT_EQ(HeadLateMs({Due(300)}), 0);
  EXPECT_EQ(HeadLateMs({Due(-300), Due(-200)}), 300);
  EXPECT_EQ(HeadLateMs({Due(-9'000, true), Due(-200)}), 200);
  EXPECT_EQ(HeadLateMs({Due(-9'000, true)}), 0);
}

TEST(ConfirmAnr, ALateQueueHeadConfirms) {
  EXPECT_NE(ConfirmAnr({true, 2'001, 0, "0"}), "");
  EXPECT_EQ(ConfirmAnr({true, 2'000, 0, "0"}), "");
  EXPECT_NE(ConfirmAnr({true, 2'001, 0, "100\n"}).find("foreground"), std::string::npos);
  EXPECT_EQ(ConfirmAnr({true, 9'000, 0, "700"}), "");
  EXPECT_NE(ConfirmAnr({true, 10'001, 0, "700"}).find("background"), std::string::npos);
  EXPECT_EQ(ConfirmAnr({true, 9'000, 0, ""}), "") << "not known: the longer limit";
  EXPECT_EQ(ConfirmAnr({false, 9'000, 0, "0"}), "") << "the queue was not read";
}

TEST(ConfirmAnr, ALongRunningMessageConfirms) {
  EXPECT_EQ(ConfirmAnr({false, 0, 4'999, "0"}), "");
  EXPECT_NE(ConfirmAnr({false, 0, 5'000, "900"}).find("5000 ms"), std::string::npos);
}

TEST(ErrorStatePoll, IsDueEveryHalfSecondForTwentySeconds) {
  ErrorStatePoll poll;
  EXPECT_EQ(poll.SleepNs(1), UINT64_MAX);
  EXPECT_FALSE(poll.IsDue(1));
  uint64_t now_ns = 7'000'000'000;
  poll.Start(now_ns);
  EXPECT_FALSE(poll.IsDue(now_ns));
  int asked = 0;
  while (!poll.IsOver(now_ns)) {
    now_ns += poll.SleepNs(now_ns);
    asked += poll.IsDue(now_ns) ? 1 : 0;
    EXPECT_FALSE(poll.IsDue(now_ns));
  }
  EXPECT_EQ(asked, 40);
  poll.Stop();
  EXPECT_FALSE(poll.IsOver(now_ns));
  EXPECT_EQ(poll.SleepNs(now_ns), UINT64_MAX);
}

}  // namespace
}  // namespace stillframe::anr
