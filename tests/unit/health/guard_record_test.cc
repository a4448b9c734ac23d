// SPDX-License-Identifier: Apache-2.0
// Which deaths count, how long the profiler stays off, and how damaged files are read.
#include "src/health/guard_record.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

#include "src/core/death_mark.h"

namespace stillframe::health {
namespace {

constexpr uint64_t kKey = 17;
constexpr uint64_t kNow = 1'700'000'000;
constexpr uint64_t kDay = 86'400;
constexpr Limits kLimits = {2, kDay};

// As the file of a process that ended so.
Contents Ended(const Record& record, Phase phase, uint64_t death) {
  Contents contents;
  contents.record = record;
  contents.record.armed_key = kKey;
  contents.phase = phase;
  contents.death = death;
  return contents;
}

Row After(Record* record, Phase phase, uint64_t death, uint64_t now_s = kNow) {
  Contents contents = Ended(*record, phase, death);
  Settle(kLimits, now_s, 0, &contents);
  *record = contents.record;
  return *record->Find(kKey);
}

constexpr uint64_t kElsewhere = 11;
constexpr uint64_t kOurs = 11 | core::kDeathIsOurs;

TEST(GuardRecord, DeathsSwitchOffAndKillsDoNot) {
  Record record;
  for (uint32_t i = 1; i <= 10; ++i) EXPECT_EQ(After(&record, Phase::kArmed, 0).kills, i);
  EXPECT_EQ(After(&record, Phase::kArmed, kElsewhere).off_until_s, 0U);
  EXPECT_EQ(After(&record, Phase::kArmed, 0).off_until_s, 0U);
  const Row row = After(&record, Phase::kArmed, kElsewhere);
  EXPECT_EQ(row.off_until_s, kNow + kDay);
  EXPECT_EQ(row.deaths, 2U);
  EXPECT_EQ(row.deaths_in_our_code, 0U);
  EXPECT_EQ(row.last_signal, 11U);
}

TEST(GuardRecord, ADeathInOurCodeSwitchesOffAtOnceAtAnyTime) {
  for (const Phase phase : {Phase::kArmed, Phase::kHealthy, Phase::kEnded}) {
    Record record;
    EXPECT_EQ(After(&record, phase, kOurs).off_until_s, kNow + kDay);
    EXPECT_EQ(record.Find(kKey)->deaths_in_our_code, 1U);
  }
}

TEST(GuardRecord, WhoWasHealthyIsNoSignAndEndsTheSeries) {
  Record record;
  After(&record, Phase::kArmed, kElsewhere);
  EXPECT_EQ(After(&record, Phase::kHealthy, kElsewhere).deaths, 1U);
  EXPECT_EQ(record.Find(kKey)->strikes, 0U);
  EXPECT_EQ(After(&record, Phase::kArmed, kElsewhere).off_until_s, 0U);
  EXPECT_EQ(After(&record, Phase::kHealthy, 0).kills, 0U);
  EXPECT_EQ(After(&record, Phase::kEnded, kElsewhere).deaths, 2U);
  EXPECT_EQ(After(&record, Phase::kEnded, 0).kills, 0U);
}

TEST(GuardRecord, TheBackOffDoublesFourTimesAndOneDeathIsEnoughAfterIt) {
  Record record;
  After(&record, Phase::kArmed, kElsewhere);
  for (const uint64_t days : {1U, 2U, 4U, 8U, 16U, 16U, 16U})
    EXPECT_EQ(After(&record, Phase::kArmed, kElsewhere).off_until_s, kNow + days * kDay);
}

TEST(GuardRecord, AnEndIsCountedOnce) {
  Contents contents = Ended({}, Phase::kArmed, kElsewhere);
  Settle(kLimits, kNow, 0, &contents);
  Settle(kLimits, kNow, 0, &contents);
  EXPECT_EQ(contents.record.Find(kKey)->deaths, 1U);
}

TEST(GuardRecord, AClockThatIsPutBackDoesNotKeepItOff) {
  Record record;
  After(&record, Phase::kArmed, kOurs);
  const uint64_t year_ago = kNow - 365 * kDay;
  ClampToClock(kLimits, year_ago, &record);
  EXPECT_EQ(record.Find(kKey)->off_until_s, year_ago + kDay);
  ClampToClock(kLimits, year_ago + 3'600, &record);
  EXPECT_EQ(record.Find(kKey)->off_until_s, year_ago + kDay) << "it runs on from there";
}

TEST(GuardRecord, TheRowThatChangedLongestAgoMakesRoom) {
  Record record;
  for (uint64_t key = 1; key <= Record::kRows; ++key) record.FindOrAdd(key, kNow + key);
  record.FindOrAdd(1, kNow).last_s = kNow + 100;
  record.FindOrAdd(99, kNow + 101);
  EXPECT_NE(record.Find(1), nullptr);
  EXPECT_EQ(record.Find(2), nullptr);
  EXPECT_EQ(record.FindOrAdd(99, kNow).last_s, kNow + 101);
}

std::string FileOf(const Record& record, Phase phase, uint64_t death) {
  std::string file(kFileBytes, '\0');
  file.replace(CopyOffset(record.generation), kCopyBytes, Encode(record));
  const uint64_t words[] = {PhaseWord(record.generation, phase),
                            death == 0 ? 0 : DeathWord(record.generation) | death};
  memcpy(file.data() + kPhaseOffset, words, sizeof words);
  return file;
}

TEST(GuardRecord, TheNewestWholeCopyCounts) {
  Record old;
  old.generation = 4;
  old.pid = 1;
  Record next = old;
  next.generation = 5;
  next.pid = 2;
  std::string file = FileOf(old, Phase::kArmed, kOurs);
  file.replace(CopyOffset(5), kCopyBytes, Encode(next));
  Contents contents;
  ASSERT_TRUE(Decode(file, &contents));
  EXPECT_EQ(contents.record.pid, 2U);
  EXPECT_EQ(contents.phase, Phase::kNone) << "the words are of the generation before";
  EXPECT_EQ(contents.death, 0U);
  file[CopyOffset(5) + 20] ^= 1;
  ASSERT_TRUE(Decode(file, &contents));
  EXPECT_EQ(contents.record.pid, 1U);
  EXPECT_EQ(contents.phase, Phase::kArmed);
  EXPECT_EQ(contents.death, kOurs);
}

TEST(GuardRecord, WhatIsDamagedIsNotBelieved) {
  Record record;
  record.generation = 8;
  record.FindOrAdd(kKey, kNow).deaths = 3;
  const std::string file = FileOf(record, Phase::kHealthy, 0);
  std::mt19937 random(1);
  Contents contents;
  ASSERT_TRUE(Decode(file, &contents));
  EXPECT_EQ(contents.record.Find(kKey)->deaths, 3U);
  for (int i = 0; i < 100'000; ++i) {
    std::string damaged = file;
    damaged.resize(random() % (file.size() + 1));
    if (damaged.empty()) continue;
    for (uint32_t j = random() % 4; j > 0; --j)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    if (!Decode(damaged, &contents)) continue;
    ASSERT_EQ(contents.record.Find(kKey)->deaths, 3U);
    ASSERT_LE(contents.phase, Phase::kEnded);
  }
  EXPECT_FALSE(Decode(std::string(kFileBytes, 'x'), &contents));
  EXPECT_FALSE(Decode("{}", &contents));
  EXPECT_TRUE(Decode("", &contents));
}

}  // namespace
}  // namespace stillframe::health
