// SPDX-License-Identifier: Apache-2.0
// A process that really dies in the handler of SIGPROF, and the level that the next one gets.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "src/core/clock.h"
#include "src/core/sampler.h"
#include "src/health/guard.h"

namespace stillframe::health {
namespace {

uint8_t DieWhileWalking(const void*, uintptr_t, const arch::Registers*, core::FrameSink*) {
  __builtin_trap();
}

// Takes a sample, as for our timer's signal in a slow message.
void SampleOnce() {
  static core::WatchedThread thread;
  static core::Sampler sampler;
  thread.tid = gettid();
  thread.message.token.store(Token{1});
  sampler.Start({DieWhileWalking, nullptr, &thread, 0, 16, 4096, sigaction});
  siginfo_t info = {};
  info.si_signo = SIGPROF;
  info.si_code = SI_TIMER;
  info.si_value.sival_ptr = sampler.cookie();
  syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGPROF, &info);
}

// How a process with a guard ended after `then`.
int After(const std::string& folder, int (*then)(const Guard&)) {
  const pid_t child = fork();
  if (child == 0) {
    Guard guard;
    guard.Open({.folder = folder,
                .process = "com.shop",
                .about = "build",
                .limits = {},
                .healthy_ns = 60'000'000'000},
               core::MonotonicNs());
    _exit(then(guard));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

TEST(HandlerDeathTest, MessagesAreStillRecordedAfterIt) {
  char folder[] = "/tmp/handler-death-XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  EXPECT_LT(After(
                folder,
                [](const Guard&) {
                  SampleOnce();
                  return 0;
                }),
            0);
  const auto level = [](const Guard& guard) { return static_cast<int>(guard.level()); };
  EXPECT_EQ(After(folder, level), static_cast<int>(Level::kRecording));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace stillframe::health
