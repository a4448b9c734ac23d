// SPDX-License-Identifier: Apache-2.0
// What confirms an ANR: a late queue or a message that has run long.
#include <gtest/gtest.h>

#include "src/anr/trigger_policy.h"

namespace stillframe::anr {
namespace {

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

}  // namespace
}  // namespace stillframe::anr
