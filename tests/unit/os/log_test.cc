// SPDX-License-Identifier: Apache-2.0
// How many lines the log takes.
#include "src/os/log.h"

#include <gtest/gtest.h>

namespace stillframe::os {
namespace {

TEST(LogBudget, AFewLinesAMinuteAreWrittenAndTheOthersCounted) {
  LogBudget budget;
  uint32_t left_out = 0;
  uint64_t now_ns = 5'000'000'000'000;
  for (uint32_t i = 0; i < LogBudget::kMostLines; ++i) {
    EXPECT_TRUE(budget.Spend(now_ns, &left_out));
    EXPECT_EQ(left_out, 0U);
    now_ns += 1'000'000;
  }
  for (int i = 0; i < 7; ++i) EXPECT_FALSE(budget.Spend(now_ns, &left_out));
  now_ns += LogBudget::kPeriodNs;
  EXPECT_TRUE(budget.Spend(now_ns, &left_out));
  EXPECT_EQ(left_out, 7U);
  EXPECT_TRUE(budget.Spend(now_ns, &left_out));
  EXPECT_EQ(left_out, 0U) << "told once";
}

}  // namespace
}  // namespace stillframe::os
