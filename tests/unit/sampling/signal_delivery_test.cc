// SPDX-License-Identifier: Apache-2.0
// Delivery of SIGPROF when other code changes its handler or its mask. The clocks are the test's
// own.
#include "src/sampling/signal_delivery.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/core/sampler.h"

namespace stillframe::sampling {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kPeriodNs = 10 * kMs;

uint8_t NoWalk(const void*, uintptr_t, const arch::Registers*, core::FrameSink*) { return 0; }

core::Sampler& QuietSampler() {
  static core::Sampler* sampler = [] {
    static core::WatchedThread thread;
    auto* made = new core::Sampler;
    EXPECT_EQ(made->Start({NoWalk, nullptr, &thread, 0, 16, 4096, sigaction}), 0);
    return made;
  }();
  return *sampler;
}

void OtherHandler(int) {}

void SetHandler(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(SIGPROF, &action, nullptr);
}

// Sends the signal as our timer does.
void SendSignal() {
  siginfo_t info = {};
  info.si_signo = SIGPROF;
  info.si_code = SI_TIMER;
  info.si_value.sival_ptr = QuietSampler().cookie();
  syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGPROF, &info);
}

class SignalDeliveryTest : public testing::Test {
 protected:
  void SetUp() override {
    delivery_.Start(&QuietSampler(), gettid());
    ASSERT_TRUE(delivery_.Check(now_ns_, cpu_ns_, kPeriodNs, false));
  }
  void TearDown() override { QuietSampler().InstallAgain(); }

  // The thread has run for so long with the timer armed.
  bool CheckAfter(uint64_t ms, bool is_armed = true) {
    now_ns_ += ms * kMs;
    cpu_ns_ += ms * kMs;
    return delivery_.Check(now_ns_, cpu_ns_, kPeriodNs, is_armed);
  }

  SignalDelivery delivery_;
  uint64_t now_ns_ = 1'000 * kMs;
  uint64_t cpu_ns_ = 500 * kMs;
};

TEST_F(SignalDeliveryTest, SignalsThatArriveAreNoTrouble) {
  for (int i = 0; i < 20; ++i) {
    SendSignal();
    EXPECT_TRUE(CheckAfter(40));
  }
  EXPECT_FALSE(delivery_.is_silent());
  EXPECT_EQ(delivery_.trouble(), "");
}

TEST_F(SignalDeliveryTest, AThreadThatDoesNotRunMissesNoSignal) {
  for (int i = 0; i < 20; ++i) {
    now_ns_ += 100 * kMs;
    EXPECT_TRUE(delivery_.Check(now_ns_, cpu_ns_, kPeriodNs, true));
  }
  EXPECT_FALSE(delivery_.is_silent());
}

TEST_F(SignalDeliveryTest, AHandlerThatKeepsSignalsStopsTheTimerUntilItIsGone) {
  SetHandler(OtherHandler);
  EXPECT_TRUE(CheckAfter(55));
  SendSignal();
  EXPECT_FALSE(CheckAfter(55));
  EXPECT_TRUE(delivery_.is_silent());
  EXPECT_NE(delivery_.trouble().find("installed its own handler"), std::string::npos);
  EXPECT_FALSE(CheckAfter(10, false));
  QuietSampler().InstallAgain();
  EXPECT_TRUE(CheckAfter(10, false));
  EXPECT_EQ(delivery_.trouble(), "");
}

TEST_F(SignalDeliveryTest, TheDefaultActionIsReplacedBeforeTheTimerIsArmed) {
  for (void (*none)(int) : {SIG_DFL, SIG_IGN}) {
    SetHandler(none);
    EXPECT_EQ(QuietSampler().ForeignHandler(), core::Sampler::kNoHandler);
    EXPECT_TRUE(CheckAfter(1, false));
    EXPECT_EQ(QuietSampler().ForeignHandler(), 0U);
  }
}

TEST_F(SignalDeliveryTest, AHandlerThatIsTakenAwayIsSeenInTheNextRoundAndNotForEver) {
  for (const bool goes_on : {true, true, false}) {
    SetHandler(SIG_DFL);
    EXPECT_EQ(CheckAfter(1), goes_on);
    EXPECT_EQ(QuietSampler().ForeignHandler(), 0U) << "a signal may be on its way";
  }
  EXPECT_TRUE(delivery_.is_silent());
  EXPECT_NE(delivery_.trouble().find("taken away again and again"), std::string::npos);
  SendSignal();
  EXPECT_FALSE(CheckAfter(60, false));
  EXPECT_NE(delivery_.trouble(), "");
}

TEST_F(SignalDeliveryTest, ABlockedSignalIsNamedAndWaitedFor) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPROF);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  SendSignal();
  EXPECT_TRUE(CheckAfter(100));
  EXPECT_NE(delivery_.trouble().find("blocks SIGPROF"), std::string::npos) << delivery_.trouble();
  EXPECT_TRUE(delivery_.is_silent());
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  EXPECT_TRUE(CheckAfter(1));
  EXPECT_FALSE(delivery_.is_silent());
  EXPECT_EQ(delivery_.trouble(), "");
}

TEST_F(SignalDeliveryTest, ASignalThatIsLateIsWaitedForBeforeThatIsCalledTrouble) {
  EXPECT_TRUE(CheckAfter(300));
  EXPECT_FALSE(delivery_.is_silent());
  EXPECT_EQ(delivery_.trouble(), "");
  EXPECT_TRUE(CheckAfter(800));
  EXPECT_TRUE(delivery_.is_silent());
  EXPECT_NE(delivery_.trouble().find("does not arrive"), std::string::npos);
  SendSignal();
  EXPECT_TRUE(CheckAfter(1));
  EXPECT_FALSE(delivery_.is_silent());
}

TEST_F(SignalDeliveryTest, AThreadThatLivesHasNotEnded) {
  EXPECT_FALSE(delivery_.HasEnded(now_ns_));
  SignalDelivery of_nobody;
  of_nobody.Start(&QuietSampler(), 0x3fffffff);
  EXPECT_TRUE(of_nobody.HasEnded(now_ns_));
  EXPECT_FALSE(of_nobody.Check(now_ns_, cpu_ns_, kPeriodNs, false));
}

}  // namespace
}  // namespace stillframe::sampling
