// SPDX-License-Identifier: Apache-2.0
// A day's CPU budget: when time is recorded, when it is used up, and when a new day starts.
#include <gtest/gtest.h>

#include "src/health/watchdogs.h"

namespace stillframe::health {
namespace {

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr int64_t kToday = 20'000;

TEST(CpuBudget, AnEntryIsDueAtFirstAndThenForWhatWasUsedSince) {
  CpuBudget budget;
  budget.SetLimit(300);
  budget.Note(80 * kNsPerMs, kToday);
  EXPECT_TRUE(budget.IsDue());
  EXPECT_EQ(budget.PendingMs(), 80U);
  budget.Entered(1'080);  // others have used a second
  EXPECT_FALSE(budget.IsDue());
  budget.Note(80 * kNsPerMs + 249 * kNsPerMs, kToday);
  EXPECT_FALSE(budget.IsDue());
  EXPECT_EQ(budget.UsedMs(), 1'329U);
  budget.Note(80 * kNsPerMs + 250 * kNsPerMs, kToday);
  EXPECT_TRUE(budget.IsDue());
  EXPECT_EQ(budget.OwnMs(), 330U);
  budget.NotEntered();
  EXPECT_FALSE(budget.IsDue()) << "not in each round";
  budget.Note(80 * kNsPerMs + 500 * kNsPerMs, kToday);
  EXPECT_TRUE(budget.IsDue());
  EXPECT_EQ(budget.PendingMs(), 500U);
}

TEST(CpuBudget, OfASmallBudgetEntriesAreSmall) {
  CpuBudget budget;
  budget.SetLimit(1);
  budget.Note(0, kToday);
  budget.Entered(0);
  budget.Note(15 * kNsPerMs, kToday);
  EXPECT_TRUE(budget.IsDue());
}

TEST(CpuBudget, WhatEndsTheDayIsEnteredAtOnce) {
  CpuBudget budget;
  budget.SetLimit(1);
  budget.Note(900 * kNsPerMs, kToday);
  budget.Entered(995);
  budget.Note(904 * kNsPerMs, kToday);
  EXPECT_FALSE(budget.IsDue());
  budget.Note(905 * kNsPerMs, kToday);
  EXPECT_TRUE(budget.is_over() && budget.IsDue());
  budget.NotEntered();
  EXPECT_FALSE(budget.IsDue()) << "not in each round";
  budget.Note(920 * kNsPerMs, kToday);
  budget.Entered(1'015);
  budget.Note(921 * kNsPerMs, kToday);
  EXPECT_FALSE(budget.IsDue()) << "it is known";
}

TEST(CpuBudget, ItIsOverByWhatAllHaveUsedAndThereIsMoreTheNextDay) {
  CpuBudget budget;
  budget.SetLimit(2);
  budget.Note(500 * kNsPerMs, kToday);
  budget.Entered(1'900);
  EXPECT_FALSE(budget.is_over());
  budget.Note(600 * kNsPerMs, kToday);
  EXPECT_TRUE(budget.is_over()) << "what is pending counts";
  EXPECT_EQ(budget.Why(), "the day's 2 s of CPU are used up; again from 2024-10-05 00:00:00 UTC");
  budget.Note(600 * kNsPerMs, kToday - 1);
  EXPECT_TRUE(budget.is_over()) << "a clock set back";
  budget.Note(601 * kNsPerMs, kToday + 1);
  EXPECT_FALSE(budget.is_over());
  EXPECT_TRUE(budget.IsDue()) << "to see what others have used of it";
  EXPECT_EQ(budget.UsedMs(), 31U);
  budget.Entered(2'000);
  EXPECT_TRUE(budget.is_over());
}

TEST(CpuBudget, AClockThatWasAheadForAMomentKeepsNothingOff) {
  CpuBudget budget;
  budget.SetLimit(1);
  budget.Note(0, kToday + 5'000);
  budget.Note(0, kToday);
  budget.Note(1'000 * kNsPerMs, kToday);
  EXPECT_TRUE(budget.is_over());
  EXPECT_EQ(budget.Why(), "the day's 1 s of CPU are used up; again from 2024-10-05 00:00:00 UTC");
  budget.Entered(1'000);
  budget.Note(1'000 * kNsPerMs, kToday + 1);
  EXPECT_FALSE(budget.is_over());
}

TEST(CpuBudget, AnAccountThatLostItsSumsDoesNotForgetThisProcess) {
  CpuBudget budget;
  budget.SetLimit(1);
  budget.Note(700 * kNsPerMs, kToday);
  budget.Entered(700);
  budget.Note(1'000 * kNsPerMs, kToday);
  budget.Entered(300);
  EXPECT_TRUE(budget.is_over());
}

TEST(CpuBudget, WithoutAnAccountADayIsNotWhatWasUsedBefore) {
  CpuBudget budget;
  budget.SetLimit(1);
  budget.Note(1'500 * kNsPerMs, kToday);
  EXPECT_TRUE(budget.is_over()) << "of the first day it is all";
  budget.NotEntered();
  budget.Note(1'600 * kNsPerMs, kToday + 1);
  EXPECT_FALSE(budget.is_over());
  EXPECT_EQ(budget.UsedMs(), 15U);
  budget.Note(2'590 * kNsPerMs, kToday + 1);
  EXPECT_TRUE(budget.is_over());
}

TEST(CpuBudget, WithoutALimitItIsNeverOverNorDue) {
  CpuBudget budget;
  budget.Note(UINT64_MAX, kToday);
  EXPECT_FALSE(budget.IsDue());
  EXPECT_FALSE(budget.is_over());
}

}  // namespace
}  // namespace stillframe::health
