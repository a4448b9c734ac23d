// SPDX-License-Identifier: Apache-2.0
// Symbols of real libraries by their files.
#include "src/elf/elf_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/unit/elf/file_image.h"

namespace stillframe::elf {
namespace {

class ElfReaderTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ASSERT_TRUE(reader_.Open()); }

  FileImage image_ = FileImage::Of(GetParam());
  ElfReader reader_{image_};
};

TEST_P(ElfReaderTest, ExportedSymbolsAreInBothTables) {
  for (const char* name : {"SfFixtureAnswer", "SfFixtureOther", "sf_fixture_value"}) {
    EXPECT_NE(reader_.FindDynamic(name), 0U) << name;
    EXPECT_EQ(reader_.FindDynamic(name), reader_.FindInSymtab(name)) << name;
  }
  EXPECT_NE(reader_.FindDynamic("SfFixtureAnswer"), reader_.FindDynamic("SfFixtureOther"));
}

TEST_P(ElfReaderTest, HiddenSymbolsAreInSymtabOnly) {
  EXPECT_EQ(reader_.FindDynamic("SfFixtureHidden"), 0U);
  EXPECT_NE(reader_.FindInSymtab("SfFixtureHidden"), 0U);
}

TEST_P(ElfReaderTest, OtherNamesAreNotFound) {
  for (const char* name : {"", "SfFixtureAnswe", "SfFixtureAnswer2", "sfFixtureAnswer"}) {
    EXPECT_EQ(reader_.FindDynamic(name), 0U) << name;
    EXPECT_EQ(reader_.FindInSymtab(name), 0U) << name;
  }
  EXPECT_EQ(reader_.FindDynamic(std::string(5000, 'a')), 0U);
  // Needed, not defined here.
  EXPECT_EQ(reader_.FindDynamic("__cxa_finalize"), 0U);
}

// As a native bridge loads it beside libraries of the process's own CPU.
TEST_P(ElfReaderTest, AnImageOfAnotherCpuIsNotOpened) {
  constexpr size_t kMachineAt = 18;  // e_machine of both classes
  image_.bytes()[kMachineAt] ^= 1;
  EXPECT_FALSE(ElfReader(image_).Open());
}

INSTANTIATE_TEST_SUITE_P(HashStyles, ElfReaderTest,
                         testing::Values(STILLFRAME_FIXTURE_GNU, STILLFRAME_FIXTURE_SYSV),
                         [](const testing::TestParamInfo<const char*>& style) {
                           return std::string(style.index == 0 ? "Gnu" : "Sysv");
                         });

TEST(ElfReaderRealRuntime, FindsWhatTheProbeAsksFor) {
  constexpr char kLibrary[] = "/usr/lib/x86_64-linux-gnu/android/libart.so";
#if !defined(__x86_64__)
  GTEST_SKIP() << "that library is of x86_64";
#endif
  if (access(kLibrary, R_OK) != 0) GTEST_SKIP() << kLibrary << " is not on this machine";
  const FileImage image = FileImage::Of(kLibrary);
  ElfReader reader(image);
  ASSERT_TRUE(reader.Open());
  EXPECT_NE(reader.FindDynamic("JNI_GetCreatedJavaVMs"), 0U);
  EXPECT_EQ(reader.FindDynamic("JNI_GetCreatedJavaVM"), 0U);
}

}  // namespace
}  // namespace stillframe::elf
