// SPDX-License-Identifier: Apache-2.0
// The facts that /proc gives about this process.
#include "src/os/proc.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>

#include "src/os/signal_action.h"

namespace stillframe::os {
namespace {

const int g_in_this_program = 0;

// A thread that was joined may stay in /proc for a moment.
bool IsGoneSoon(const char* thread_name) {
  for (int i = 0; i < 10'000; ++i) {
    if (FindThreadByName(thread_name) == 0) return true;
    usleep(1'000);
  }
  return false;
}

bool Contains(const AddressRange& range, const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  return at >= range.begin && at < range.end;
}

TEST(MainStack, HoldsTheMainThreadsLocals) {
  ASSERT_EQ(getpid(), gettid()) << "this case must run on the main thread";
  const AddressRange stack = MainStack();
  EXPECT_TRUE(Contains(stack, __builtin_frame_address(0)));
  static const int kNotOnIt = 0;
  EXPECT_FALSE(Contains(stack, &kNotOnIt));
  std::thread other([&stack] {
    const int others_local = 0;
    EXPECT_FALSE(Contains(stack, &others_local));
  });
  other.join();
}

// As a runtime protects the pages at the end of its stack.
TEST(MainStack, ReachesOverProtectedPages) {
  constexpr size_t kPageBytes = 16 * 1024;
  std::array<volatile char, 16 * kPageBytes> room;
  room[0] = 1;
  const auto at = (reinterpret_cast<uintptr_t>(&room[2 * kPageBytes])) & ~(kPageBytes - 1);
  ASSERT_EQ(mprotect(reinterpret_cast<void*>(at), kPageBytes, PROT_READ), 0);
  const AddressRange stack = MainStack();
  EXPECT_EQ(mprotect(reinterpret_cast<void*>(at), kPageBytes, PROT_READ | PROT_WRITE), 0);
  EXPECT_TRUE(Contains(stack, __builtin_frame_address(0)));
}

TEST(MainStack, ReachesAsFarDownAsTheStackMayGrow) {
  rlimit limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_STACK, &limit), 0);
  if (limit.rlim_cur == RLIM_INFINITY) GTEST_SKIP() << "the stack has no limit here";
  const AddressRange stack = MainStack();
  EXPECT_GE(stack.end - stack.begin, limit.rlim_cur);
}

TEST(FindThreadByName, FindsAThreadAndNoOther) {
  EXPECT_EQ(FindThreadByName("no such thread"), 0);
  std::atomic<int32_t> tid{0};
  std::atomic<bool> done{false};
  std::thread named([&] {
    pthread_setname_np(pthread_self(), "Signal Catcher");
    tid = gettid();
    while (!done) std::this_thread::yield();
  });
  while (tid == 0) std::this_thread::yield();
  EXPECT_EQ(FindThreadByName("Signal Catcher"), tid);
  EXPECT_EQ(FindThreadByName("Signal"), 0) << "the beginning of a name is another name";
  done = true;
  named.join();
  EXPECT_TRUE(IsGoneSoon("Signal Catcher"));
}

// The kernel keeps 15 bytes of a thread's name.
TEST(FindThreadByName, LongNamesAreComparedAsFarAsTheKernelKeepsThem) {
  std::atomic<int32_t> tid{0};
  std::atomic<bool> done{false};
  std::thread named([&] {
    pthread_setname_np(pthread_self(), "HeapTaskDaemon1");
    tid = gettid();
    while (!done) std::this_thread::yield();
  });
  while (tid == 0) std::this_thread::yield();
  EXPECT_EQ(FindThreadByName("HeapTaskDaemon1 and more"), tid);
  done = true;
  named.join();
}

TEST(ProcessName, IsTheProgramsOwn) {
  EXPECT_NE(ProcessName().find("unit_os"), std::string::npos) << ProcessName();
}

TEST(IsBelowProcessWith, LooksAtAllThatTheProcessDescendsFrom) {
  EXPECT_FALSE(IsBelowProcessWith("unit_os"));
  const pid_t child = fork();
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild == 0)
      _exit(IsBelowProcessWith("unit_o") && !IsBelowProcessWith("nit_os") ? 7 : 1);
    int status = 0;
    waitpid(grandchild, &status, 0);
    _exit(WEXITSTATUS(status));
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST(ThreadBlocks, FollowsTheMask) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPROF);
  EXPECT_FALSE(ThreadBlocks(gettid(), SIGPROF));
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  EXPECT_TRUE(ThreadBlocks(gettid(), SIGPROF));
  EXPECT_FALSE(ThreadBlocks(gettid(), SIGPROF - 1));
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  EXPECT_FALSE(ThreadBlocks(gettid(), SIGPROF));
}

TEST(ThreadHasEnded, TellsTheDeadFromTheLiving) {
  EXPECT_FALSE(ThreadHasEnded(gettid()));
  int32_t tid = 0;
  std::thread([&tid] { tid = gettid(); }).join();
  // join() can return shortly before the thread's entry is gone.
  for (int i = 0; i < 1'000 && !ThreadHasEnded(tid); ++i) usleep(1'000);
  EXPECT_TRUE(ThreadHasEnded(tid));
}

TEST(LibraryOf, NamesTheFile) {
  EXPECT_EQ(LibraryOf(reinterpret_cast<uintptr_t>(&g_in_this_program)), "unit_os");
  EXPECT_EQ(LibraryOf(16), "unknown code");
}

TEST(KernelSigaction, ReachesTheKernel) {
  const core::SigactionFunction kernel_sigaction = KernelSigaction();
  ASSERT_NE(kernel_sigaction, nullptr);
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  struct sigaction before = {};
  ASSERT_EQ(kernel_sigaction(SIGUSR1, &ignore, &before), 0);
  struct sigaction now = {};
  ASSERT_EQ(kernel_sigaction(SIGUSR1, &before, &now), 0);
  EXPECT_EQ(now.sa_handler, SIG_IGN);
}

}  // namespace
}  // namespace stillframe::os
