// SPDX-License-Identifier: Apache-2.0
// Processes that really die, one after the other, and the level that the next one gets.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "tests/unit/health/guard_case.h"

// These processes die on purpose: the sanitizer must leave the signals to the code under test.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0";
}

namespace stillframe::health {
namespace {

TEST_F(GuardTest, EachFatalSignalCountsAsItIsAndAKillDoesNot) {
  uint64_t deaths = 0;
  setup_.limits.deaths = 100;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP, SIGSYS}) {
    EXPECT_EQ(In([signal](Guard*) { raise(signal); }), signal);
    EXPECT_EQ(Next().counters["guard_deaths"], ++deaths) << signal;
  }
  EXPECT_EQ(In([](Guard*) { abort(); }), SIGABRT);
  EXPECT_EQ(In([](Guard*) { Fault(); }), SIGSEGV);
  EXPECT_EQ(In([](Guard*) { Fault(); }, false), SIGSEGV) << "without the recovery over it";
  EXPECT_EQ(In([](Guard*) { raise(SIGKILL); }), SIGKILL);
  EXPECT_EQ(In([](Guard*) { raise(SIGTERM); }), SIGTERM);
  const Seen seen = Next();
  EXPECT_EQ(seen.counters.at("guard_deaths"), deaths + 3);
  EXPECT_EQ(seen.counters.at("guard_kills"), 2U);
  EXPECT_EQ(seen.level, Level::kSampling);
  EXPECT_EQ(Files(), 1U);
}

TEST_F(GuardTest, TheSecondDeathSwitchesOffForThisConfigurationOnly) {
  In([](Guard*) { Fault(); });
  EXPECT_EQ(Next().level, Level::kSampling);
  In([](Guard*) { Fault(); });
  const Seen seen = Next();
  EXPECT_EQ(seen.level, Level::kRecording);
  EXPECT_NE(seen.why.find("2 died of a signal with sampling on, the last of signal 11;"),
            std::string::npos)
      << seen.why;
  setup_.about = "art 2";
  EXPECT_EQ(Next().level, Level::kSampling);
  setup_.about = "art 1";
  EXPECT_EQ(Next().level, Level::kRecording);
  setup_.process = "com.example:other";
  EXPECT_EQ(Next().level, Level::kRecording) << "what one process learned holds for all";
  EXPECT_EQ(Files(), 2U);
  In([](Guard*) { Fault(); });
  In([](Guard*) { Fault(); });
  EXPECT_EQ(Next().level, Level::kNothing) << "nor did the tap do it any good";
}

TEST_F(GuardTest, ItIsTriedAgainAfterTheBackOff) {
  setup_.limits = {1, 1};
  In([](Guard*) { Fault(); });
  EXPECT_EQ(Next().level, Level::kRecording);
  sleep(2);
  EXPECT_EQ(Next().level, Level::kSampling);
}

TEST_F(GuardTest, ADeathOnAThreadOfOursIsOurs) {
  setup_.limits.deaths = 100;
  In([](Guard*) {
    pthread_setname_np(pthread_self(), "stillframe-q");
    Fault();
  });
  const Seen seen = Next();
  EXPECT_EQ(seen.counters.at("guard_deaths_in_our_code"), 1U);
  EXPECT_EQ(seen.level, Level::kNothing) << "it would do so again without sampling";
}

// As if the runtime aborts, and one of our threads crashes during its report.
TEST_F(GuardTest, WhatOurThreadsDieOfInAProcessThatDiesIsNoCause) {
  setup_.limits.deaths = 100;
  struct sigaction takes_down = {};
  struct sigaction before = {};
  takes_down.sa_handler = [](int) {
    pthread_setname_np(pthread_self(), "stillframe-q");
    Fault();
  };
  sigaction(SIGABRT, &takes_down, &before);
  EXPECT_EQ(In([](Guard*) { raise(SIGABRT); }), SIGSEGV);
  sigaction(SIGABRT, &before, nullptr);
  const Seen seen = Next();
  EXPECT_EQ(seen.level, Level::kSampling);
  EXPECT_EQ(seen.counters.at("guard_deaths"), 1U);
  EXPECT_EQ(seen.counters.at("guard_deaths_in_our_code"), 0U);
}

TEST_F(GuardTest, WhatTheProcessSurvivesIsNoDeath) {
  setup_.limits.deaths = 1;
  // A handler that repairs the fault, as a collector's does, and one installed earlier.
  static void* page;
  page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct sigaction mends = {};
  struct sigaction before = {};
  mends.sa_handler = [](int) { mprotect(page, 4096, PROT_READ | PROT_WRITE); };
  sigaction(SIGSEGV, &mends, &before);
  const int end = In([](Guard*) {
    *static_cast<volatile int*>(page) = 1;
    raise(SIGKILL);
  });
  sigaction(SIGSEGV, &before, nullptr);
  EXPECT_EQ(end, SIGKILL);
  const Seen seen = Next();
  EXPECT_EQ(seen.level, Level::kSampling);
  EXPECT_EQ(seen.counters.at("guard_deaths"), 0U);
  munmap(page, 4096);
}

TEST_F(GuardTest, AHandlerThatMakesRoomForTheDefaultDies) {
  setup_.limits.deaths = 1;
  struct sigaction reports = {};
  struct sigaction before = {};
  reports.sa_handler = [](int signal) { ::signal(signal, SIG_DFL); };
  sigaction(SIGSEGV, &reports, &before);
  EXPECT_EQ(In([](Guard*) { Fault(); }), SIGSEGV);
  sigaction(SIGSEGV, &before, nullptr);
  EXPECT_EQ(Next().counters["guard_deaths"], 1U);
}

TEST_F(GuardTest, AChildsDeathIsItsOwn) {
  setup_.limits.deaths = 1;
  EXPECT_EQ(In([](Guard* guard) {
              if (fork() == 0) Fault();
              wait(nullptr);
              guard->Suspend();
            }),
            0);
  EXPECT_EQ(Next().level, Level::kSampling);
  EXPECT_EQ(Next().counters["guard_deaths"], 0U);
}

TEST_F(GuardTest, HealthyStoppedAndResumed) {
  setup_.limits.deaths = 1;
  In([this](Guard* guard) {
    guard->Tick(begun_ns_ + 59 * kSecondNs);
    guard->Tick(begun_ns_ + 60 * kSecondNs);
    Fault();
  });
  EXPECT_EQ(Next().level, Level::kSampling) << "healthy";
  setup_.healthy_ns = 1;
  In([](Guard*) { Fault(); });
  EXPECT_EQ(Next().level, Level::kSampling) << "healthy, and nobody was awake to say so";
  setup_.healthy_ns = 60 * kSecondNs;
  In([](Guard* guard) {
    guard->Suspend();
    Fault();
  });
  EXPECT_EQ(Next().level, Level::kSampling) << "stopped";
  In([this](Guard* guard) {
    guard->Suspend();
    guard->Resume(begun_ns_ + 100 * kSecondNs);
    guard->Tick(begun_ns_ + 159 * kSecondNs);
    Fault();
  });
  EXPECT_EQ(Next().level, Level::kRecording) << "armed again";
}

}  // namespace
}  // namespace stillframe::health
