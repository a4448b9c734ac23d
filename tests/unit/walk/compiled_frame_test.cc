// SPDX-License-Identifier: Apache-2.0
// The prologues and epilogues of compiled methods, instruction by instruction.
#include "src/walk/compiled_frame.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <string>
#include <utility>
#include <vector>

#include "arch/arch.h"
#include "src/walk/code_elsewhere.h"
#include "tests/unit/walk/art_image.h"

namespace stillframe::walk {
namespace {

#if defined(__x86_64__)
TEST(CompiledFrame, FindsTheCallerAtEachInstructionOfPrologueAndEpilogue) {
  // push %rbx; push %r15; sub $24,%rsp; movsd %xmm12,16(%rsp); mov %rdi,(%rsp); nop; movsd
  // 16(%rsp),%xmm12; add $24,%rsp; pop %r15; pop %rbx; ret
  const uint8_t code[] = {0x53, 0x41, 0x57, 0x48, 0x83, 0xec, 24,   0xf2, 0x44, 0x0f, 0x11,
                          0x64, 0x24, 16,   0x48, 0x89, 0x3c, 0x24, 0x90, 0xf2, 0x44, 0x0f,
                          0x10, 0x64, 0x24, 16,   0x48, 0x83, 0xc4, 24,   0x41, 0x5f, 0x5b,
                          0xc3, 0,    0,    0,    0,    0,    0,    0,    0};
  const auto begin = reinterpret_cast<uintptr_t>(code);
  arch::CallerPlace place;
  const std::pair<uint32_t, uint32_t> prologue[] = {{0, 8},  {1, 16},  {3, 24},
                                                    {7, 48}, {14, 48}, {18, 48}};
  for (const auto& [offset, expected] : prologue) {
    EXPECT_TRUE(arch::FindCallerInPrologue(begin, begin + offset, 48, &place)) << offset;
    EXPECT_EQ(place.frame_bytes, expected) << offset;
    EXPECT_FALSE(place.is_in_register);
  }
  EXPECT_FALSE(arch::FindCallerInPrologue(begin, begin + 19, 48, &place)) << "behind the prologue";
  EXPECT_FALSE(arch::FindCallerInPrologue(begin, begin + 2, 48, &place)) << "inside an instruction";
  const std::pair<uint32_t, uint32_t> epilogue[] = {
      {19, 48}, {26, 48}, {30, 24}, {32, 16}, {33, 8}};
  for (const auto& [offset, expected] : epilogue) {
    EXPECT_TRUE(arch::FindCallerInEpilogue(begin + offset, &place)) << offset;
    EXPECT_EQ(place.frame_bytes, expected) << offset;
    EXPECT_FALSE(place.is_in_register);
  }
  EXPECT_FALSE(arch::FindCallerInEpilogue(begin + 18, &place)) << "not in the epilogue yet";
  uint32_t bytes = 0;
  for (const uint32_t offset : {7U, 18U, 26U})
    EXPECT_TRUE(arch::IsBehindPrologue(begin, begin + offset, 48)) << offset;
  EXPECT_FALSE(arch::IsBehindPrologue(begin, begin + 3, 48)) << "the frame is not whole";
  EXPECT_FALSE(arch::IsBehindPrologue(begin, begin + 18, 56)) << "another frame";
  const std::pair<uint32_t, uint32_t> dropped[] = {{30, 24}, {32, 32}, {33, 40}};
  for (const auto& [offset, expected] : dropped) {
    EXPECT_TRUE(arch::DroppedFrameBytes(begin + offset, &bytes)) << offset;
    EXPECT_EQ(bytes, expected) << offset;
  }
  EXPECT_FALSE(arch::DroppedFrameBytes(begin + 18, &bytes)) << "no frame was dropped";
}

TEST(CompiledFrame, AReturnAddressFollowsACall) {
  const auto follows = [](std::vector<uint8_t> bytes) {
    bytes.insert(bytes.begin(), 8, 0x90);
    return arch::FollowsCall(reinterpret_cast<uintptr_t>(bytes.data() + bytes.size()));
  };
  EXPECT_TRUE(follows({0xe8, 1, 2, 3, 4}));
  EXPECT_TRUE(follows({0xff, 0xd0}));                          // call *%rax
  EXPECT_TRUE(follows({0xff, 0x57, 0x18}));                    // call *24(%rdi)
  EXPECT_TRUE(follows({0x65, 0xff, 0x14, 0x25, 1, 2, 3, 4}));  // call *%gs:n
  EXPECT_FALSE(follows({0xff, 0xe1}));                         // jmp *%rcx
  EXPECT_FALSE(follows({0x90, 0x90}));
  EXPECT_FALSE(arch::FollowsCall(0x10));
}

// The word before an ArtMethod is its neighbour's entry point, a pointer into a library. Its byte
// 0xe8 reads as a call.
TEST(CompiledFrame, APointersBytesAreNoCall) {
  void* const at = reinterpret_cast<void*>(0x7f90e8020000);
  void* const page = mmap(at, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != at) GTEST_SKIP() << "the place is taken";
  alignas(8) const uintptr_t words[] = {0, 0x7f90e8020123, 0x7f90e9020123};
  EXPECT_FALSE(arch::FollowsCall(reinterpret_cast<uintptr_t>(words + 2)));
  munmap(page, 4096);
  EXPECT_TRUE(arch::FollowsCall(reinterpret_cast<uintptr_t>(words + 2))) << "leads nowhere";
}

// A call of a function 0x5a0 bytes further on, behind three bytes of the instruction before it.
TEST(CompiledFrame, ANearCallsDistanceIsNoPointer) {
  void* const at = reinterpret_cast<void*>(0x05a0e8020000);
  void* const page = mmap(at, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
                          -1, 0);  // a sanitizer's shadow is there without it
  alignas(8) const uintptr_t words[] = {0, 0x05a0e8020123, 0};
  EXPECT_TRUE(arch::FollowsCall(reinterpret_cast<uintptr_t>(words + 2)));
  if (page != MAP_FAILED) munmap(page, 4096);
}
#endif

#if defined(__arm__)
// Thumb's calls, as bit 0 of the return address tells, and those of ARM.
TEST(CompiledFrame, AReturnAddressFollowsACall) {
  const auto follows = [](const std::vector<uint16_t>& thumb, uintptr_t bit) {
    std::vector<uint16_t> code = {0xbf00, 0xbf00};
    code.insert(code.end(), thumb.begin(), thumb.end());
    code.push_back(0xbf00);
    return arch::FollowsCall((reinterpret_cast<uintptr_t>(code.data() + code.size() - 1)) | bit);
  };
  EXPECT_TRUE(follows({0xf000, 0xf800}, 1));  // bl
  EXPECT_TRUE(follows({0x47f0}, 1));          // blx lr
  EXPECT_FALSE(follows({0x4770}, 1));         // bx lr
  EXPECT_FALSE(follows({0xbf00}, 1));         // nop
  EXPECT_TRUE(follows({0x0001, 0xeb00}, 0));  // ARM's bl
  EXPECT_FALSE(follows({0x0001, 0xeb00}, 1));
  EXPECT_FALSE(follows({0x47f0}, 0));
}

// Before the push the word at the stack pointer is the caller's, which may be the same method.
TEST(CompiledFrame, AFrameBeginsWithAPush) {
  // sub.w r12, sp, 8192; ldr.w r12, [r12]; then push {r0, r5, lr} or push {r5-r8, r10, r11, lr}
  const std::vector<uint16_t> prologues[] = {
      {0xf5ad, 0x5c00, 0xf8dc, 0xc000, 0xb521, 0xbf00, 0xbf00},
      {0xf5ad, 0x5c00, 0xf8dc, 0xc000, 0xe92d, 0x4de0, 0xbf00},
  };
  for (const auto& prologue : prologues) {
    const auto begin = reinterpret_cast<uintptr_t>(prologue.data());
    for (const uint32_t offset : {0U, 4U, 8U})
      EXPECT_FALSE(arch::IsInFrame(begin, begin + offset, 32)) << offset;
    EXPECT_TRUE(arch::IsInFrame(begin, begin + 12, 32));
  }
  const std::vector<uint16_t> without(100, 0xbf00);
  const auto begin = reinterpret_cast<uintptr_t>(without.data());
  EXPECT_FALSE(arch::IsInFrame(begin, begin + 150, 32));
  EXPECT_FALSE(arch::IsInFrame(0x1000, 0x1010, 32)) << "not readable";
}
#endif

#if defined(__aarch64__)
constexpr uint32_t kReturn = 0xd65f03c0;
constexpr uint32_t kNop = 0xd503201f;

// Where the walk looks for the caller, in its order.
bool FindCaller(uintptr_t begin, uintptr_t pc, uint32_t frame_bytes, arch::CallerPlace* place) {
  return arch::FindCallerInPrologue(begin, pc, frame_bytes, place) ||
         arch::FindCallerInEpilogue(pc, place) ||
         arch::FindCallerInBody(begin, pc, frame_bytes, place);
}

// A method with a frame: the instruction that makes it, the first one behind the prologue, and the
// return, which comes last.
struct FramedCode {
  const char* name;
  uint32_t frame_bytes;
  std::vector<uint32_t> code;
  uint32_t makes;
  uint32_t body;
};

// Each runs until x30 is stored: alone, with the method in one instruction, after a check of the
// class with its branches, through a register for a distant address.
const FramedCode kFramed[] = {
    {"stp x0, x30, [sp, -16]!", 16, {0xa9bf7be0, kNop, 0xa8c17bff, kReturn}, 0, 1},
    {"a pair with the method",
     32,
     {0xa9be5be0, 0xa9017bf7, 0x2a0103f6, 0xa9417bf7, 0xa8c25bff, kReturn},
     0,
     2},
    {"a check of the class",
     64,
     {0xb9400010, 0x3941ce11, 0x7103c23f, 0x540000c2, 0x7103823f, 0x54000062,
      0xf9418270, 0xd61f0200, 0xd5033bbf, 0xd1400bf0, 0xb940021f, 0xf81c0fe0,
      0xf90017f6, 0xa9037bf7, 0xfd0013e8, 0xb9001fff, 0xd63f03c0, 0xfd4013e8,
      0xf94017f6, 0xa9437bf7, 0x910103ff, kReturn},
     11,
     14},
    {"more than a page",
     4560,
     {0x928239f0, 0x8b3063ff, 0xf90003e0, 0xf908dff6, 0xd2823811, 0x8b3163f0, 0xa9007a17,
      0x34000021, 0xd2823811, 0x8b3163f0, 0xa9407a17, 0xd2823a10, 0x8b3063ff, kReturn},
     1,
     7},
    {"a landing pad and a signed return address",
     64,
     {0xd503245f, 0xd503233f, 0xd10103ff, 0xf9001ffe, 0xf90003e0, 0xf94002b5, 0xf94002b5,
      0xf9401ffe, 0x910103ff, 0xd65f0bff},
     2,
     4},
    {"too far for a pair",
     1008,
     {0xd10fc3ff, 0xf90003e0, 0x910f83f0, 0xa9007a1d, 0x34000021, 0x910f83f0, 0xa9407a1d,
      0x910fc3ff, kReturn},
     0,
     4},
};

TEST(CompiledFrame, FindsTheCallerAtEachInstruction) {
  for (const FramedCode& method : kFramed) {
    const auto begin = reinterpret_cast<uintptr_t>(method.code.data());
    const auto last = static_cast<uint32_t>(method.code.size()) - 1;
    for (uint32_t i = 0; i <= last; ++i) {
      SCOPED_TRACE(std::string(method.name) + ", instruction " + std::to_string(i));
      const uintptr_t pc = begin + 4 * uintptr_t{i};
      const bool has_frame = i > method.makes && i < last;
      arch::CallerPlace place;
      ASSERT_TRUE(FindCaller(begin, pc, method.frame_bytes, &place));
      EXPECT_EQ(place.frame_bytes, has_frame ? method.frame_bytes : 0);
      EXPECT_TRUE(place.is_in_register || i >= method.body);
      EXPECT_FALSE(place.is_in_register && i == method.body);
      EXPECT_EQ(arch::IsInFrame(begin, pc, method.frame_bytes), i >= method.body && i < last);
      EXPECT_FALSE(arch::IsInFrame(begin, pc, method.frame_bytes + 16)) << "another frame";
    }
    uint32_t bytes = 0;
    EXPECT_TRUE(arch::DroppedFrameBytes(begin + 4 * uintptr_t{last}, &bytes)) << method.name;
    EXPECT_EQ(bytes, method.frame_bytes) << method.name;
    EXPECT_FALSE(arch::DroppedFrameBytes(begin + 4 * uintptr_t{method.body}, &bytes))
        << method.name;
  }
}

TEST(CompiledFrame, ALeafKeepsItsReturnAddressInTheRegister) {
  // add w0, w1, w1, lsl 1; cbz w1, +8; ret; fmov d30, d0; add w0, w0, 1; ret
  const uint32_t code[] = {0x0b010420, 0x34000041, kReturn, 0x1e60401e, 0x11000400, kReturn};
  const auto begin = reinterpret_cast<uintptr_t>(code);
  for (uintptr_t pc = begin; pc < begin + sizeof code; pc += 4) {
    arch::CallerPlace place;
    ASSERT_TRUE(FindCaller(begin, pc, 0, &place));
    EXPECT_EQ(place.frame_bytes, 0U);
    EXPECT_TRUE(place.is_in_register);
    EXPECT_FALSE(arch::IsInFrame(begin, pc, 0));
  }
  const std::vector<uint32_t> longer(200, kNop);
  const auto long_begin = reinterpret_cast<uintptr_t>(longer.data());
  arch::CallerPlace place;
  EXPECT_TRUE(FindCaller(long_begin, long_begin + 600, 0, &place));
  EXPECT_FALSE(FindCaller(long_begin, long_begin + 600, 32, &place)) << "no frame is made";
}

TEST(CompiledFrame, AnUnknownInstructionFindsNoCaller) {
  const std::pair<uint32_t, const char*> unknown[] = {
      {0x9100013f, "mov sp, x9"},
      {0x927ced3f, "and sp, x9, -16"},
      {0xcb3063ff, "sub sp, sp, x16"},
      {0xf941927e, "ldr x30, [x19, 800]"},
      {0xaa0103fe, "mov x30, x1"},
      {0x94000000, "bl"},
      {0xd63f0000, "blr x0"},
      {0x00000000, "udf"},
      {0x043f503f, "addvl sp, sp, 1"},
      {0x4cdf73e0, "ld1 {v0.16b}, [sp], 16"},
      {0xf84107fe, "ldr x30, [sp], 16"},
      {0xf8201fe1, "ldraa x1, [sp, 8]!"},
      {0xd4200000, "brk"},
      {0x910043ff, "add sp, sp, 16"},
  };
  for (const auto& [instruction, name] : unknown) {
    const uint32_t code[] = {instruction, kNop, kNop};
    const auto begin = reinterpret_cast<uintptr_t>(code);
    for (const uint32_t frame_bytes : {0U, 32U}) {
      arch::CallerPlace place;
      EXPECT_FALSE(FindCaller(begin, begin + 4, frame_bytes, &place)) << name;
      EXPECT_FALSE(arch::IsInFrame(begin, begin + 4, frame_bytes)) << name;
    }
  }
  arch::CallerPlace place;
  uint32_t bytes = 0;
  EXPECT_FALSE(FindCaller(0x1000, 0x1004, 16, &place)) << "not readable";
  EXPECT_FALSE(arch::DroppedFrameBytes(0x1004, &bytes));
}

TEST(CompiledFrame, AReturnAddressFollowsACall) {
  const std::pair<uint32_t, const char*> calls[] = {
      {0x94000000, "bl"},        {0xd63f03c0, "blr x30"},        {0xd73f0801, "blraa x0, x1"},
      {0xd63f081f, "blraaz x0"}, {0xf94002b5, "ldr x21, [x21]"},
  };
  const std::pair<uint32_t, const char*> others[] = {
      {0x14000000, "b"},
      {0xd61f03c0, "br x30"},
      {0xf94002a0, "ldr x0, [x21]"},
      {0xd503245f, "bti c"},
      {0xf94006b5, "ldr x21, [x21, 8]"},
      {kNop, "nop"},
  };
  const auto follows = [](uint32_t instruction) {
    const uint32_t code[] = {instruction, kNop};
    return arch::FollowsCall(reinterpret_cast<uintptr_t>(code + 1));
  };
  for (const auto& [instruction, name] : calls) EXPECT_TRUE(follows(instruction)) << name;
  for (const auto& [instruction, name] : others) EXPECT_FALSE(follows(instruction)) << name;
}

TEST(CompiledFrame, AStubTakesStackBehindALandingPadToo) {
  const auto takes = [](const std::vector<uint32_t>& code) {
    return arch::TakesStack(reinterpret_cast<uintptr_t>(code.data()));
  };
  EXPECT_TRUE(takes({0xd10083ff, kNop}));              // sub sp, sp, 32
  EXPECT_TRUE(takes({0xd503245f, 0xd10083ff, kNop}));  // bti c
  EXPECT_FALSE(takes({kNop, 0xd10083ff, kNop}));
  EXPECT_FALSE(takes({0xd503245f, kNop, 0xd10083ff}));
}

TEST(CompiledFrame, ATrampolineLoadsFromTheThreadAndJumps) {
  // ldr x16, [x19, 1136]; br x16; brk; br x16
  const uint32_t code[] = {0xf9423a70, 0xd61f0200, 0xd4200000, 0xd61f0200};
  const auto begin = reinterpret_cast<uintptr_t>(code);
  const bool expected[] = {true, true, false, false};
  for (uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ(arch::IsRuntimeTrampoline(begin + 4 * uintptr_t{i}), expected[i]) << i;
}

TEST(CompiledFrame, ALongJumpLoadsAnotherFramesRegistersBeforeItsStackPointer) {
  // ldr x17, [x0, 264]; ldp x0, x1, [x0]; mov sp, x16; ldr w20, [x19, 52]; br x17
  const uint32_t code[] = {0xf9408411, 0xa9400400, 0x9100021f, 0xb9403674, 0xd61f0220};
  const auto begin = reinterpret_cast<uintptr_t>(code);
  for (uint32_t i = 0; i < 5; ++i)
    EXPECT_EQ(arch::IsInLongJump(begin + 4 * uintptr_t{i}), i < 3) << i;
}

// A method that calls itself, at the places where the word at the stack pointer is the caller's.
class RecursionTest : public testing::TestWithParam<uint32_t> {
 protected:
  static constexpr uint32_t kFrameBytes = 64;
  static constexpr uint32_t kCall = 40;   // offset of the return address
  static constexpr uint32_t kStale = 24;  // of one that was left behind
  static constexpr uint32_t kEpilogue = 56;

  RecursionTest() {
    testbed::quick_code::CodeDescription description;
    description.code_bytes = 128;
    description.frame_bytes = kFrameBytes;
    outer_ = image_.Method();
    method_ = image_.Method();
    outer_code_ = image_.PutCode(outer_, image_.Allocate(ArtImage::kCodeRoom), description);
    code_ = image_.PutCode(method_, image_.Allocate(ArtImage::kCodeRoom), description);
    image_.Put32(code_ + kEpilogue, 0x910103ff);  // add sp, sp, 64
    image_.Put32(code_ + kEpilogue + 4, kReturn);
    // The callee's frame is where the lowest one begins.
    const uintptr_t lowest = image_.QuickFrames(
        1024, {{method_, kFrameBytes}, {method_, kFrameBytes}, {outer_, kFrameBytes}});
    frame_ = lowest + kFrameBytes;
    image_.PutPointer(frame_ - sizeof(uintptr_t), code_ + kStale);
    image_.PutPointer(frame_ + kFrameBytes - sizeof(uintptr_t), outer_code_ + kCall);
    registers_.values[arch::kMethodRegister] = method_;
    registers_.values[arch::kLinkRegister] = code_ + kCall;
  }

  bool FindAt(uint32_t offset, uintptr_t sp) {
    registers_.values[arch::kDwarfPc] = code_ + offset;
    registers_.values[arch::kDwarfSp] = sp;
    return FindLiveCompiledFrame(image_.facts(), registers_, 0, false, &found_);
  }
  void ExpectCallerOf(uintptr_t method) {
    EXPECT_EQ(found_.method, method);
    EXPECT_EQ(found_.is_nameless, method == 0);
    EXPECT_EQ(found_.place.frame, frame_);
    EXPECT_EQ(found_.place.pc, code_ + kCall);
  }

  ArtImage image_{KnownLayouts().rows[GetParam()]};
  uintptr_t method_ = 0;
  uintptr_t outer_ = 0;
  uintptr_t code_ = 0;
  uintptr_t outer_code_ = 0;
  uintptr_t frame_ = 0;  // the caller's
  arch::UnwindRegisters registers_ = {};
  InnermostFrame found_ = {};
};

TEST_P(RecursionTest, FindsTheCallerInPrologueAndBody) {
  ASSERT_TRUE(FindAt(0, frame_));
  ExpectCallerOf(method_);
  ASSERT_TRUE(FindAt(4, frame_ - kFrameBytes)) << "x30 is not stored yet";
  EXPECT_EQ(found_.dex_pc, RawPc(code_ + 4));
  ExpectCallerOf(method_);
  ASSERT_TRUE(FindAt(8, frame_ - kFrameBytes));
  EXPECT_EQ(found_.method, 0U);
  EXPECT_FALSE(found_.is_nameless);
  EXPECT_EQ(found_.place.frame, frame_ - kFrameBytes);
}

TEST_P(RecursionTest, FindsTheCallerInTheEpilogue) {
  registers_.values[arch::kMethodRegister] = 7;
  ASSERT_TRUE(FindAt(kEpilogue, frame_ - kFrameBytes));
  EXPECT_EQ(found_.place.frame, frame_ - kFrameBytes);
  ASSERT_TRUE(FindAt(kEpilogue + 4, frame_));
  ExpectCallerOf(method_);
  image_.PutPointer(frame_ - kFrameBytes, 0);
  ASSERT_TRUE(FindAt(kEpilogue + 4, frame_)) << "overwritten since";
  ExpectCallerOf(0);
  registers_.values[arch::kLinkRegister] = code_ - 64;
  EXPECT_FALSE(FindAt(kEpilogue + 4, frame_)) << "no code of the caller";
}

INSTANTIATE_TEST_SUITE_P(Rows, RecursionTest, testing::Range(0U, KnownLayouts().count),
                         [](const testing::TestParamInfo<uint32_t>& row) {
                           return std::string("Art") + KnownLayouts().rows[row.param].release;
                         });
#endif

}  // namespace
}  // namespace stillframe::walk
