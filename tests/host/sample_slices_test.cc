// SPDX-License-Identifier: Apache-2.0
// Attributes sample time when a thread alternates between running and waiting, each for less than
// an interval.
#include "tools/stillframe/judge/sample_slices.h"

#include <gtest/gtest.h>

#include <vector>

namespace stillframe::host_test {
namespace {

using judge::Cause;
using judge::Slice;
using SliceKind = Slice::Kind;

constexpr uint64_t kMs = 1'000;

Slice RunningSlice(uint64_t inside_ms, uint64_t used_ms) {
  return {.kind = SliceKind::kRuns, .inside_us = inside_ms * kMs, .used_us = used_ms * kMs};
}

Slice SleepingSlice(uint64_t inside_ms, uint64_t used_ms) {
  return {.kind = SliceKind::kWaits,
          .cause = Cause::kSleep,
          .is_repeat = used_ms == 0,
          .inside_us = inside_ms * kMs,
          .used_us = used_ms * kMs};
}

Slice NativeSlice(uint64_t inside_ms, uint64_t used_ms) {
  return {.kind = SliceKind::kNative,
          .is_repeat = used_ms == 0,
          .inside_us = inside_ms * kMs,
          .used_us = used_ms * kMs};
}

Slice ReadingSlice(uint64_t inside_ms, uint64_t used_ms) {
  return {.kind = SliceKind::kOutside,
          .cause = Cause::kInputOutput,
          .inside_us = inside_ms * kMs,
          .used_us = used_ms * kMs};
}

std::vector<uint64_t> OwnMs(std::vector<Slice> slices) {
  judge::SettleSlices(slices);
  std::vector<uint64_t> own_ms;
  uint64_t inside_us = 0;
  uint64_t given_us = 0;
  for (const Slice& slice : slices) {
    own_ms.push_back(slice.own_us / kMs);
    inside_us += slice.inside_us;
    given_us += slice.own_us + slice.still_us + slice.ready_us + slice.frozen_us;
  }
  EXPECT_EQ(given_us, inside_us);
  return own_ms;
}

using Figures = std::vector<uint64_t>;

TEST(SampleSlices, CpuTimeBeforeASleepIsTheNextRunningSamples) {
  EXPECT_EQ(OwnMs({SleepingSlice(10, 4), SleepingSlice(10, 0), RunningSlice(10, 10)}),
            (Figures{6, 10, 14}));
}

TEST(SampleSlices, WhereNothingRunsLaterItIsTheLastOnes) {
  EXPECT_EQ(OwnMs({RunningSlice(10, 10), SleepingSlice(10, 4)}), (Figures{14, 6}));
}

TEST(SampleSlices, CpuTimeOfAMessageThatWasNeverFoundRunningStaysWithItsWait) {
  EXPECT_EQ(OwnMs({SleepingSlice(10, 4)}), (Figures{10}));
}

TEST(SampleSlices, IdleTimeOfARunningSampleIsTheWaitBesideIt) {
  EXPECT_EQ(OwnMs({SleepingSlice(10, 0), RunningSlice(10, 7)}), (Figures{13, 7}));
  EXPECT_EQ(OwnMs({RunningSlice(10, 7), SleepingSlice(10, 0)}), (Figures{7, 13}));
}

TEST(SampleSlices, IdleTimeFarFromAnyWaitIsTheRunningMethods) {
  std::vector<Slice> slices(10, RunningSlice(20, 12));  // it faults pages in
  slices.push_back(SleepingSlice(100, 0));
  const Figures own_ms = OwnMs(slices);
  EXPECT_EQ(own_ms.front(), 20U);
  EXPECT_EQ(own_ms[9], 12U);
}

TEST(SampleSlices, WhereNobodyLookedIdleTimeIsNoMethods) {
  std::vector<Slice> slices(3, RunningSlice(10, 10));
  slices[1] = RunningSlice(130, 8);
  slices[1].is_gap = true;
  EXPECT_EQ(OwnMs(slices), (Figures{10, 8, 10}));
  judge::SettleSlices(slices);
  EXPECT_EQ(slices[1].still_us, 122 * kMs);
  std::vector<Slice> native = {NativeSlice(10, 10), NativeSlice(130, 0), NativeSlice(10, 10)};
  native[1].is_gap = true;
  EXPECT_EQ(OwnMs(native), (Figures{10, 0, 10}));
  slices.push_back(SleepingSlice(10, 0));
  slices[3].still_us = slices[1].still_us = 0;
  EXPECT_EQ(OwnMs(slices), (Figures{10, 8, 10, 132})) << "a wait is beside it";
}

TEST(SampleSlices, ANativeMethodThatStandsKeepsItsTime) {
  EXPECT_EQ(
      OwnMs({SleepingSlice(10, 0), NativeSlice(10, 2), NativeSlice(10, 0), SleepingSlice(10, 0)}),
      (Figures{10, 10, 10, 10}));
  EXPECT_EQ(OwnMs({SleepingSlice(10, 0), NativeSlice(10, 6), SleepingSlice(10, 0)}),
            (Figures{14, 6, 10}));
}

TEST(SampleSlices, CpuTimeBetweenTwoReadsIsTheReads) {
  EXPECT_EQ(OwnMs({ReadingSlice(10, 9), ReadingSlice(10, 9), RunningSlice(10, 10)}),
            (Figures{1, 10, 19}));
  EXPECT_EQ(OwnMs({RunningSlice(10, 10), ReadingSlice(10, 4), RunningSlice(10, 10)}),
            (Figures{10, 6, 14}));
}

TEST(SampleSlices, WhatATimersSampleLeavesIsUsedBeforeTheNext) {
  std::vector<Slice> slices = {RunningSlice(10, 6), SleepingSlice(1, 0)};
  judge::AttributeCpu(3 * kMs, slices);
  EXPECT_EQ(slices[1].used_us, 1 * kMs);
  EXPECT_EQ(slices[0].used_us, 8 * kMs);
}

TEST(SampleSlices, CpuTimeThatNoSampleHasRoomForIsDropped) {
  std::vector<Slice> slices(20, RunningSlice(10, 9));
  judge::AttributeCpu(100 * kMs, slices);
  EXPECT_EQ(slices[19].idle_us(), 0U);
  EXPECT_EQ(slices[0].idle_us(), 1 * kMs);
}

TEST(SampleSlices, WaitingForACpuIsTakenFromARunningThreadFirst) {
  std::vector<Slice> slices = {RunningSlice(10, 6), NativeSlice(10, 8), SleepingSlice(10, 2),
                               SleepingSlice(10, 0)};
  judge::ShareReady(5 * kMs, slices);
  EXPECT_EQ(slices[0].ready_us, 4 * kMs);
  EXPECT_EQ(slices[1].ready_us, 1 * kMs);
  EXPECT_EQ(slices[2].ready_us, 0U);
  judge::ShareReady(100 * kMs, slices);
  EXPECT_EQ(slices[2].ready_us, 8 * kMs);
  EXPECT_EQ(slices[3].ready_us, 0U) << "it slept all along";
}

}  // namespace
}  // namespace stillframe::host_test
