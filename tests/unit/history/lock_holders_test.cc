// SPDX-License-Identifier: Apache-2.0
// Which holder a message is told of; the table is bounded.
#include "src/history/lock_holders.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

namespace stillframe::history {
namespace {

TEST(LockHolders, NobodyHeldALockAtFirst) {
  const LockHolders holders;
  EXPECT_EQ(holders.Longest().tid, 0);
}

TEST(LockHolders, TheLongestHolderIsNamed) {
  LockHolders holders;
  pthread_setname_np(pthread_self(), "the holder");
  holders.Note(1, 30);
  holders.Note(gettid(), 20);
  holders.Note(0, 500);
  holders.Note(gettid(), 20);
  EXPECT_EQ(holders.Longest().tid, gettid());
  EXPECT_EQ(holders.Longest().name, "the holder");
  EXPECT_EQ(holders.Longest().held_ns, 40U);
  holders.Clear();
  EXPECT_EQ(holders.Longest().tid, 0);
}

TEST(LockHolders, ManyAreBoundedAndThreadsThatAreGoneHaveNoName) {
  LockHolders holders;
  for (int32_t tid = 0x7fff0000; tid < 0x7fff0100; ++tid) holders.Note(tid, 1 + (tid & 7));
  EXPECT_EQ(holders.Longest().tid, 0x7fff0007);
  EXPECT_EQ(holders.Longest().name, "");
}

}  // namespace
}  // namespace stillframe::history
