// SPDX-License-Identifier: Apache-2.0
// Owners of a message's monitors, and their times; the table is bounded.
#include "src/history/lock_holders.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <map>

namespace stillframe::history {
namespace {

constexpr int32_t kGone = 0x7fff0000;  // and above: no thread has these ids

std::map<uint32_t, uint64_t> Sums(const LockHolders& holders) {
  std::map<uint32_t, uint64_t> sums;
  for (const model::LockWait& wait : holders.stretches()) sums[wait.owner_tid] += wait.blocked_us;
  return sums;
}

TEST(LockHolders, NobodyHeldALockAtFirst) {
  const LockHolders holders;
  EXPECT_EQ(holders.Longest().tid, 0);
  EXPECT_TRUE(holders.stretches().empty());
}

TEST(LockHolders, TheLongestHolderIsNamed) {
  LockHolders holders;
  pthread_setname_np(pthread_self(), "the holder");
  holders.Note(1, "", 0, 30);
  holders.Note(gettid(), "app.Store", 30, 50);
  holders.Note(0, "app.Store", 50, 550);
  holders.Note(1, "", 550, 555);
  holders.Note(gettid(), "app.Row", 600, 620);
  EXPECT_EQ(holders.Longest().tid, gettid());
  EXPECT_EQ(holders.Longest().name, "the holder");
  EXPECT_EQ(holders.Longest().held_us, 40U);
  holders.Clear();
  EXPECT_EQ(holders.Longest().tid, 0);
}

TEST(LockHolders, OneThatGoesOnIsOneStretch) {
  LockHolders holders;
  holders.Note(kGone, "app.Store", 0, 10'000);
  holders.Note(kGone, "app.Store", 10'000, 20'000);
  holders.Note(kGone, "app.Store", 30'000, 40'000);  // it ran in between
  ASSERT_EQ(holders.stretches().size(), 1U);
  EXPECT_EQ(holders.stretches()[0].until_us, 40'000U);
  EXPECT_EQ(holders.stretches()[0].blocked_us, 30'000U);
  holders.Note(kGone, "app.Store", 90'000, 100'000);
  holders.Note(kGone, "app.Row", 100'000, 110'000);
  holders.Note(kGone + 1, "app.Row", 110'000, 120'000);
  EXPECT_EQ(holders.stretches().size(), 4U);
}

TEST(LockHolders, MoreTurnsThanThereIsRoomForKeepTheirSums) {
  LockHolders holders;
  std::map<uint32_t, uint64_t> sums;
  uint32_t now_us = 0;
  for (uint32_t turn = 0; turn < 1'000; ++turn) {
    const int32_t tid = kGone + static_cast<int32_t>(turn % 3);
    const uint32_t length_us = 10'000 * (1 + turn % 3);
    holders.Note(tid, "app.Store", now_us, now_us + length_us);
    sums[static_cast<uint32_t>(tid)] += length_us;
    now_us += length_us;
    ASSERT_LE(holders.stretches().size(), LockHolders::kMaxStretches);
  }
  EXPECT_EQ(Sums(holders), sums);
  uint32_t last_us = 0;
  for (const model::LockWait& wait : holders.stretches()) {
    EXPECT_GE(wait.from_us, last_us) << "in the order of their beginnings";
    EXPECT_LE(wait.blocked_us, wait.until_us - wait.from_us);
    EXPECT_LE(wait.until_us, now_us);
    last_us = wait.from_us;
  }
}

TEST(LockHolders, ManyAreBoundedAndThreadsThatAreGoneHaveNoName) {
  LockHolders holders;
  for (int32_t i = 0; i < 0x100; ++i) {
    const auto now_us = static_cast<uint32_t>(i) * 100;
    holders.Note(kGone + i, "", now_us, now_us + 1 + (static_cast<uint32_t>(i) & 7U));
  }
  EXPECT_EQ(holders.stretches().size(), LockHolders::kMaxStretches);
  EXPECT_EQ(holders.Longest().tid, kGone + 7);
  EXPECT_EQ(holders.Longest().name, "");
}

}  // namespace
}  // namespace stillframe::history
