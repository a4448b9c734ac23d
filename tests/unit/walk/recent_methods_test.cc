// SPDX-License-Identifier: Apache-2.0
// How often methods that share rows of the cache are read again.
#include "src/walk/recent_methods.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace stillframe::walk {
namespace {

constexpr uint32_t kDepth = 128;

// Number of reads for a stack that cycles through these methods.
uint32_t ReadsOf(const std::vector<uintptr_t>& methods) {
  RecentMethods<uintptr_t> recent;
  uint32_t reads = 0;
  for (uint32_t frame = 0; frame < kDepth; ++frame) {
    const uintptr_t method = methods[frame % methods.size()];
    const uintptr_t* found = recent.Find(method);
    if (found == nullptr) {
      ++reads;
      found = recent.Add(method, method + 1);
    }
    EXPECT_EQ(*found, method + 1);
  }
  return reads;
}

TEST(RecentMethodsTest, MethodsAtTheSamePlaceOfTheirClassesAreReadOnce) {
  // Arrays of methods are multiples of 256 bytes apart, so all of them begin with the same row.
  for (uintptr_t apart = 256; apart <= 1U << 20; apart *= 2) {
    SCOPED_TRACE(apart);
    const std::vector<uintptr_t> two = {0x70001000, 0x70001000 + apart};
    EXPECT_LE(ReadsOf(two), 4U);
  }
}

TEST(RecentMethodsTest, FewMethodsAnywhereAreRarelyReadAgain) {
  std::mt19937 random(1);
  constexpr uint32_t kStacks = 2000;
  for (const uint32_t count : {2U, 3U, 4U, 5U}) {
    SCOPED_TRACE(count);
    uint32_t reads = 0;
    for (uint32_t i = 0; i < kStacks; ++i) {
      std::vector<uintptr_t> methods(count);
      for (uintptr_t& method : methods) method = 0x70000000 + random() % (1 << 24) * 8;
      reads += ReadsOf(methods);
    }
    EXPECT_LE(reads, kStacks * (count + kDepth / 16));
  }
}

TEST(RecentMethodsTest, WhatIsAddedAgainTakesThePlaceOfTheOld) {
  RecentMethods<uint32_t> recent;
  for (uintptr_t i = 0; i < 16; ++i) {  // more than there are rows
    const uintptr_t method = 0x70001000 + 256 * i;
    recent.Add(method, 1);
    const uint32_t* added = recent.Add(method, 2);
    EXPECT_EQ(recent.Find(method), added);
    EXPECT_EQ(*added, 2U);
    EXPECT_TRUE(recent.FirstRow(method).method != method ||
                &recent.FirstRow(method).value == added);
  }
}

}  // namespace
}  // namespace stillframe::walk
