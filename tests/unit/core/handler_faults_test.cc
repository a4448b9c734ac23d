// SPDX-License-Identifier: Apache-2.0
// Faults inside the handler of SIGPROF, and the thread that it interrupted.
#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "src/core/clock.h"
#include "src/core/guarded_memory.h"
#include "src/core/sampler.h"

namespace stillframe::core {
namespace {

constexpr uint64_t kOld = 1'000'000'000;

WatchedThread& Watched() {
  static auto* thread = new WatchedThread;
  return *thread;
}
Sampler& TheOne() {
  static auto* sampler = new Sampler;
  return *sampler;
}

void (*g_fault)() = nullptr;

uint8_t WalkThatFaults(const void*, uintptr_t, const arch::Registers*, FrameSink* sink) {
  if (g_fault != nullptr) g_fault();
  sink->Push(1, 1, RawFrameKind::kJni);
  return 0;
}

void StoreToNowhere() {
  volatile int* nowhere = nullptr;
  asm volatile("" : "+r"(nowhere));
  *nowhere = 1;
}

void CopyToNowhere() {
  errno = EIO;
  const volatile size_t bytes = 64;
  const char text[64] = {};
  void* volatile nowhere = reinterpret_cast<void*>(8);
  memmove(nowhere, text, bytes);
}

void Protect(int protection) {
  const auto ring = reinterpret_cast<uintptr_t>(&TheOne().FrameAt(0)) & ~uintptr_t{4095};
  mprotect(reinterpret_cast<void*>(ring), TheOne().ring_bytes(), protection);
}

// As the kernel would for an expired timer.
void Send() {
  siginfo_t info = {};
  info.si_signo = SIGPROF;
  info.si_code = SI_TIMER;
  info.si_value.sival_ptr = TheOne().cookie();
  ASSERT_EQ(syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGPROF, &info), 0);
}

void Begin() {
  ASSERT_EQ(InstallFaultRecovery(sigaction), 0);
  ASSERT_EQ(TheOne().Start({WalkThatFaults, nullptr, &Watched(), 1, 16, 65'536, sigaction}), 0);
  TheOne().SetCpuClockBase(0, kOld, TheOne().cookie());
  Watched().tid = gettid();
  Watched().message.Publish(Token{7}, MonotonicNs() - kOld, 0);
}

// As from `kill -SEGV`, or a runtime that has reported a crash: it can arrive at any place.
TEST(HandlerFaults, ASignalThatSomebodySentIsNoFault) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer calls the handler, not the kernel";
#endif
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    Begin();
    g_fault = [] { syscall(SYS_tgkill, getpid(), gettid(), SIGSEGV); };
    Send();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) << status;
}

// Faults in the walk, in foreign code it calls, and in the ring. Sampling does not resume.
TEST(HandlerFaults, EachEndsTheHandlerAndTheThirdEndsSampling) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer calls the handler, not the kernel";
#endif
  Sampler& sampler = TheOne();
  Begin();
  Send();
  EXPECT_EQ(sampler.samples(), 1U);
  uint32_t faults = 0;
  for (auto* fault : {StoreToNowhere, CopyToNowhere, +[] { Protect(PROT_READ); }}) {
    EXPECT_TRUE(sampler.enabled());
    g_fault = fault;
    errno = ENOENT;
    double sum = 0;
    for (int i = 0; i < 1'000; ++i) {
      sum += i * 0.5;
      if (i == 500) Send();
    }
    EXPECT_EQ(errno, ENOENT);
    EXPECT_EQ(sum, 249'750.0);
    EXPECT_EQ(Sampler::handler_faults(), ++faults);
    EXPECT_FALSE(Sampler::IsInHandler());
  }
  Protect(PROT_READ | PROT_WRITE);
  g_fault = nullptr;
  EXPECT_TRUE(sampler.is_broken());
  EXPECT_FALSE(sampler.enabled());
  sampler.Resume();
  EXPECT_FALSE(sampler.enabled()) << "for good";
  Send();
  EXPECT_EQ(sampler.samples(), 1U);
}

}  // namespace
}  // namespace stillframe::core
