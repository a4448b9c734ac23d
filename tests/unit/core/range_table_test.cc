// SPDX-License-Identifier: Apache-2.0
// Rows that change while a signal handler looks them up.
#include "src/core/range_table.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>

#include <atomic>

namespace stillframe::core {
namespace {

// Whole when all words say the same.
struct Row {
  uintptr_t begin;
  uintptr_t end;
  uintptr_t generation;
  uintptr_t check;
};
constexpr uintptr_t kRowBytes = 0x100;
constexpr uintptr_t kPlaces = 64;

Row RowAt(uintptr_t place, uintptr_t generation) {
  const uintptr_t begin = 0x10000 + place * kRowBytes;
  const uintptr_t end = begin + 1 + generation % kRowBytes;
  return {begin, end, generation, begin ^ end ^ generation};
}

RangeTable<Row, 16>& Table() {
  static RangeTable<Row, 16> table;
  return table;
}
std::atomic<uint64_t> g_reads{0};
std::atomic<uint64_t> g_found{0};
std::atomic<uint64_t> g_torn{0};

void ReadAll(int) {
  for (uintptr_t place = 0; place < kPlaces; ++place) {
    const uintptr_t pc = 0x10000 + place * kRowBytes;
    Row row = {};
    g_reads.fetch_add(1, std::memory_order_relaxed);
    if (!Table().Find(pc, &row)) continue;
    g_found.fetch_add(1, std::memory_order_relaxed);
    if (row.begin != pc || row.check != (row.begin ^ row.end ^ row.generation))
      g_torn.fetch_add(1, std::memory_order_relaxed);
  }
}

TEST(RangeTable, HoldsOneRowForAPlace) {
  RangeTable<Row, 4> table;
  Row found = {};
  EXPECT_FALSE(table.Find(0x10000, &found));
  table.Add(RowAt(0, 9));
  table.Add(RowAt(0, 9));
  table.Add(RowAt(0, 3));
  ASSERT_TRUE(table.Find(0x10000, &found));
  EXPECT_EQ(found.generation, 3U);
  EXPECT_FALSE(table.Find(0x10000 + 5, &found)) << "of the row that it replaced";
  EXPECT_FALSE(table.Find(0xffff, &found));
  for (uintptr_t place = 1; place < 4; ++place) table.Add(RowAt(place, 1));
  for (uintptr_t place = 0; place < 4; ++place)
    EXPECT_TRUE(table.Find(RowAt(place, 1).begin, &found)) << place;
}

TEST(RangeTable, WhatIsGoneLeavesItsPlace) {
  RangeTable<Row, 4> table;
  for (uintptr_t place = 0; place < 4; ++place) table.Add(RowAt(place, place));
  table.RemoveIf([](const Row& row) { return row.generation % 2 == 0; });
  Row found = {};
  for (uintptr_t place = 0; place < 4; ++place)
    EXPECT_EQ(table.Find(RowAt(place, place).begin, &found), place % 2 == 1) << place;
  for (uintptr_t place = 4; place < 6; ++place) table.Add(RowAt(place, place));
  for (const uintptr_t place : {1U, 3U, 4U, 5U})
    EXPECT_TRUE(table.Find(RowAt(place, place).begin, &found)) << place;
}

// The handler interrupts the writer anywhere, also in the middle of a row.
TEST(RangeTable, AHandlerSeesWholeRowsWhileTheyChange) {
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = ReadAll;
  sigaction(SIGVTALRM, &action, &before);
  const itimerval often = {{0, 200}, {0, 200}};
  setitimer(ITIMER_VIRTUAL, &often, nullptr);
  uintptr_t generation = 0;
  while (g_reads.load() < 100 * kPlaces && generation < 50'000'000) {
    Table().Add(RowAt(generation * 7 % kPlaces, generation));
    ++generation;
  }
  const itimerval off = {};
  setitimer(ITIMER_VIRTUAL, &off, nullptr);
  sigaction(SIGVTALRM, &before, nullptr);
  EXPECT_GT(g_reads.load(), 10 * kPlaces);
  EXPECT_GT(g_found.load(), 10U);
  EXPECT_EQ(g_torn.load(), 0U);
}

}  // namespace
}  // namespace stillframe::core
