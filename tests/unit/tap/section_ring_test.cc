// SPDX-License-Identifier: Apache-2.0
// Entries written by a thread are read whole or not at all.
#include "src/tap/section_ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace stillframe::tap {
namespace {

struct SectionText {
  uint64_t at_ns;
  std::string text;
};

class SectionRingTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(ring_.Create()); }
  std::vector<SectionText> Read() {
    std::vector<SectionText> texts;
    written_ = ring_.Read(
        [](void* to, uint64_t at_ns, std::string_view text) {
          static_cast<std::vector<SectionText>*>(to)->push_back({at_ns, std::string(text)});
        },
        &texts);
    return texts;
  }

  SectionRing ring_;
  uint64_t written_ = 0;
};

TEST_F(SectionRingTest, TextsOfEveryLengthComeBackInOrder) {
  for (size_t bytes = 0; bytes <= SectionRing::kMaxText + 5; ++bytes)
    ring_.Write(bytes, std::string(bytes, static_cast<char>('a' + bytes % 26)));
  const std::vector<SectionText> texts = Read();
  ASSERT_EQ(texts.size(), SectionRing::kMaxText + 6);
  for (size_t bytes = 0; bytes < texts.size(); ++bytes) {
    EXPECT_EQ(texts[bytes].at_ns, bytes);
    EXPECT_EQ(texts[bytes].text, std::string(std::min(bytes, SectionRing::kMaxText),
                                             static_cast<char>('a' + bytes % 26)));
  }
  EXPECT_EQ(written_, texts.size());
  EXPECT_EQ(ring_.lost(), 0U);
}

TEST_F(SectionRingTest, TheNewestStay) {
  constexpr uint64_t kTexts = 3 * SectionRing::kCells;
  for (uint64_t i = 0; i < kTexts; ++i)
    ring_.Write(i, "B|1|" + std::to_string(i) + std::string(i % 100, 'x'));
  const std::vector<SectionText> texts = Read();
  EXPECT_EQ(written_, kTexts);
  ASSERT_GT(texts.size(), SectionRing::kCells / 4);
  for (size_t i = 0; i < texts.size(); ++i) {
    const uint64_t number = kTexts - texts.size() + i;
    EXPECT_EQ(texts[i].at_ns, number);
    EXPECT_EQ(texts[i].text, "B|1|" + std::to_string(number) + std::string(number % 100, 'x'));
  }
}

TEST_F(SectionRingTest, AReaderNeverSeesAHalf) {
  std::atomic<bool> ends{false};
  std::thread writer([&] {
    for (uint64_t i = 0; !ends.load(std::memory_order_relaxed); ++i)
      ring_.Write(i, std::string(i % SectionRing::kMaxText, static_cast<char>('a' + i % 26)));
  });
  uint64_t seen = 0;
  while (seen < 200'000) {
    uint64_t last = 0;
    for (const SectionText& text : Read()) {
      EXPECT_EQ(text.text, std::string(text.at_ns % SectionRing::kMaxText,
                                       static_cast<char>('a' + text.at_ns % 26)));
      EXPECT_TRUE(last == 0 || text.at_ns > last);
      last = text.at_ns;
      ++seen;
    }
  }
  ends = true;
  writer.join();
}

TEST_F(SectionRingTest, WhatATextCosts) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer costs more than the ring";
#endif
  constexpr int kTexts = 100'000;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kTexts; ++i)
    ring_.Write(static_cast<uint64_t>(i), "B|4711|Choreographer#doFrame");
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  RecordProperty("ns_per_text", std::to_string(took.count() / kTexts));
  EXPECT_LT(took.count() / kTexts, 2'000);
}

}  // namespace
}  // namespace stillframe::tap
