// SPDX-License-Identifier: Apache-2.0
// The cost of a message on its own thread: counted system calls and allocations.
#include <errno.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "src/core/clock.h"
#include "src/os/duration.h"
#include "src/tap/recorder.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTS_ALLOCATIONS
// Every allocation of the program passes here, operator new's too.
static std::atomic<uint64_t> g_allocations{0};
extern "C" void* __libc_malloc(size_t);
extern "C" void* malloc(size_t);
extern "C" void* malloc(size_t bytes) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(bytes);
}
#endif

namespace stillframe::tap {
namespace {

using os::kNsPerMs;

constexpr int kMessages = 20'000;

struct Bed {
  Bed() {
    thread.tid = gettid();
    recorder.Start({&thread,
                    {50 * kNsPerMs, 30 * kNsPerMs, 300 * kNsPerMs, 1'000 * kNsPerMs},
                    &wake_up,
                    nullptr});
  }
  // True when a message was slow.
  bool RunQuickMessages() {
    bool any_slow = false;
    for (int i = 0; i < kMessages; ++i) {
      recorder.Begin();
      any_slow |= (recorder.End() & Recorder::kDescribe) != 0;
    }
    return any_slow;
  }
  core::WatchedThread thread;
  WakeUpRequest wake_up;
  Recorder recorder;
};

// volatile, since a compiler may remove an unused pair of calls.
[[maybe_unused]] void AllocateOnce() {
  void* volatile memory = malloc(1);
  free(memory);
}

TEST(QuickMessage, AllocatesNothing) {
#ifndef COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc is replaced with glibc alone, and without a sanitizer";
#else
  Bed bed;
  const uint64_t before = g_allocations;
  AllocateOnce();
  ASSERT_EQ(g_allocations, before + 1) << "the count works";
  bed.RunQuickMessages();
  EXPECT_EQ(g_allocations, before + 1);
  EXPECT_EQ(bed.thread.message.begun, kMessages);
#endif
}

TEST(SlowMessage, AllocatesNothingWhenDescribedByText) {
#ifndef COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc is replaced with glibc alone, and without a sanitizer";
#else
  Bed bed;
  constexpr const char* kRunText =
      ">>>>> Dispatching to Handler (android.view.ViewRootImpl$ViewRootHandler) {d8} null: 1";
  constexpr const char* kText =
      ">>>>> Dispatching to Handler (com.example.list.NewsListHandler) {5a1f} "
      "com.example.list.NewsListFragment$LoadMoreRunnable@7b2c: 2";
  bed.recorder.BeginAt(1'000 * kNsPerMs, 1);
  bed.recorder.EndAt(1'001 * kNsPerMs);
  bed.recorder.BeginAt(1'002 * kNsPerMs, 1);
  const uint64_t before = g_allocations;
  AllocateOnce();
  const uint32_t wanted = bed.recorder.EndAt(1'102 * kNsPerMs);
  bed.recorder.DescribeText(kRunText, true);
  bed.recorder.DescribeText(kText, false);
  EXPECT_EQ(g_allocations, before + 1);
  EXPECT_EQ(wanted, Recorder::kEnded | Recorder::kDescribeRun | Recorder::kDescribe);
  EndedMessage ended;
  ASSERT_TRUE(bed.recorder.TakeEnded(&ended));
  EXPECT_STREQ(ended.target, "android.view.ViewRootImpl$ViewRootHandler");
  ASSERT_TRUE(bed.recorder.TakeEnded(&ended));
  EXPECT_STREQ(ended.callback, "com.example.list.NewsListFragment$LoadMoreRunnable");
#endif
}

// ---- System calls, counted by the kernel: all but the few that the child itself needs end in
// SIGSYS ----

#if defined(__x86_64__)

uint32_t g_clock_calls = 0;
uint32_t g_other_calls = 0;

void OnForbiddenCall(int, siginfo_t* info, void* context) {
  auto& gregs = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (info->si_syscall == SYS_clock_gettime) {
    ++g_clock_calls;
    auto* now = reinterpret_cast<timespec*>(gregs[REG_RSI]);
    *now = {0, 0};
    gregs[REG_RAX] = 0;
  } else {
    ++g_other_calls;
    gregs[REG_RAX] = -ENOSYS;
  }
}

bool CountSystemCalls() {
  struct sigaction action = {};
  action.sa_sigaction = OnForbiddenCall;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSYS, &action, nullptr);
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
  };
  const sock_fprog program = {sizeof rules / sizeof rules[0], rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

enum ChildExit {
  kFewCalls = 0,
  kNoFilter = 1,
  kOtherCalls = 2,
  kManyClockCalls = 3,
  kNoClockCalls = 4
};

[[noreturn]] void Child() {
  Bed bed;
  bed.RunQuickMessages();  // the first message asks for the thread's id
  if (!CountSystemCalls()) _exit(kNoFilter);
  const uint64_t begin_ns = core::MonotonicNs();
  // Longer than a mark, so that the count has something to count.
  do {
    bed.RunQuickMessages();
  } while (core::MonotonicNs() - begin_ns < 2 * CpuMark::kMarkNs);
  const uint64_t marks = (core::MonotonicNs() - begin_ns) / CpuMark::kMarkNs + 2;
  int code = kFewCalls;
  if (g_clock_calls == 0) code = kNoClockCalls;
  if (g_clock_calls > marks) code = kManyClockCalls;
  if (g_other_calls > 0) code = kOtherCalls;
  _exit(code);
}

TEST(QuickMessage, CallsTheKernelOnlyForTheCpuClockAndSeldom) {
  if (kIsSanitized) GTEST_SKIP() << "the sanitizer makes system calls of its own";
  const pid_t child = fork();
  if (child == 0) Child();
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  if (WEXITSTATUS(status) == kNoFilter) GTEST_SKIP() << "seccomp filters are not permitted here";
  EXPECT_EQ(WEXITSTATUS(status), kFewCalls)
      << "2: another system call; 3: the CPU clock too often; 4: never, so nothing was counted";
}

#else

TEST(QuickMessage, CallsTheKernelOnlyForTheCpuClockAndSeldom) {
  GTEST_SKIP() << "answers system calls in the registers of x86_64";
}

#endif

}  // namespace
}  // namespace stillframe::tap
