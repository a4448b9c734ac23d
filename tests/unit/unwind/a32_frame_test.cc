// SPDX-License-Identifier: Apache-2.0
// A32 code as clang emits it, in memory of 32 bits, from each of its instructions to its caller.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

#include "arch/arm/frame_pointer.h"

namespace stillframe::arch {
namespace {

constexpr uint32_t kCode = 0x10000;
constexpr uint32_t kStack = 0x40000;
constexpr uint32_t kReturn = 0x20008;
constexpr uint32_t kCallersFrame = kStack + 0x300;

std::map<uintptr_t, uint32_t>& Memory() {
  static std::map<uintptr_t, uint32_t> memory;
  return memory;
}

bool Load32(uintptr_t address, uint32_t* value) {
  const auto word = Memory().find(address);
  if (word == Memory().end()) return false;
  *value = word->second;
  return true;
}

class A32FrameTest : public testing::Test {
 protected:
  void SetUp() override {
    Memory().clear();
    for (uint32_t i = 0; i < 256; ++i) Memory()[kStack + 4 * i] = 0;
    Memory()[kReturn - 4] = 0xeb000000 | ((kCode - (kReturn + 4)) >> 2 & 0xffffff);  // bl kCode
    for (uint32_t i = 0; i < 16; ++i) registers_[i] = 0x77700000 + i;
    registers_[kA32FramePointer] = kCallersFrame;
    registers_[kA32Sp] = kStack + 0x200;
    registers_[kA32Lr] = kReturn;
  }
  void PutCode(const std::vector<uint32_t>& code) {
    for (size_t i = 0; i < code.size(); ++i) Memory()[kCode + 4 * i] = code[i];
  }
  void Push(uint32_t value) { Memory()[registers_[kA32Sp] -= 4] = value; }
  // push {r4, r5, fp, lr}; with `is_set` also add fp, sp, #8.
  void PushFrame(bool is_set) {
    Push(kReturn);
    Push(kCallersFrame);
    Push(5);
    Push(4);
    if (is_set) registers_[kA32FramePointer] = registers_[kA32Sp] + 8;
  }
  bool Leave(size_t instruction, bool is_call = false) {
    registers_[kA32Pc] = kCode + 4 * instruction;
    A32Frame<Load32> frame(registers_);
    return frame.Find(is_call) && frame.return_address() == kReturn && frame.Restore(registers_);
  }
  void ExpectCaller() const {
    EXPECT_EQ(registers_[kA32Pc], kReturn);
    EXPECT_EQ(registers_[kA32Sp], kStack + 0x200);
    EXPECT_EQ(registers_[kA32FramePointer], kCallersFrame);
  }

