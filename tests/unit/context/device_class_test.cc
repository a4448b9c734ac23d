// SPDX-License-Identifier: Apache-2.0
// The class of device that Matrix names, by memory and CPUs.
#include "src/context/device_class.h"

#include <gtest/gtest.h>

namespace stillframe::context {
namespace {

TEST(DeviceClass, LevelsAreThoseOfMatrix) {
  const uint64_t gib = uint64_t{1} << 30;
  EXPECT_STREQ(LevelOf(8 * gib, 8), "BEST");
  EXPECT_STREQ(LevelOf(3 * gib, 1), "HIGH");
  EXPECT_STREQ(LevelOf(2 * gib, 4), "HIGH");
  EXPECT_STREQ(LevelOf(2 * gib, 2), "MIDDLE");
  EXPECT_STREQ(LevelOf(gib, 4), "MIDDLE");
  EXPECT_STREQ(LevelOf(gib, 2), "LOW");
  EXPECT_STREQ(LevelOf(gib / 2, 8), "BAD");
}

}  // namespace
}  // namespace stillframe::context
