// SPDX-License-Identifier: Apache-2.0
// The handler on alternate signal stacks of several sizes.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "src/core/clock.h"
#include "src/core/sampler.h"
#include "tests/unit/counted.h"

namespace stillframe::core {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;

// The end of the new stack.
uintptr_t UseStack(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const stack_t stack = {.ss_sp = memory, .ss_flags = 0, .ss_size = bytes};
  EXPECT_EQ(sigaltstack(&stack, nullptr), 0);
  return reinterpret_cast<uintptr_t>(memory) + bytes;
}

uintptr_t g_frame_end = 0;
void NoteFrame(int) { g_frame_end = reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa()); }

// Enough for the kernel's frame and the handler; not for a fault in it. The frame is measured:
// AT_MINSIGSTKSZ counts registers, as those of AMX, that no thread here uses.
size_t TooFewBytes() {
  constexpr size_t kHandlerBytes = 4096;
  struct sigaction action = {};
  action.sa_handler = NoteFrame;
  action.sa_flags = SA_ONSTACK;
  EXPECT_EQ(sigaction(SIGUSR2, &action, nullptr), 0);
  const uintptr_t top = UseStack(64 << 10);
  raise(SIGUSR2);
  return std::max(top - g_frame_end + kHandlerBytes, 2 * kHandlerBytes);
}

uint8_t OneFrame(const void*, uintptr_t, const arch::Registers*, FrameSink* sink) {
  sink->Push(1, 1, RawFrameKind::kJni);
  return 0;
}

class SmallStack : public testing::Test {
 public:
  void Send() const {
    siginfo_t info = {};
    info.si_signo = SIGPROF;
    info.si_code = SI_TIMER;
    info.si_value.sival_ptr = sampler_->cookie();
    ASSERT_EQ(syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGPROF, &info), 0);
  }

 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer's frames are not the product's";
#endif
    static WatchedThread thread;
    sampler_ = new Sampler;
    ASSERT_EQ(sampler_->Start({OneFrame, nullptr, &thread, 1, 16, 65'536, sigaction}), 0);
    sampler_->SetCpuClockBase(0, kSecondNs, sampler_->cookie());
    thread.tid = gettid();
    thread.message.Publish(Token{7}, MonotonicNs() - kSecondNs, 0);
  }

  Sampler* sampler_ = nullptr;
  Counted counted_;
};

TEST_F(SmallStack, ThatIsTooSmallEndsSamplingAfterThreeSignals) {
  const size_t bytes = TooFewBytes();
  UseStack(bytes);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(sampler_->enabled());
    EXPECT_EQ(sampler_->small_stack().bytes, 0U);
    Send();
  }
  EXPECT_FALSE(sampler_->enabled());
  sampler_->Resume();
  EXPECT_FALSE(sampler_->enabled()) << "for good";
  EXPECT_EQ(sampler_->small_stack().bytes, bytes);
  EXPECT_GT(sampler_->small_stack().frame_bytes, 0U);
  EXPECT_LE(sampler_->small_stack().frame_bytes, bytes);
  EXPECT_EQ(sampler_->samples(), 0U);
  EXPECT_EQ(counted_.Of(Counter::kDropsSmallStack), 3U);
}

// The alternate stack of Android's threads (bionic libc/bionic/pthread_internal.h,
// SIGNAL_STACK_SIZE).
TEST_F(SmallStack, OfAndroidsSizeIsLargeEnough) {
  UseStack(32 << 10);
  Send();
  EXPECT_EQ(sampler_->samples(), 1U);
  EXPECT_EQ(sampler_->small_stack().bytes, 0U);
}

const SmallStack* g_test = nullptr;
uintptr_t g_handler = 0;  // its stack pointer

// Another component's handler that uses `kUsed` bytes of the stack.
constexpr size_t kUsed = 62 << 10;
void OtherHandler(int, siginfo_t*, void*) {
  char used[kUsed];
  asm volatile("" : : "r"(used) : "memory");
  g_handler = reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa());
  g_test->Send();
}

TEST_F(SmallStack, IsSharedWithTheHandlerThatTheSignalInterrupts) {
  g_test = this;
  struct sigaction action = {};
  action.sa_sigaction = OtherHandler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ASSERT_EQ(sigaction(SIGUSR1, &action, nullptr), 0);
  const uintptr_t top = UseStack(128 << 10);  // of which the rest is enough
  for (int i = 0; i < 3; ++i) raise(SIGUSR1);
  EXPECT_EQ(sampler_->samples(), 3U);
  const size_t frame_bytes = top - g_handler;
  UseStack(kUsed + 2 * frame_bytes + (6 << 10));
  for (int i = 0; i < 3; ++i) raise(SIGUSR1);
  EXPECT_EQ(sampler_->samples(), 3U);
  EXPECT_EQ(counted_.Of(Counter::kDropsSmallStack), 3U);
  EXPECT_TRUE(sampler_->enabled()) << "the other handler's need is not ours";
}

TEST_F(SmallStack, IsOneThatHasRoomAgainLater) {
  for (int i = 0; i < 3; ++i) {
    UseStack(TooFewBytes());
    Send();
    Send();
    UseStack(64 << 10);
    Send();
  }
  EXPECT_TRUE(sampler_->enabled());
  EXPECT_EQ(sampler_->samples(), 3U);
}

}  // namespace
}  // namespace stillframe::core
