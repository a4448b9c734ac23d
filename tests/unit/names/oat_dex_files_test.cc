// SPDX-License-Identifier: Apache-2.0
// The dex files of an oat file, laid out with strings of both C++ libraries.
#include "src/names/oat_dex_files.h"

#include <gtest/gtest.h>

#include "tests/unit/names/small_dex.h"
#include "tests/unit/walk/art_image.h"

namespace stillframe::names {
namespace {

constexpr uintptr_t kPointerBytes = sizeof(uintptr_t);

const walk::Layout& LayoutOf14() {
  for (uint32_t i = 0;; ++i)
    if (walk::KnownLayouts().rows[i].code_info == walk::CodeInfoForm::k14)
      return walk::KnownLayouts().rows[i];
}

// The words of a std::string: of libc++ and of libstdc++.
class OatDexFilesTest : public testing::TestWithParam<uintptr_t> {
 protected:
  OatDexFilesTest() {
    const walk::Layout& layout = image_.layout();
    image_.PutPointer(dex_file_ + layout.dex_file_begin, first_.begin());
    image_.PutPointer(dex_file_ + layout.dex_file_size, first_.size());
    image_.PutPointer(dex_file_ + layout.dex_file_data_begin, first_.begin());
    const uintptr_t strings = 2 * GetParam() * kPointerBytes;
    pointer_at_ = kPointerBytes + strings + kPointerBytes;
    files_[0] = NewFile(first_.begin());
    files_[1] = NewFile(second_.begin());
    image_.PutPointer(dex_file_ + 24 * kPointerBytes, files_[0]);
    vector_at_ = oat_file_ + (GetParam() + 12) * kPointerBytes;
    PutVector(2);
  }

  uintptr_t NewFile(uintptr_t dex_begin) {
    const uintptr_t file = image_.Allocate(20 * kPointerBytes);
    image_.PutPointer(file, oat_file_);
    image_.PutPointer(file + pointer_at_, dex_begin);
    return file;
  }
  void PutVector(uintptr_t count) {
    for (uintptr_t i = 0; i < 2; ++i) image_.PutPointer(elements_ + i * kPointerBytes, files_[i]);
    image_.PutPointer(vector_at_, elements_);
    image_.PutPointer(vector_at_ + kPointerBytes, elements_ + count * kPointerBytes);
    image_.PutPointer(vector_at_ + 2 * kPointerBytes, elements_ + 4 * kPointerBytes);
  }
  bool Find(uint32_t index) { return FindOatDexFile(image_.layout(), dex_file_, index, &place_); }

  walk::ArtImage image_{LayoutOf14()};
  SmallDex first_;
  SmallDex second_;
  uintptr_t dex_file_ = image_.Allocate(64 * kPointerBytes);
  uintptr_t oat_file_ = image_.Allocate(64 * kPointerBytes);
  uintptr_t elements_ = image_.Allocate(4 * kPointerBytes);
  uintptr_t files_[2] = {};
  uintptr_t pointer_at_ = 0;
  uintptr_t vector_at_ = 0;
  DexPlace place_;
};

TEST_P(OatDexFilesTest, AreFoundByTheirNumber) {
  ASSERT_TRUE(Find(1));
  EXPECT_EQ(place_.begin, second_.begin());
  EXPECT_EQ(place_.data, second_.begin());
  EXPECT_EQ(place_.size, second_.size());
  ASSERT_TRUE(Find(0));
  EXPECT_EQ(place_.begin, first_.begin());
  EXPECT_FALSE(Find(2)) << "there are two";
}

TEST_P(OatDexFilesTest, AVectorWithoutTheFileItselfIsNotThem) {
  files_[0] = files_[1];
  PutVector(2);
  EXPECT_FALSE(Find(1));
}

TEST_P(OatDexFilesTest, AnElementOfAnotherOatFileIsNotOne) {
  image_.PutPointer(files_[1], image_.Allocate(64));
  EXPECT_FALSE(Find(0));
}

TEST_P(OatDexFilesTest, AFileThatWasNotCompiledAheadOfTimeHasNone) {
  image_.PutPointer(dex_file_ + 24 * kPointerBytes, 0);
  EXPECT_FALSE(Find(0));
}

TEST_P(OatDexFilesTest, WhatIsNoDexFileIsNotOne) {
  image_.PutPointer(files_[1] + pointer_at_, image_.Allocate(128));
  EXPECT_FALSE(Find(1));
}

INSTANTIATE_TEST_SUITE_P(Libraries, OatDexFilesTest, testing::Values(3U, 4U));

}  // namespace
}  // namespace stillframe::names
