// SPDX-License-Identifier: Apache-2.0
// The ring against a plain model, at its bounds, and with a producer and a consumer at once.
#include "src/core/sample_ring.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <thread>
#include <vector>

namespace stillframe::core {
namespace {

struct Stored {
  RawSample header;
  std::vector<RawFrame> frames;
};

RawSample Header(uint64_t token, uint32_t depth) {
  return RawSample{.token = Token{token},
                   .wall_ns = token * 3,
                   .cpu_ns = token * 5,
                   .depth = static_cast<uint16_t>(depth),
                   .thread_state = static_cast<uint8_t>(token),
                   .truncation = Truncation::kNone,
                   .overrun = 0};
}

// Frame `index` of sample `token`, so that a mix-up shows.
RawFrame Frame(uint64_t token, uint32_t index) {
  return RawFrame{token * 1'000 + index, index, RawFrameKind::kInterpreted, {}};
}

bool Write(SampleRing* ring, uint64_t token, uint32_t max_depth, uint32_t depth) {
  FrameSink sink(nullptr, 0, 0, 0);
  if (!ring->Begin(max_depth, &sink)) return false;
  for (uint32_t i = 0; i < depth; ++i) {
    const RawFrame frame = Frame(token, i);
    EXPECT_TRUE(sink.Push(frame.method, frame.dex_pc, frame.kind));
  }
  ring->Commit(Header(token, sink.depth()));
  return true;
}

void ExpectOldest(const SampleRing& ring, const Stored& want) {
  RawSample header = {};
  ASSERT_TRUE(ring.Peek(&header));
  EXPECT_EQ(header.token, want.header.token);
  EXPECT_EQ(header.wall_ns, want.header.wall_ns);
  EXPECT_EQ(header.cpu_ns, want.header.cpu_ns);
  ASSERT_EQ(header.depth, want.header.depth);
  for (uint32_t i = 0; i < header.depth; ++i) {
    EXPECT_EQ(ring.FrameAt(i).method, want.frames[i].method);
    EXPECT_EQ(ring.FrameAt(i).dex_pc, want.frames[i].dex_pc);
  }
}

// The tags of the last sample, for a walk that has lost and gained inner frames.
TEST(SampleRing, GivesTheFramesOfTheSampleBefore) {
  SampleRing ring;
  ASSERT_TRUE(ring.Create(64 * sizeof(RawFrame)));
  FrameSink sink(nullptr, 0, 0, 0);
  ASSERT_TRUE(ring.Begin(8, &sink));
  EXPECT_EQ(sink.earlier().next, sink.earlier().end);
  for (uint32_t i = 0; i < 5; ++i)
    ASSERT_TRUE(sink.Push(100 + i, i, i == 3 ? RawFrameKind::kNterp : RawFrameKind::kInterpreted,
                          0x10000 + i));
  ring.Commit(Header(1, sink.depth()));
  ASSERT_TRUE(ring.Begin(8, &sink));
  FrameSink::Earlier earlier = sink.earlier();
  ASSERT_EQ(earlier.end - earlier.next, 5);
  uint32_t word = 0;
  EXPECT_FALSE(earlier.Pass(102, &word));
  EXPECT_FALSE(earlier.PassSome(7, &word));  // a new frame
  EXPECT_TRUE(earlier.PassSome(102, &word));
  EXPECT_EQ(word, KindAndTag(RawFrameKind::kInterpreted, 0x10002));
  EXPECT_FALSE(earlier.Pass(103, &word));  // of another kind
  EXPECT_TRUE(earlier.PassSome(104, &word));
  EXPECT_EQ(earlier.next, earlier.end);
  EXPECT_FALSE(earlier.PassSome(104, &word));
}

// A new sample of that size may overwrite the last one.
TEST(SampleRing, GivesNoFramesThatItMayOverwrite) {
  SampleRing ring;
  ASSERT_TRUE(ring.Create(64 * sizeof(RawFrame)));
  ASSERT_TRUE(Write(&ring, 1, 40, 40));
  ring.Release(Header(1, 40));
  FrameSink sink(nullptr, 0, 0, 0);
  ASSERT_TRUE(ring.Begin(40, &sink));
  EXPECT_EQ(sink.earlier().next, sink.earlier().end);
}

// Frames put into the room are those that Push would push, also where the ring ends.
TEST(SampleRing, HasRoomUpToItsEnd) {
  SampleRing ring;
  ASSERT_TRUE(ring.Create(64 * sizeof(RawFrame)));
  for (uint64_t token = 1; token <= 40; ++token) {
    FrameSink sink(nullptr, 0, 0, 0);
    ASSERT_TRUE(ring.Begin(16, &sink));
    FrameSink::Room room = sink.room();
    for (uint32_t i = 0; i < 11; ++i) {
      const RawFrame frame = Frame(token, i);
      if (room.next != room.end) {
        room.Put(frame.method, frame.dex_pc, KindAndTag(frame.kind, 0));
        continue;
      }
      sink.Keep(room);
      ASSERT_TRUE(sink.Push(frame.method, frame.dex_pc, frame.kind));
      room = sink.room();
    }
    sink.Keep(room);
    ASSERT_EQ(sink.depth(), 11U);
    const RawSample header = Header(token, sink.depth());
    ring.Commit(header);
    for (uint32_t i = 0; i < 11; ++i) EXPECT_EQ(ring.FrameAt(i).method, Frame(token, i).method);
    ring.Release(header);
  }
}

TEST(SampleRing, RoundsUpToAPowerOfTwo) {
  SampleRing least;
  ASSERT_TRUE(least.Create(1));
  EXPECT_EQ(least.bytes(), 1024U);
  SampleRing odd;
  ASSERT_TRUE(odd.Create(5000));
  EXPECT_EQ(odd.bytes(), 8192U);
}

TEST(SampleRing, IsEmptyAtFirst) {
  SampleRing ring;
  ASSERT_TRUE(ring.Create(1));
  RawSample header;
  EXPECT_FALSE(ring.Peek(&header));
}

TEST(SampleRing, ABegunSampleIsSeenOnlyAfterCommit) {
  SampleRing ring;
  ASSERT_TRUE(ring.Create(1));
  FrameSink sink(nullptr, 0, 0, 0);
  ASSERT_TRUE(ring.Begin(8, &sink));
  ASSERT_TRUE(sink.Push(1, 2, RawFrameKind::kJni));
  RawSample header;
  EXPECT_FALSE(ring.Peek(&header));
  ring.Commit(Header(1, 1));
  EXPECT_TRUE(ring.Peek(&header));
}

TEST(SampleRing, FullDropsTheNewAndKeepsTheOld) {
  SampleRing ring;
  ASSERT_TRUE(ring.Create(1));  // 64 cells: six samples of 2 + 8, then 4 are left
  uint64_t token = 1;
  while (Write(&ring, token, 8, 8)) ++token;
  EXPECT_EQ(token, 7U);
  EXPECT_TRUE(Write(&ring, token, 2, 2));
  EXPECT_FALSE(Write(&ring, token + 1, 0, 0));
  RawSample header;
  for (uint64_t expected = 1; expected <= 7; ++expected) {
    ASSERT_TRUE(ring.Peek(&header));
    EXPECT_EQ(header.token, Token{expected});
    ring.Release(header);
  }
  EXPECT_FALSE(ring.Peek(&header));
}

TEST(FrameSink, ATruncationAlwaysFindsAPlace) {
  RawFrame frames[3];
  FrameSink sink(frames, 0, UINT64_MAX, 3);
  for (uint64_t i = 0; i < 3; ++i) ASSERT_TRUE(sink.Push(i, 0, RawFrameKind::kInterpreted));
  EXPECT_FALSE(sink.Push(3, 0, RawFrameKind::kInterpreted));
  sink.PushTruncation(Truncation::kDepthLimit);
  EXPECT_EQ(sink.depth(), 3U);
  EXPECT_EQ(sink.truncation(), Truncation::kDepthLimit);
  EXPECT_EQ(frames[2].kind, RawFrameKind::kTruncated);
  sink.PushTruncation(Truncation::kUnreadable);
  EXPECT_EQ(sink.truncation(), Truncation::kDepthLimit) << "the first truncation names the stack";
}

// 64 places, the last 16 for the outermost frames. Frame i has method i, from innermost.
class DeepSinkTest : public testing::Test {
 protected:
  static constexpr uint32_t kPlaces = 64;
  static constexpr uint32_t kOutermost = 16;
  static constexpr RawFrameKind kKind = RawFrameKind::kInterpreted;

  // The sink after pushing so many frames.
  FrameSink Fill(uint32_t frames) {
    FrameSink sink(cells_, 3, 127, kPlaces, kOutermost);
    for (uint32_t i = 0; i < frames && sink.Push(i, i, kKind, i % 256); ++i) continue;
    return sink;
  }
  const RawFrame& At(uint32_t place) const { return cells_[(3 + place) & 127]; }

  RawFrame cells_[128] = {};
};

TEST_F(DeepSinkTest, AStackThatFitsIsLeftAlone) {
  FrameSink sink = Fill(kPlaces);
  sink.End();
  ASSERT_EQ(sink.depth(), kPlaces);
  EXPECT_EQ(sink.truncation(), Truncation::kNone);
  for (uint32_t i = 0; i < kPlaces; ++i) EXPECT_EQ(At(i).method, i);
}

TEST_F(DeepSinkTest, BothEndsOfADeeperOneAreKept) {
  for (uint32_t frames = kPlaces + 1; frames < 1'000; ++frames) {
    FrameSink sink = Fill(frames);
    sink.End();
    EXPECT_EQ(sink.truncation(), Truncation::kDepthLimit);
    ASSERT_LE(sink.depth(), kPlaces);
    const uint32_t inner = sink.depth() - kOutermost - 1;
    for (uint32_t i = 0; i < inner; ++i) ASSERT_EQ(At(i).method, i) << frames;
    const RawFrame mark = At(inner);
    ASSERT_EQ(mark.kind, RawFrameKind::kTruncated) << frames;
    ASSERT_EQ(mark.dex_pc, frames - inner - kOutermost) << "how many are missing";
    for (uint32_t i = 0; i < kOutermost; ++i) {
      const uint32_t number = frames - kOutermost + i;
      ASSERT_EQ(At(inner + 1 + i).method, number) << frames;
      ASSERT_EQ(At(inner + 1 + i).tag, number % 256) << frames;
    }
  }
}

TEST_F(DeepSinkTest, BeyondTheMostTheOutermostAreUnknown) {
  FrameSink whole = Fill(FrameSink::kMostFrames - 1);
  whole.End();
  EXPECT_EQ(At(whole.depth() - 1).method, FrameSink::kMostFrames - 2);
  FrameSink sink = Fill(FrameSink::kMostFrames);
  EXPECT_FALSE(sink.Push(0, 0, kKind));
  sink.PushTruncation(Truncation::kDepthLimit);
  sink.End();
  ASSERT_EQ(sink.depth(), kPlaces - kOutermost);
  EXPECT_EQ(At(sink.depth() - 1).kind, RawFrameKind::kTruncated);
  EXPECT_EQ(At(sink.depth() - 1).dex_pc, kNoDexPc);
  EXPECT_EQ(At(sink.depth() - 2).method, sink.depth() - 2);
}

TEST_F(DeepSinkTest, AGapFurtherOutKeepsItsPlace) {
  FrameSink sink = Fill(300);
  sink.PushTruncation(Truncation::kBadFragment);
  sink.End();
  EXPECT_EQ(sink.truncation(), Truncation::kDepthLimit);
  EXPECT_EQ(At(sink.depth() - 1).method, static_cast<uint64_t>(Truncation::kBadFragment));
  EXPECT_EQ(At(sink.depth() - 2).method, 299U);
}

class SampleRingModel : public testing::TestWithParam<uint32_t> {};

TEST_P(SampleRingModel, BehavesLikeABoundedQueue) {
  std::mt19937 random(GetParam());
  SampleRing ring;
  ASSERT_TRUE(ring.Create(1024U << (GetParam() % 3)));
  const size_t cells = ring.bytes() / sizeof(RawFrame);
  std::deque<Stored> model;
  size_t used = 0;
  uint64_t token = 0;
  for (int step = 0; step < 50'000; ++step) {
    if (random() % 2 == 0) {
      const auto max_depth = static_cast<uint32_t>(random() % 24);
      const auto depth = static_cast<uint32_t>(random() % (max_depth + 1));
      FrameSink sink(nullptr, 0, 0, 0);
      ASSERT_EQ(ring.Begin(max_depth, &sink), cells - used >= max_depth + 2) << "step " << step;
      if (cells - used < max_depth + 2) continue;
      Stored sample{Header(++token, depth), {}};
      for (uint32_t i = 0; i < depth; ++i) {
        sample.frames.push_back(Frame(token, i));
        ASSERT_TRUE(sink.Push(sample.frames[i].method, i, RawFrameKind::kInterpreted));
      }
      if (random() % 8 == 0) continue;  // begun, never committed
      ring.Commit(sample.header);
      used += depth + 2;
      model.push_back(std::move(sample));
    } else if (model.empty()) {
      RawSample header;
      ASSERT_FALSE(ring.Peek(&header));
    } else {
      ExpectOldest(ring, model.front());
      if (HasFailure()) FAIL() << "step " << step;
      ring.Release(model.front().header);
      used -= model.front().header.depth + size_t{2};
      model.pop_front();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SampleRingModel, testing::Range(1U, 7U));

TEST(SampleRing, OneProducerOneConsumer) {
  constexpr uint64_t kSamples = 100'000;
  SampleRing ring;
  ASSERT_TRUE(ring.Create(4096));
  std::thread producer([&ring] {
    for (uint64_t token = 1; token <= kSamples; ++token) {
      const auto depth = static_cast<uint32_t>(token % 17);
      while (!Write(&ring, token, 17, depth)) std::this_thread::yield();
    }
  });
  uint64_t expected = 1;
  uint64_t wrong = 0;
  while (expected <= kSamples) {
    RawSample header;
    if (!ring.Peek(&header)) {
      std::this_thread::yield();
      continue;
    }
    wrong += header.token != Token{expected} || header.depth != expected % 17;
    for (uint32_t i = 0; i < header.depth; ++i)
      wrong += ring.FrameAt(i).method != Frame(expected, i).method;
    ring.Release(header);
    ++expected;
  }
  producer.join();
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace stillframe::core
