#include "src/history/lock_owners.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

namespace stillframe::history {
namespace {

TEST(LockOwners, NobodyAtFirst) {
  const LockOwners owners;
  EXPECT_EQ(owners.Longest().tid, 0);
}

TEST(LockOwners, TheOneThatHeldTheLongest) {
  LockOwners owners;
  pthread_setname_np(pthread_self(), "the owner");
  owners.Note(1, 30);
  owners.Note(gettid(), 20);
  owners.Note(0, 500);
  owners.Note(gettid(), 20);
  EXPECT_EQ(owners.Longest().tid, gettid());
  EXPECT_EQ(owners.Longest().name, "the owner");
  EXPECT_EQ(owners.Longest().held_ns, 40U);
  owners.Clear();
  EXPECT_EQ(owners.Longest().tid, 0);
}

TEST(LockOwners, ManyAreBoundedAndThreadsThatAreGoneHaveNoName) {
  LockOwners owners;
  for (int32_t tid = 0x7fff0000; tid < 0x7fff0100; ++tid) owners.Note(tid, 1 + (tid & 7));
  EXPECT_EQ(owners.Longest().tid, 0x7fff0007);
  EXPECT_EQ(owners.Longest().name, "");
}

}  // namespace
}  // namespace stillframe::history
