// SPDX-License-Identifier: Apache-2.0
// A walk over one literal stack, for one row of the layout table.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/walk/art_image.h"

namespace stillframe::walk {

constexpr uintptr_t kUnmapped = 0x10;
constexpr uintptr_t kMterpCode = 0x7000'0000;

class WalkTest : public testing::TestWithParam<uint32_t> {
 protected:
  WalkedStack WalkImage(const arch::Registers* registers = nullptr, uint32_t limit = 64) {
    return Walk(image_.facts(), image_.thread(), registers, limit);
  }
  void ExpectMethods(const WalkedStack& walked, const std::vector<uintptr_t>& methods) {
    ASSERT_EQ(walked.frames.size(), methods.size());
    for (size_t i = 0; i < methods.size(); ++i) {
      EXPECT_EQ(walked.frames[i].method, methods[i]) << "frame " << i;
      EXPECT_NE(walked.frames[i].kind, core::RawFrameKind::kTruncated) << "frame " << i;
    }
  }
  void ExpectOnlyTruncation(const WalkedStack& walked, core::Truncation truncation) {
    EXPECT_EQ(walked.truncation, truncation);
    ASSERT_EQ(walked.frames.size(), 1U);
    EXPECT_EQ(walked.frames[0].kind, core::RawFrameKind::kTruncated);
    EXPECT_EQ(walked.frames[0].method, static_cast<uint64_t>(truncation));
  }

  ArtImage image_{KnownLayouts().rows[GetParam()]};
};

inline std::string RowName(const testing::TestParamInfo<uint32_t>& row) {
  return std::string("Art") + KnownLayouts().rows[row.param].release;
}

}  // namespace stillframe::walk
