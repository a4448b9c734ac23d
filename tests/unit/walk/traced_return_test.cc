// SPDX-License-Identifier: Apache-2.0
// Return addresses that a thread which is traced keeps aside, in maps and deques laid out as both
// C++ libraries have them.
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
    return TracedReturns(image_.thread()).Find(image_.facts(), frame, 0, pc);
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

// {this, method, return pc, frame id, is from the interpreter}, ART 10.
constexpr uintptr_t kElement = 5 * kWord;

const Layout& LayoutWithDeque() {
  for (uint32_t i = 0;; ++i)
    if (KnownLayouts().rows[i].instrumentation_deque_after_env != 0) return KnownLayouts().rows[i];
}

class TracedDequeTest : public testing::Test {
 protected:
  TracedDequeTest() {
    memcpy(reinterpret_cast<void*>(exit_), kExit, sizeof kExit);
    const Layout& layout = image_.layout();
    image_.PutPointer(
        image_.top() + layout.managed_stack_before_env + layout.instrumentation_deque_after_env,
        deque_);
  }

  // The n-th return address counts from kReturnPc, its method from kMethod.
  static constexpr uintptr_t kMethod = 0x9000;
  void PutElement(uintptr_t at, uint32_t n) {
    image_.PutPointer(at + kWord, kMethod + n);
    image_.PutPointer(at + 2 * kWord, kReturnPc + n);
  }

  // `count` of them, the first at place `first` of the first block.
  void PutDeque(uint32_t block_bytes, uint32_t first, uint32_t count, bool is_libcxx) {
    const uint32_t per_block = block_bytes / kElement;
    const uintptr_t blocks = image_.Allocate(4 * kWord);
    uintptr_t begins[2] = {image_.Allocate(block_bytes), image_.Allocate(block_bytes)};
    for (uint32_t i = 0; i < 2; ++i) image_.PutPointer(blocks + i * kWord, begins[i]);
    for (uint32_t n = 0; n < count; ++n)
      PutElement(begins[(first + n) / per_block] + (first + n) % per_block * kElement, n);
    const uintptr_t libcxx[] = {blocks, blocks, blocks + 2 * kWord, blocks + 4 * kWord,
                                first,  count};
    const uintptr_t libstdcxx[] = {
        blocks, 4, begins[0] + first * kElement, begins[0], begins[0] + per_block * kElement,
        blocks};
    for (uint32_t i = 0; i < 6; ++i)
      image_.PutPointer(deque_ + i * kWord, is_libcxx ? libcxx[i] : libstdcxx[i]);
  }

  ArtImage image_{LayoutWithDeque()};
  uintptr_t deque_ = image_.Allocate(8 * kWord);
  uintptr_t exit_ = image_.Allocate(64);
  uintptr_t frame_ = image_.stack() + 1024;
};

TEST_F(TracedDequeTest, AreFoundOneAfterTheOther) {
  for (const bool is_libcxx : {false, true}) {
    const uint32_t block_bytes = is_libcxx ? 4096 : 512;
    const auto per_block = static_cast<uint32_t>(block_bytes / kElement);
    PutDeque(block_bytes, per_block - 2, 6, is_libcxx);
    TracedReturns returns(image_.thread());
    EXPECT_EQ(returns.Find(image_.facts(), frame_, kMethod, exit_), kReturnPc);
    EXPECT_EQ(returns.Find(image_.facts(), frame_, 0, exit_), kReturnPc + 1);
    returns.Pass(image_.facts(), exit_);
    returns.Pass(image_.facts(), exit_ + 16);
    EXPECT_EQ(returns.Find(image_.facts(), frame_, kMethod + 3, exit_), kReturnPc + 3);
    EXPECT_EQ(returns.Find(image_.facts(), frame_, kMethod + 3, exit_), 0U) << "it is another's";
  }
}

TEST_F(TracedDequeTest, OneThatCannotBeReadHasNone) {
  for (uint32_t i = 0; i < 6; ++i) image_.PutPointer(deque_ + i * kWord, 8);
  EXPECT_EQ(TracedReturns(image_.thread()).Find(image_.facts(), frame_, 0, exit_), 0U);
}

}  // namespace
}  // namespace stillframe::walk
