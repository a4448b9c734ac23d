// SPDX-License-Identifier: Apache-2.0
// Libraries that give their place to others between a copy and the walk over it.
#include "src/native/library_changes.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>

#include "src/core/clock.h"
#include "src/elf/loaded_modules.h"

namespace stillframe::native {
namespace {

class LibraryChangesTest : public testing::Test {
 protected:
  void SetUp() override { elf::OpenLoadedModules(&modules_); }
  void TearDown() override { Close(); }

  // Where its code is.
  uintptr_t Open(const char* path) {
    library_ = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return library_ == nullptr ? 0 : reinterpret_cast<uintptr_t>(dlsym(library_, "guest_spin"));
  }
  void Close() {
    if (library_ != nullptr) dlclose(library_);
    library_ = nullptr;
  }
  // As the handler takes one.
  core::StackCopy Copy() {
    core::StackCopy copy;
    copy.wall_ns = core::MonotonicNs();
    core::StackCopies::CopyWatched(LibraryChanges::LastEntry(modules_), &copy);
    return copy;
  }

  unwind::CodeModules modules_;
  LibraryChanges changes_;
  void* library_ = nullptr;
};

TEST_F(LibraryChangesTest, WhatIsThereAllTheTimeIsBelieved) {
  const uintptr_t pc = Open(STILLFRAME_GUEST_LARGE);
  ASSERT_NE(pc, 0U);
  modules_.Refresh();
  const core::StackCopy copy = Copy();
  changes_.Begin(&modules_, copy, nullptr);
  EXPECT_TRUE(changes_.IsUnchanged(pc));
  EXPECT_TRUE(changes_.IsUnchanged(reinterpret_cast<uintptr_t>(&qsort)));
  EXPECT_FALSE(changes_.HasChangedSince());
  int local = 0;
  EXPECT_TRUE(changes_.IsUnchanged(reinterpret_cast<uintptr_t>(&local)));  // no library's
}

TEST_F(LibraryChangesTest, WhatTookAPlaceIsNot) {
  ASSERT_NE(Open(STILLFRAME_GUEST_LARGE), 0U);
  modules_.Refresh();
  const core::StackCopy copy = Copy();
  Close();
  const uintptr_t pc = Open(STILLFRAME_GUEST_SMALL);
  ASSERT_NE(pc, 0U);
  changes_.Begin(&modules_, copy, nullptr);
  EXPECT_FALSE(changes_.IsUnchanged(pc));
  // Copied after it had come.
  changes_.Begin(&modules_, Copy(), nullptr);
  EXPECT_TRUE(changes_.IsUnchanged(pc));
}

TEST_F(LibraryChangesTest, WhatGoesWhileItIsLookedUpIsNoticed) {
  ASSERT_NE(Open(STILLFRAME_GUEST_LARGE), 0U);
  modules_.Refresh();
  changes_.Begin(&modules_, Copy(), nullptr);
  const uint64_t generation = changes_.generation();
  Close();
  const uintptr_t pc = Open(STILLFRAME_GUEST_SMALL);
  EXPECT_TRUE(changes_.HasChangedSince());
  EXPECT_FALSE(changes_.IsUnchanged(pc));
  changes_.Begin(&modules_, Copy(), nullptr);
  EXPECT_NE(changes_.generation(), generation);
}

TEST_F(LibraryChangesTest, ALibraryIsLastingASecondAfterItWasSeen) {
  constexpr uint64_t kLater = 2'000'000'000;
  const uintptr_t pc = Open(STILLFRAME_GUEST_LARGE);
  changes_.Begin(&modules_, Copy(), nullptr);
  EXPECT_FALSE(changes_.IsLasting(pc, core::MonotonicNs()));
  EXPECT_TRUE(changes_.IsLasting(pc, core::MonotonicNs() + kLater));
}

TEST_F(LibraryChangesTest, WithoutACopyNothingIsSaid) {
  EXPECT_FALSE(changes_.HasChangedSince());
  EXPECT_TRUE(changes_.IsUnchanged(reinterpret_cast<uintptr_t>(&qsort)));
  core::StackCopy copy;
  core::StackCopies::CopyWatched({8, 8}, &copy);
  EXPECT_EQ(copy.watched_at, 0U);
}

// Freed memory may keep its old contents.
TEST_F(LibraryChangesTest, AnEntryThatNothingLeadsToIsNone) {
  ASSERT_NE(Open(STILLFRAME_GUEST_LARGE), 0U);
  modules_.Refresh();
  core::StackCopies::Watched last = LibraryChanges::LastEntry(modules_);
  core::StackCopy copy;
  core::StackCopies::CopyWatched(last, &copy);
  EXPECT_EQ(copy.watched_at, last.address);
  const uintptr_t other = last.address + 1;
  last.lead = reinterpret_cast<uintptr_t>(&other);
  core::StackCopies::CopyWatched(last, &copy);
  EXPECT_EQ(copy.watched_at, 0U);
}

}  // namespace
}  // namespace stillframe::native
