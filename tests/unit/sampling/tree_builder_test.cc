// SPDX-License-Identifier: Apache-2.0
// Trees that give back names, before a sweep of the table.
#include "src/sampling/tree_builder.h"

#include <gtest/gtest.h>

#include <span>
#include <string_view>
#include <vector>

#include "src/os/duration.h"
#include "tests/unit/counted.h"

namespace stillframe::sampling {
namespace {

using os::kNsPerMs;

constexpr uint64_t kIntervalNs = 10 * kNsPerMs;

// Every reason for a truncation is a frame of its own.
constexpr auto kReasons = static_cast<uint64_t>(core::Truncation::kCount) - 1;

class TreeBuilderTest : public testing::Test {
 protected:
  // A message of one-frame stacks with these reasons in turn, up to `samples`.
  void Sample(uint64_t token, uint64_t first_reason, uint64_t reasons, uint64_t samples) {
    trees_.Start(Token{token}, now_ns_, 0);
    for (uint64_t i = 0; i < samples; ++i) {
      core::RawSample sample = {};
      sample.token = Token{token};
      sample.wall_ns = now_ns_ += kIntervalNs;
      sample.depth = 1;
      const core::RawFrame frame = {
          first_reason + i % reasons, core::kNoDexPc, core::RawFrameKind::kTruncated, {}};
      trees_.Add(sample, [&frame](uint32_t) { return frame; });
    }
  }
  void Finish() { trees_.Finish(now_ns_); }

  uint32_t Sweep(const NameShares& shares) {
    model::LiveNames live(frames_);
    trees_.KeepFrames(shares, &live);
    frames_.Sweep(live);
    trees_.ForgetIds();
    native_.ForgetIds();
    return live.percent();
  }
  std::string_view LastName() const {
    return frames_.MethodName(trees_.running().nodes().back().frame);
  }

  uint64_t now_ns_ = 0;
  model::FrameTable frames_{{.max_frames = 20, .max_strings = 100, .max_string_bytes = 10'000}};
  dump::Writer writer_;
  walk::RuntimeFacts facts_{.layout = walk::KnownLayouts().rows};
  Counted counted_;
  native::FileSymbols file_symbols_;
  native::NativeFrames native_{facts_, &frames_, &file_symbols_};
  TreeBuilder trees_{{kIntervalNs, 10, 1 << 20}, facts_, &frames_, &native_, &writer_};
};

TEST_F(TreeBuilderTest, OlderTreesGoFirst) {
  for (uint64_t token = 1; token <= 3; ++token) {
    Sample(token, 3 * token - 2, 3, 6);
    Finish();
  }
  EXPECT_EQ(Sweep({.running_percent = 100, .trees_percent = 100}), 50U);  // and the table's own
  EXPECT_EQ(trees_.kept().size(), 3U);
  EXPECT_EQ(Sweep({.running_percent = 40, .trees_percent = 40}), 35U);
  EXPECT_FALSE(trees_.HasKept(Token{1}));
  EXPECT_TRUE(trees_.HasKept(Token{2}) && trees_.HasKept(Token{3}));
  EXPECT_EQ(counted_.Of(Counter::kTreesLostForNames), 1U);
  EXPECT_EQ(frames_.frame_count(), 7U);
}

TEST_F(TreeBuilderTest, ARunningTreeThatTakesTooMuchIsHalvedUntilItFits) {
  Sample(1, 1, kReasons, 64 * kReasons);
  const uint64_t added = trees_.running().samples_added();
  const std::string last(LastName());
  EXPECT_LE(Sweep({.running_percent = 30, .trees_percent = 30}), 30U);
  EXPECT_EQ(trees_.running().samples_added(), added);
  EXPECT_LT(trees_.running().sample_count(), added);
  EXPECT_EQ(LastName(), last) << "the culprit of a hang comes last";
  trees_.AddRepeat(now_ns_ += kIntervalNs, 0);
  EXPECT_EQ(LastName(), last);
  Finish();
  ASSERT_EQ(trees_.kept().size(), 1U);
  EXPECT_EQ(counted_.Of(Counter::kTreesLostForNames), 0U);
}

TEST_F(TreeBuilderTest, AThreadThatMovedBetweenTwoFaultsTakesTheNewestPlace) {
  trees_.Start(Token{1}, now_ns_, 0);
  trees_.AddPageFault(now_ns_ += kIntervalNs, 0);
  EXPECT_TRUE(trees_.running().empty()) << "no place is known";
  Sample(1, 1, 1, 1);
  const size_t depth = trees_.running().newest_stack().size();
  for (int i = 0; i < 2; ++i) {
    trees_.AddPageFault(now_ns_ += kIntervalNs, 0);
    EXPECT_EQ(trees_.running().newest_stack().size(), depth + 1);
    EXPECT_EQ(LastName(), "page fault");
  }
  EXPECT_EQ(trees_.running().sample_count(), 3U);
}

TEST_F(TreeBuilderTest, AStackWithoutItsOutermostFramesKeepsItsMarkerAndWhatIsOutside) {
  constexpr uint32_t kManaged = 300;
  constexpr size_t kInnermost = 256;
  constexpr auto kDepthLimit = static_cast<uint64_t>(core::Truncation::kDepthLimit);
  constexpr auto kBadFragment = static_cast<uint64_t>(core::Truncation::kBadFragment);
  trees_.Start(Token{1}, now_ns_, 0);
  core::RawSample sample = {};
  sample.token = Token{1};
  sample.wall_ns = now_ns_ += kIntervalNs;
  sample.depth = kManaged + 1;
  const native::MixedFrame outside = {.managed = sample.depth};
  trees_.Add(
      sample,
      [](uint32_t i) {
        return core::RawFrame{i == kManaged ? kDepthLimit : kBadFragment,
                              core::kNoDexPc,
                              core::RawFrameKind::kTruncated,
                              {}};
      },
      std::span(&outside, 1));
  std::vector<std::string_view> names;
  for (const model::NodeId node : trees_.running().newest_stack())
    names.push_back(frames_.MethodName(trees_.running().At(node).frame));
  ASSERT_EQ(names.size(), kInnermost + 2);
  EXPECT_NE(names[0], names[1]);
  EXPECT_EQ(names[1], core::TruncationName(core::Truncation::kDepthLimit));
  EXPECT_EQ(names[2], core::TruncationName(core::Truncation::kBadFragment));
  EXPECT_EQ(names.back(), names[2]);
}

}  // namespace
}  // namespace stillframe::sampling
