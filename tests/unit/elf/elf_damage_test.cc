// SPDX-License-Identifier: Apache-2.0
// Corrupt files: every answer is "not found" or a number, in bounded time. No read leaves the file
// (the sanitizers check that).
#include <elf.h>
#include <gtest/gtest.h>

#include <random>

#include "src/elf/elf_reader.h"
#include "tests/unit/elf/file_image.h"

namespace stillframe::elf {
namespace {

// Chains have a bound; with some symbols of slack for .symtab.
constexpr uint64_t kMaxReads = 10'000'000;

void LookUpAll(const FileImage& image) {
  for (const uintptr_t mapped_at : {uintptr_t{0}, uintptr_t{0x7000'0000}}) {
    ElfReader reader(image, mapped_at);
    if (!reader.Open()) continue;
    for (const char* name : {"SfFixtureAnswer", "none"}) {
      static_cast<void>(reader.FindDynamic(name));
      static_cast<void>(reader.FindInSymtab(name));
    }
  }
  EXPECT_LT(image.reads(), kMaxReads);
}

class ElfDamage : public testing::TestWithParam<const char*> {};

TEST_P(ElfDamage, ATruncatedFileIsReadWithinBounds) {
  const FileImage whole = FileImage::Of(GetParam());
  std::vector<uint8_t> bytes = FileImage(whole).bytes();
  for (size_t size = 0; size < bytes.size(); size += size < 1024 ? 1 : 37)
    LookUpAll(FileImage({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}));
}

TEST_P(ElfDamage, AnyChangedByteIsReadWithinBounds) {
  FileImage image = FileImage::Of(GetParam());
  const std::vector<uint8_t> bytes = image.bytes();
  std::mt19937 random(7);
  for (size_t i = 0; i < 4096 && i < bytes.size(); ++i) {
    for (const uint8_t value : {uint8_t{0}, uint8_t{0xff}, static_cast<uint8_t>(random())}) {
      FileImage damaged(bytes);
      damaged.bytes()[i] = value;
      LookUpAll(damaged);
    }
  }
}

TEST_P(ElfDamage, ManyChangedBytesAreReadWithinBounds) {
  const std::vector<uint8_t> bytes = FileImage::Of(GetParam()).bytes();
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    FileImage damaged(bytes);
    for (int i = 0; i < 1 + round % 16; ++i)
      damaged.bytes()[random() % 2048] = static_cast<uint8_t>(random());
    LookUpAll(damaged);
  }
}

INSTANTIATE_TEST_SUITE_P(HashStyles, ElfDamage,
                         testing::Values(STILLFRAME_FIXTURE_GNU, STILLFRAME_FIXTURE_SYSV),
                         [](const testing::TestParamInfo<const char*>& style) {
                           return std::string(style.index == 0 ? "Gnu" : "Sysv");
                         });

TEST(ElfDamageHeaders, ForeignImagesAreRefused) {
  const std::vector<uint8_t> good = FileImage::Of(STILLFRAME_FIXTURE_GNU).bytes();
  {
    FileImage image(good);
    EXPECT_TRUE(ElfReader(image).Open());
  }
  for (const size_t at : {size_t{0}, size_t{3}, size_t{EI_CLASS}}) {
    FileImage image(good);
    image.bytes()[at] ^= 3;
    EXPECT_FALSE(ElfReader(image).Open()) << at;
  }
  const FileImage empty{{}};
  EXPECT_FALSE(ElfReader(empty).Open());
}

}  // namespace
}  // namespace stillframe::elf
