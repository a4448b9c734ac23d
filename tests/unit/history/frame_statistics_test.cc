// SPDX-License-Identifier: Apache-2.0
// Jank by frames: refreshes missed, frozen frames, shares of scenes.
#include "src/history/frame_statistics.h"

#include <gtest/gtest.h>

#include "src/os/duration.h"

namespace stillframe::history {
namespace {

using os::kNsPerMs;

class FrameStatisticsTest : public testing::Test {
 protected:
  FrameStatisticsTest() { frames_.SetRefreshInterval(16 * kNsPerMs); }
  // A frame that was due at a time and ended so much later.
  void Frame(uint64_t due_ms, uint64_t ms, uint64_t cause = 1) {
    frames_.Add(
        {Token{9}, due_ms * kNsPerMs, (due_ms + ms / 2) * kNsPerMs, (due_ms + ms) * kNsPerMs},
        Token{cause}, model::FrameStage::kTraversal);
  }
  FrameStatistics frames_{700 * kNsPerMs};
};

TEST_F(FrameStatisticsTest, WithoutAFrameTheAccountSaysSo) {
  EXPECT_NE(frames_.Describe(5).absent, "");
  EXPECT_EQ(frames_.Describe(5).watched_ns, 0U);
}

TEST_F(FrameStatisticsTest, CountsRefreshesThatWereMissed) {
  frames_.Show("list", 100 * kNsPerMs);
  Frame(100, 10);
  Frame(116, 15);
  Frame(132, 16);
  Frame(164, 50);
  Frame(5'000, 3);  // nothing was wanted in between
  const model::Jank jank = frames_.Describe(6'100 * kNsPerMs);
  EXPECT_EQ(jank.absent, "");
  EXPECT_EQ(jank.frames, 5U);
  EXPECT_EQ(jank.missed, 1U + 3U);
  EXPECT_EQ(jank.watched_ns, 6'000 * kNsPerMs);
  EXPECT_TRUE(jank.frozen.empty());
}

TEST_F(FrameStatisticsTest, SaysHowManyFramesItDoesNotKnowAllOf) {
  Frame(100, 10);
  frames_.Add({Token{9}, 200 * kNsPerMs, 200 * kNsPerMs, 210 * kNsPerMs, false}, Token{1},
              model::FrameStage::kTraversal);
  EXPECT_EQ(frames_.Describe(1).due_unknown, 1U);
}

TEST_F(FrameStatisticsTest, WithoutAnIntervalNothingIsMissed) {
  frames_.SetRefreshInterval(0);
  Frame(0, 500);
  EXPECT_EQ(frames_.Describe(1).missed, 0U);
}

TEST_F(FrameStatisticsTest, FrozenFramesNameTheirCauseAndScene) {
  frames_.Show("list", 0);
  Frame(100, 699);
  frames_.Show("detail", 1'000 * kNsPerMs);
  Frame(1'000, 700, 77);
  frames_.Show("list", 3'000 * kNsPerMs);
  const model::Jank jank = frames_.Describe(4'000 * kNsPerMs);
  ASSERT_EQ(jank.frozen.size(), 1U);
  EXPECT_EQ(jank.frozen[0].token, Token{77});
  EXPECT_EQ(jank.frozen[0].scene, "detail");
  EXPECT_EQ(jank.frozen[0].stage, model::FrameStage::kTraversal);
  EXPECT_EQ(jank.frozen[0].duration_ns, 700 * kNsPerMs);
  ASSERT_EQ(jank.scenes.size(), 2U);
  EXPECT_EQ(jank.scenes[0].shown_ns, 2'000 * kNsPerMs);
  EXPECT_EQ(jank.scenes[0].frozen_ns, 0U);
  EXPECT_EQ(jank.scenes[1].shown_ns, 2'000 * kNsPerMs);
  EXPECT_EQ(jank.scenes[1].frozen_ns, 700 * kNsPerMs);
}

TEST_F(FrameStatisticsTest, NoTimeIsCountedTwice) {
  Frame(100, 900);
  tap::EndedFrame next = {Token{2}, 116 * kNsPerMs, 1'000 * kNsPerMs, 1'010 * kNsPerMs};
  next = frames_.Clip(next);
  EXPECT_EQ(next.due_ns, 1'000 * kNsPerMs) << "the one before it had the screen until then";
  EXPECT_FALSE(frames_.IsFrozen(next));
}

TEST_F(FrameStatisticsTest, FrozenFramesAndScenesAreBounded) {
  for (uint64_t i = 0; i < 200; ++i) {
    frames_.Show("scene " + std::to_string(i), i * 1'000 * kNsPerMs);
    Frame(i * 1'000, 800, i);
  }
  const model::Jank jank = frames_.Describe(200'000 * kNsPerMs);
  EXPECT_EQ(jank.frozen.size(), FrameStatistics::kMaxFrozen);
  EXPECT_EQ(jank.frozen.back().token, Token{199});
  ASSERT_EQ(jank.scenes.size(), FrameStatistics::kMaxScenes);
  uint64_t shown_ns = 0;
  for (const model::SceneShare& scene : jank.scenes) shown_ns += scene.shown_ns;
  EXPECT_EQ(shown_ns, 200'000 * kNsPerMs) << "no time is lost";
  EXPECT_EQ(jank.scenes.back().frames, 200 - FrameStatistics::kMaxScenes + 1);
}

}  // namespace
}  // namespace stillframe::history
