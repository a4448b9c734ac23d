// SPDX-License-Identifier: Apache-2.0
// How trees become stacks, and how those are trimmed.
#include "src/model/evil_stack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace stillframe::model {
namespace {

using Entries = std::vector<EvilEntry>;

class EvilStackTest : public testing::Test {
 protected:
  FrameId Frame(const std::string& method, int32_t line = 1) {
    return frames_.InternFrame("a.B", method, "()V", "B.java", line, FrameKind::kInterpreted);
  }

  // Outermost first, for `us`.
  void Add(const std::vector<FrameId>& stack, uint32_t us) {
    wall_us_ += us;
    tree_.Add(stack, {wall_us_, us, 0, ThreadState::kRunnable});
  }

  FrameTable frames_;
  TraceTree tree_{Token{1}};
  uint32_t wall_us_ = 0;
};

Entries Chain(size_t length, uint32_t ms) {
  Entries stack;
  for (uint32_t i = 0; i < length; ++i) stack.push_back({i, i + 1, 1, ms, 0});
  return stack;
}

// Depths begin at 0 and grow by at most 1, or the list is not a tree.
void ExpectATree(const Entries& stack) {
  uint32_t most = 0;
  for (const EvilEntry& entry : stack) {
    EXPECT_LE(entry.depth, most);
    most = entry.depth + 1;
  }
}

TEST_F(EvilStackTest, MethodsAreMergedUnderWhatCalledThem) {
  Add({Frame("run"), Frame("load", 5)}, 10'000);
  Add({Frame("run"), Frame("draw")}, 20'000);
  Add({Frame("run"), Frame("load", 6)}, 30'000);
  const Entries stack = EvilStackOf(tree_, frames_, wall_us_ + 5'000);
  ASSERT_EQ(stack.size(), 3U);
  EXPECT_EQ(NameOf(stack[0], frames_), "a.B.run");
  EXPECT_EQ(stack[0].ms, 65U);  // what came after the last sample is its
  EXPECT_EQ(NameOf(stack[1], frames_), "a.B.load");
  EXPECT_EQ(stack[1].count, 2U);
  EXPECT_EQ(stack[1].ms, 45U);
  EXPECT_EQ(stack[2].depth, 1U);
  EXPECT_EQ(stack[2].ms, 20U);
  EXPECT_EQ(KeyOf(stack, 65), stack[1].id);
}

TEST_F(EvilStackTest, AnEmptyTreeHasNone) {
  EXPECT_TRUE(EvilStackOf(tree_, frames_, 700'000).empty());
  EXPECT_EQ(KeyOf({}, 700), 0U);
}

TEST_F(EvilStackTest, MissingFramesSayWhy) {
  Add({frames_.InternFrame("", "unreadable memory", "", "", -1, FrameKind::kTruncated)}, 1'000);
  const Entries stack = EvilStackOf(tree_, frames_, 1'000);
  EXPECT_EQ(NameOf(stack[0], frames_), "[cut: unreadable memory]");
}

TEST_F(EvilStackTest, OfADeepStackTheInnermostMethodsStay) {
  Entries stack = Chain(100, 900);
  Trim(900, 30, 0, &stack);
  ASSERT_EQ(stack.size(), 30U);
  EXPECT_EQ(stack.back().id, 100U);
  EXPECT_EQ(stack.front().depth, 0U);
  ExpectATree(stack);
}

// As of a deep recursion under each of two methods that share the time.
TEST_F(EvilStackTest, OfLongWaysBothEndsStayAndSoDoTheShares) {
  Entries stack = {{0, 1, 5, 5'000, 0}, {1, 2, 4, 4'000, 0}};
  for (uint32_t depth = 2; depth < 62; ++depth) stack.push_back({depth, 9, 4, 4'000, 0});
  stack.push_back({62, 10, 4, 4'000, 0});
  stack.push_back({1, 3, 1, 1'000, 0});
  for (uint32_t depth = 2; depth < 62; ++depth) stack.push_back({depth, 9, 1, 1'000, 0});
  stack.push_back({62, 11, 1, 960, 0});
  for (const size_t most : {30U, 8U, 6U}) {
    Trim(5'000, most, 10, &stack);
    EXPECT_EQ(stack.size(), most);
    ExpectATree(stack);
    for (const auto& [id, ms] : {std::pair(2U, 4'000U), {10U, 4'000U}, {3U, 1'000U}, {11U, 960U}}) {
      const auto is_it = [id = id](const EvilEntry& entry) { return entry.id == id; };
      const auto found = std::find_if(stack.begin(), stack.end(), is_it);
      ASSERT_NE(found, stack.end()) << id << " of " << most;
      EXPECT_EQ(found->ms, ms);
    }
  }
}

TEST_F(EvilStackTest, TheMethodThatStandsForTheStackStays) {
  Entries stack = Chain(100, 900);
  stack.back().ms = 870;
  const uint32_t key = KeyOf(stack, 900);
  EXPECT_EQ(key, 99U);  // the last but one: the product is larger
  Trim(900, 2, key, &stack);
  ASSERT_EQ(stack.size(), 2U);
  EXPECT_EQ(stack[0].id, key);
  DropOne(900, key, &stack);
  EXPECT_EQ(stack[0].id, key);
}

TEST_F(EvilStackTest, WhatTookLittleGoesFirst) {
  Entries stack = Chain(3, 900);
  for (uint32_t i = 0; i < 60; ++i) stack.push_back({3, 1'000 + i, 1, i % 2 == 0 ? 4U : 9U, 0});
  Trim(900, 30, 0, &stack);
  ASSERT_EQ(stack.size(), 30U);
  EXPECT_EQ(stack[2].id, 3U);
  for (size_t i = 3; i < stack.size(); ++i) EXPECT_EQ(stack[i].ms, 9U) << i;
  EXPECT_EQ(stack.back().id, 1'053U);
}

TEST_F(EvilStackTest, TrimmingByOneEndsWithNothingAndIsATreeAllTheWay) {
  std::minstd_rand random(5);
  for (int round = 0; round < 200; ++round) {
    tree_.Reset(Token{1});
    wall_us_ = 0;
    for (uint32_t i = 0; i < 60; ++i) {
      std::vector<FrameId> stack(1, Frame("run"));
      for (auto depth = random() % 12; depth-- > 0;)
        stack.push_back(Frame("m" + std::to_string(random() % 5)));
      Add(stack, 500 + static_cast<uint32_t>(random() % 20'000));
    }
    Entries stack = EvilStackOf(tree_, frames_, wall_us_);
    for (size_t left = stack.size(); left > 0; --left) {
      ASSERT_EQ(stack.size(), left);
      ExpectATree(stack);
      DropOne(wall_us_ / 1000, 0, &stack);
    }
  }
}

}  // namespace
}  // namespace stillframe::model
