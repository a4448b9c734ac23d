// SPDX-License-Identifier: Apache-2.0
// Return addresses that a thread which is traced keeps aside, in maps laid out as both C++
// libraries have them.
#include "src/walk/traced_return.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/walk/art_image.h"

namespace stillframe::walk {
namespace {

#if defined(__x86_64__)
constexpr uint8_t kExit[] = {0x6a, 0, 0x41, 0x57, 0x41, 0x56, 0x41, 0x55};
#elif defined(__i386__)
constexpr uint8_t kExit[] = {0x6a, 0, 0x57, 0x56, 0x55, 0x53, 0x52, 0x51};
#elif defined(__aarch64__)
constexpr uint8_t kExit[] = {0x1e, 0, 0x80, 0xd2, 0xff, 0x03, 0x08, 0xd1};
#else
constexpr uint8_t kExit[] = {0x4f, 0xf0, 0, 0x0e, 0x2d, 0xe9, 0xff, 0x5f};
#endif

constexpr uintptr_t kWord = sizeof(uintptr_t);
constexpr uintptr_t kReturnPc = 0x5000;

// Where a library keeps the links, in words.
struct Library {
  uint32_t root;
  uint32_t left;
  uint32_t right;
};
constexpr Library kLibcxx = {1, 0, 1};
constexpr Library kLibstdcxx = {2, 2, 3};

class TracedReturnTest : public testing::Test {
 protected:
  TracedReturnTest() {
    memcpy(reinterpret_cast<void*>(exit_), kExit, sizeof kExit);
    image_.PutPointer(MapAt(), map_);
  }

  uintptr_t MapAt() {
    return image_.top() + image_.layout().managed_stack_before_env +
           image_.layout().instrumentation_map_after_env;
  }

  uintptr_t Node(uintptr_t key, uintptr_t return_pc) {
    const uintptr_t node = image_.Allocate(16 * kWord);
    image_.PutPointer(node + 4 * kWord, key);
    image_.PutPointer(node + 7 * kWord, return_pc);
    return node;
  }

  // Three nodes, `frame_` to the right of the root.
  void PutMap(const Library& library) {
    const uintptr_t root = Node(frame_ - 64, 1);
    image_.PutPointer(map_ + library.root * kWord, root);
    image_.PutPointer(root + library.left * kWord, Node(frame_ - 256, 2));
    image_.PutPointer(root + library.right * kWord, Node(frame_ - kWord, kReturnPc));
  }

  uintptr_t Find(uintptr_t frame, uintptr_t pc) {
    return FindTracedReturn(image_.facts(), image_.thread(), frame, pc);
  }

  const Layout& layout_ = []() -> const Layout& {
    for (uint32_t i = 0;; ++i)
      if (KnownLayouts().rows[i].instrumentation_map_after_env != 0) return KnownLayouts().rows[i];
  }();
  ArtImage image_{layout_};
  uintptr_t map_ = image_.Allocate(8 * kWord);
  uintptr_t exit_ = image_.Allocate(64);
  uintptr_t frame_ = image_.stack() + 1024;
};

TEST_F(TracedReturnTest, IsFoundByWhereItWasTakenFrom) {
  for (const Library& library : {kLibcxx, kLibstdcxx}) {
    memset(reinterpret_cast<void*>(map_), 0, 8 * kWord);
    PutMap(library);
    EXPECT_EQ(Find(frame_, exit_), kReturnPc);
    EXPECT_EQ(Find(frame_ + kWord, exit_), 0U) << "nothing was taken from there";
  }
}

TEST_F(TracedReturnTest, IsAskedForTheStubOnly) {
  PutMap(kLibstdcxx);
  EXPECT_EQ(Find(frame_, exit_ + 16), 0U);
}

TEST_F(TracedReturnTest, ATreeInACircleEnds) {
  const uintptr_t node = Node(frame_ - 64, 1);
  image_.PutPointer(map_ + kLibcxx.root * kWord, node);
  image_.PutPointer(node + kLibcxx.right * kWord, node);
  EXPECT_EQ(Find(frame_, exit_), 0U);
}

TEST_F(TracedReturnTest, AMapThatCannotBeReadHasNone) {
  image_.PutPointer(MapAt(), 8);
  EXPECT_EQ(Find(frame_, exit_), 0U);
}

}  // namespace
}  // namespace stillframe::walk
