// SPDX-License-Identifier: Apache-2.0
// Walks over copies with arbitrary content end, and report missing parts.
#include "src/native/mixed_stack.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "src/elf/loaded_modules.h"
#include "src/walk/layout.h"

namespace stillframe::native {
namespace {

constexpr uintptr_t kLow = 0x70001000;
constexpr uintptr_t kHigh = 0x70101000;
constexpr uint32_t kCopied = 1024;

class MixedStackTest : public testing::Test {
 protected:
  void SetUp() override {
    elf::OpenLoadedModules(&modules_);
    facts_.modules = &modules_;
    facts_.layout = walk::KnownLayouts().rows;
    facts_.managed_stack = 160;
    facts_.stack_low = kLow;
    facts_.stack_high = kHigh;
    ASSERT_TRUE(mixed_.Create(kCopied * sizeof(uintptr_t)));
    copy_.begin = kLow + 4096;
    copy_.bytes = kCopied * sizeof(uintptr_t);
  }
  const std::vector<MixedFrame>& Read() {
    return mixed_.Read(copy_, words_.data(), {{frames_.data(), frames_.size()}, 1, true},
                       &changes_);
  }

  unwind::CodeModules modules_;
  walk::RuntimeFacts facts_;
  MixedStack mixed_{facts_};
  LibraryChanges changes_;
  core::StackCopy copy_;
  std::vector<uintptr_t> words_ = std::vector<uintptr_t>(kCopied);
  std::vector<core::RawFrame> frames_ =
      std::vector<core::RawFrame>(3, {0, 0, core::RawFrameKind::kInterpreted, {}});
};

TEST_F(MixedStackTest, WithoutAPlaceAMarkStandsAbove) {
  const std::vector<MixedFrame>& mixed = Read();
  ASSERT_FALSE(mixed.empty());
  EXPECT_EQ(mixed[0].pc, 0U);
  EXPECT_EQ(mixed[0].managed, 0U);
}

TEST_F(MixedStackTest, AnythingIsWalkedToAnEnd) {
  std::minstd_rand random(7);  // the same each time
  const auto code = reinterpret_cast<uintptr_t>(&qsort);
  const auto any_word = [&]() -> uintptr_t {
    switch (random() % 4) {
      case 0: return code - 2'000 + random() % 4'000;
      case 1: return copy_.begin + random() % (kCopied * 2) * sizeof(uintptr_t) / 2;
      case 2: return 0;
      default: return (uintptr_t{random()} << 16) ^ random();
    }
  };
  for (int i = 0; i < 2'000; ++i) {
    std::generate(words_.begin(), words_.end(), any_word);
    for (uintptr_t& value : copy_.registers.values) value = any_word();
    for (uintptr_t& word : copy_.thread_words) word = any_word();
    copy_.registers.values[arch::kDwarfPc] = code + random() % 64;
    copy_.registers.values[arch::kDwarfSp] = copy_.begin + 128;
    for (const MixedFrame& frame : Read()) ASSERT_LE(frame.managed, frames_.size());
  }
}

}  // namespace
}  // namespace stillframe::native
