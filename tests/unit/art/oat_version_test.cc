// SPDX-License-Identifier: Apache-2.0
// Which rows may be tried.
#include "src/art/oat_version.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace stillframe::art {
namespace {

std::string RowsFor(uint32_t oat_version) {
  std::string releases;
  const walk::LayoutTable table = walk::KnownLayouts();
  for (uint32_t i = 0; i < table.count; ++i)
    if (MayFit(table.rows[i], oat_version)) releases += std::string(table.rows[i].release) + " ";
  return releases;
}

uint32_t VersionIn(const char (&text)[9]) {
  return ReadOatVersion(reinterpret_cast<uintptr_t>(text));
}

TEST(OatVersion, ReadsTheHeader) {
  EXPECT_EQ(VersionIn("oat\n124\0"), 124U);
  EXPECT_EQ(VersionIn("oat\n265\0"), 265U);
  EXPECT_EQ(VersionIn("oat\n2x5\0"), 0U);
  EXPECT_EQ(VersionIn("vdex230\0"), 0U);
  EXPECT_EQ(ReadOatVersion(0), 0U);
  EXPECT_EQ(ReadOatVersion(0x10), 0U);
}

TEST(OatVersion, IsThatOfTheLoadedBootImage) {
  EXPECT_EQ(FindOatVersion(), 0U);
  void* const image = dlopen(STILLFRAME_OAT_FIXTURE, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(image, nullptr) << dlerror();
  EXPECT_EQ(FindOatVersion(), 230U);
  dlclose(image);
}

// kOatVersion of each release (runtime/oat.h, from 15 on runtime/oat/oat.h).
TEST(OatVersion, EveryReleaseHasItsRow) {
  for (const auto& [version, release] : std::vector<std::pair<uint32_t, const char*>>{
           {124, "8"},       // android-8.0.0
           {131, "8"},       // android-8.1.0
           {138, "9"},       // android-9.0.0
           {170, "10"},      // android-10.0.0_r36
           {173, "10"},      // CodeLinaro's 10
           {183, "11"},      // android-11.0.0_r48
           {199, "12"},      // android-12.0.0
           {225, "13"},      // android-13.0.0
           {230, "14"},      // android-14.0.0_r15
           {244, "15"},      // android-15.0.0
           {251, "15"},      // ART by Play, aml_art_351410020
           {254, "15QPR2"},  // android15-qpr2-release
           {258, "16"},      // main at the time of android-16.0.0
           {265, "16"},      // 25Q4-release
       })
    EXPECT_EQ(RowsFor(version), std::string(release) + " ") << version;
}

TEST(OatVersion, ChangesWithinAVersionLeaveTwoRows) {
  EXPECT_EQ(RowsFor(218), "13 12 ");  // main, and custom builds of 12
  EXPECT_EQ(RowsFor(226), "14 13 ");
}

TEST(OatVersion, WithoutOneEveryRowIsTriedAndForAnUnknownOneNone) {
  EXPECT_EQ(RowsFor(0), "16 15QPR2 15 14 13 12 11 10 9 8 ");
  EXPECT_EQ(RowsFor(88), "");   // ART 7
  EXPECT_EQ(RowsFor(160), "");  // between 9 and 10, in no release
}

}  // namespace
}  // namespace stillframe::art