  uintptr_t registers_[16] = {};
};

const std::vector<uint32_t> kFramed = {
    0xe3a03001,  // 0: mov r3, #1
    0xe92d4830,  // 1: push {r4, r5, fp, lr}
    0xe28db008,  // 2: add fp, sp, #8
    0xe24dd010,  // 3: sub sp, sp, #16
    0xe3a00002,  // 4: mov r0, #2
    0xebfffff0,  // 5: bl
    0xe24bd008,  // 6: sub sp, fp, #8
    0xe8bd8830,  // 7: pop {r4, r5, fp, pc}
};

TEST_F(A32FrameTest, BeforeItsFrameTheLinkRegisterCounts) {
  PutCode(kFramed);
  for (const size_t instruction : {0U, 1U}) {
    SetUp();
    PutCode(kFramed);
    ASSERT_TRUE(Leave(instruction)) << instruction;
    ExpectCaller();
    EXPECT_EQ(registers_[4], 0x77700004U);
  }
}

TEST_F(A32FrameTest, ItsFrameIsFoundFromThePushOn) {
  for (size_t instruction = 2; instruction < kFramed.size(); ++instruction) {
    SetUp();
    PutCode(kFramed);
    PushFrame(instruction > 2);
    if (instruction > 3 && instruction < 7) registers_[kA32Sp] -= 16;
    if (instruction > 2) registers_[kA32Lr] = 0xbad;
    ASSERT_TRUE(Leave(instruction)) << instruction;
    ExpectCaller();
    EXPECT_EQ(registers_[4], 4U);
    EXPECT_EQ(registers_[5], 5U);
    EXPECT_EQ(registers_[6], 0x77700006U);
  }
}

TEST_F(A32FrameTest, BehindACallItsFrameCounts) {
  PutCode(kFramed);
  PushFrame(true);
  registers_[kA32Sp] -= 16;
  ASSERT_TRUE(Leave(6, true));
  ExpectCaller();
}

TEST_F(A32FrameTest, ALeafReturnsByTheLinkRegister) {
  PutCode({0xe24dd008, 0xe3a00002, 0xe28dd008, 0xe12fff1e});  // 8 bytes of stack, bx lr
  for (const size_t instruction : {0U, 1U, 2U, 3U}) {
    SetUp();
    PutCode({0xe24dd008, 0xe3a00002, 0xe28dd008, 0xe12fff1e});
    if (instruction == 1 || instruction == 2) registers_[kA32Sp] -= 8;
    ASSERT_TRUE(Leave(instruction)) << instruction;
    ExpectCaller();
  }
}

TEST_F(A32FrameTest, BehindATailCallsPopNothingIsLeft) {
  // pop {r4, r5, fp, lr}; b to another function, which pushes.
  PutCode({0xe92d4830, 0xe28db008, 0xe8bd4830, 0xea000000, 0xe320f000, 0xe92d4800});
  ASSERT_TRUE(Leave(3));
  ExpectCaller();
}

TEST_F(A32FrameTest, ATableOfJumpsNeedsTheCallToLeadThere) {
  const std::vector<uint32_t> code = {0xe92d4830, 0xe28db008, 0xe3a00002, 0xe08ff000};  // add pc
  PutCode(code);
  PushFrame(true);
  ASSERT_TRUE(Leave(2));
  ExpectCaller();
  SetUp();
  PutCode(code);
  PushFrame(true);
  Memory()[kReturn - 4] = 0xe12fff33;  // blx r3
  EXPECT_FALSE(Leave(2));
}

TEST_F(A32FrameTest, WithoutAPushThereIsNoFrame) {
  PutCode({0xe3a00002, 0xebfffff0, 0xe3a00002});
  registers_[kA32FramePointer] = registers_[kA32Sp] + 8;
  EXPECT_FALSE(Leave(1));
  EXPECT_FALSE(Leave(2, true));
}

TEST_F(A32FrameTest, AFramePointerThatLeadsElsewhereIsNone) {
  PutCode(kFramed);
  PushFrame(true);
  for (const uintptr_t value : {uintptr_t{0}, registers_[kA32Sp] - 4, registers_[kA32Sp] + 2,
                                registers_[kA32Sp] + (1U << 20)}) {
    registers_[kA32FramePointer] = value;
    EXPECT_FALSE(Leave(5)) << value;
  }
}

TEST_F(A32FrameTest, OneThatHasOtherRegistersThanThePushIsNone) {
  std::vector<uint32_t> code = kFramed;
  code[2] = 0xe28db00c;  // add fp, sp, #12: three registers below
  PutCode(code);
  PushFrame(true);
  EXPECT_FALSE(Leave(5));
}

TEST_F(A32FrameTest, AnyCodeComesToAnEnd) {
  uint32_t seed = 7;
  const auto random = [&seed] { return seed = seed * 1664525 + 1013904223; };
  for (int i = 0; i < 2'000; ++i) {
    SetUp();
    for (uint32_t at = 0; at < 64; ++at) Memory()[kCode + 4 * at] = random();
    if (i % 2 == 0) Memory()[kCode + 4 * (random() % 64)] = 0xea000000 | (random() & 0xffffff);
    PushFrame(i % 3 == 0);
    Leave(random() % 64, i % 5 == 0);
  }
}

}  // namespace
}  // namespace stillframe::arch
