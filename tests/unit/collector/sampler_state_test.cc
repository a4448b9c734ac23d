// SPDX-License-Identifier: Apache-2.0
// The phases, what they allow, and their words.
#include "src/collector/sampler_state.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace stillframe::collector {
namespace {

TEST(SamplerState, OnlyTheFirstOfManyThreadsBegins) {
  SamplerState state;
  std::atomic<int> began{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { began += state.Begin() ? 1 : 0; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(began, 1);
  EXPECT_EQ(state.phase(), SamplerPhase::kStarting);
  EXPECT_FALSE(state.IsStarted());
}

TEST(SamplerState, EachPhaseHasItsTextAndSaysWhatItAllows) {
  struct Row {
    SamplerPhase phase;
    const char* text;
    bool is_started;
    bool has_collector;
  };
  constexpr Row kRows[] = {
      {SamplerPhase::kNotStarted, "not started", false, false},
      {SamplerPhase::kDisabled, "switched off by STILLFRAME_ENABLED=0", false, false},
      {SamplerPhase::kControl, "asleep: this install is in the control group", false, false},
      {SamplerPhase::kWaitingForVm, "waiting for the Java VM", true, false},
      {SamplerPhase::kStartingUp, "waiting for the Java VM", true, true},
      {SamplerPhase::kOn, "on", true, true},
      {SamplerPhase::kOff, "off: because", true, true},
      {SamplerPhase::kNoCollector, "off: because", true, false},
      {SamplerPhase::kForked, "off: this process was forked from the one that is profiled", false,
       false},
  };
  for (const Row& row : kRows) {
    SamplerState state;
    state.Set(row.phase, "because");
    EXPECT_EQ(state.phase(), row.phase) << row.text;
    EXPECT_STREQ(state.text(), row.text);
    EXPECT_EQ(state.IsStarted(), row.is_started) << row.text;
    EXPECT_EQ(state.HasCollector(), row.has_collector) << row.text;
    EXPECT_EQ(state.IsOn(), row.phase == SamplerPhase::kOn);
  }
}

TEST(SamplerState, TheGroupIsWhoWasChosenNotWhatBecameOfIt) {
  const auto group_in = [](SamplerPhase phase) {
    SamplerState state;
    state.Set(phase, "because");
    return std::string(state.group());
  };
  for (const SamplerPhase phase : {SamplerPhase::kWaitingForVm, SamplerPhase::kOn,
                                   SamplerPhase::kOff, SamplerPhase::kNoCollector})
    EXPECT_EQ(group_in(phase), "sampled");
  EXPECT_EQ(group_in(SamplerPhase::kControl), "control");
  for (const SamplerPhase phase :
       {SamplerPhase::kNotStarted, SamplerPhase::kDisabled, SamplerPhase::kForked})
    EXPECT_EQ(group_in(phase), "out");
}

TEST(SamplerState, ATextStaysReadableWhenThePhaseChanges) {
  SamplerState state;
  state.Set(SamplerPhase::kOff, "no layout");
  const char* text = state.text();
  state.Set(SamplerPhase::kForked);
  EXPECT_STREQ(text, "off: no layout");
}

TEST(SamplerState, ADumpSaysStoppedOnlyWhileSamplesCouldBeTaken) {
  SamplerState state;
  state.Set(SamplerPhase::kOn);
  EXPECT_EQ(state.TextForDump(false, ""), "on");
  EXPECT_EQ(state.TextForDump(true, ""), "stopped");
  EXPECT_EQ(state.TextForDump(false, "another handler"), "on; another handler");
  state.Set(SamplerPhase::kOff, "no layout");
  EXPECT_EQ(state.TextForDump(true, ""), "off: no layout");
}

TEST(SamplerState, WhoIsOnMayHaveMoreToSay) {
  SamplerState state;
  state.SetWhileOn("on, at 1/2 of the rate", false);
  EXPECT_STREQ(state.text(), "not started");
  state.Set(SamplerPhase::kOn);
  state.SetWhileOn("on, at 1/2 of the rate", false);
  EXPECT_TRUE(state.IsOn());
  EXPECT_STREQ(state.text(), "on, at 1/2 of the rate");
  EXPECT_EQ(state.TextForDump(true, ""), "stopped");
  state.SetWhileOn("off: a watchdog", true);
  EXPECT_TRUE(state.IsOn()) << "all but samples goes on";
  EXPECT_EQ(state.TextForDump(true, ""), "off: a watchdog");
}

}  // namespace
}  // namespace stillframe::collector
