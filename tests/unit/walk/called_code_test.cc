// SPDX-License-Identifier: Apache-2.0
// Compiled code that runs without a frame of its own, and which of several methods it is.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "arch/arch.h"
#include "src/walk/code_index.h"
#include "src/walk/compiled_frame.h"
#include "tests/unit/walk/art_image.h"

namespace stillframe::walk {
namespace {

#if defined(__x86_64__)
// A caller at frame(), and code that it called; of the most recent release.
class CalledCodeTest : public testing::Test {
 protected:
  static constexpr uint32_t kFrameBytes = 32;
  static constexpr uint32_t kCall = 40;  // offset of the return address

  CalledCodeTest() {
    const uintptr_t caller = image_.Method();
    const uintptr_t outer = image_.Method();
    const uintptr_t caller_code = PutCode(caller, {.frame_bytes = kFrameBytes});
    const uintptr_t outer_code = PutCode(outer, {.frame_bytes = kFrameBytes});
    frame_ = image_.QuickFrames(1024, {{caller, kFrameBytes}, {outer, kFrameBytes}});
    Push(1, caller_code + kCall);
    image_.PutPointer(frame_ + kFrameBytes - sizeof(uintptr_t), outer_code + kCall);
    registers_.values[arch::kMethodRegister] = 7;
  }

  uintptr_t PutCode(uintptr_t method, testbed::quick_code::CodeDescription description,
                    const std::vector<uint8_t>& instructions = {}) {
    description.code_bytes = 128;
    const uintptr_t code =
        image_.PutCode(method, image_.Allocate(ArtImage::kCodeRoom), description);
    for (size_t i = 0; i < instructions.size(); ++i) image_.Put8(code + i, instructions[i]);
    return code;
  }
  // So many words below the caller's frame.
  uintptr_t Below(uint32_t words) const { return frame_ - words * sizeof(uintptr_t); }
  void Push(uint32_t words, uintptr_t value) { image_.PutPointer(Below(words), value); }

  // `top_quick_frame`: as the fragment has it.
  bool FindAt(uintptr_t pc, uint32_t words, uintptr_t top_quick_frame = 0) {
    registers_.values[arch::kDwarfPc] = pc;
    registers_.values[arch::kDwarfSp] = Below(words);
    return FindLiveCompiledFrame(image_.facts(), registers_, top_quick_frame, false, &found_);
  }
  void ExpectCallerOf(uintptr_t method, bool is_nameless = false) {
    EXPECT_EQ(found_.method, method);
    EXPECT_EQ(found_.is_nameless, is_nameless);
    EXPECT_EQ(found_.place.frame, frame_);
  }

  ArtImage image_{KnownLayouts().rows[0]};
  uintptr_t frame_ = 0;
  arch::UnwindRegisters registers_ = {};
  InnermostFrame found_ = {};
};

// Two methods of the same instructions, which a boot image has once: the pc was seen before, in the
// other one.
TEST_F(CalledCodeTest, AFrameThatIsDroppedNamesItsMethodOfThoseThatShareTheCode) {
  const uintptr_t method = image_.Method();
  const uintptr_t other = image_.Method();
  // add $16,%rsp; pop %rbx; ret
  const uintptr_t code = PutCode(method, {.frame_bytes = kFrameBytes},
                                 {0x90, 0x90, 0x90, 0x90, 0x48, 0x83, 0xc4, 16, 0x5b, 0xc3});
  image_.PutPointer(other + image_.layout().method_entry_point, code);
  const auto seen = std::make_unique<CodeIndex>();
  seen->Add(code, 128, other);
  image_.facts().code_index = seen.get();
  Push(4, method);
  ASSERT_TRUE(FindAt(code + 8, 2));
  ExpectCallerOf(method);
  ASSERT_TRUE(FindAt(code + 9, 1));
  ExpectCallerOf(method);
  Push(4, 0);
  ASSERT_TRUE(FindAt(code + 8, 2)) << "overwritten since: what was seen says it";
  ExpectCallerOf(other);
}

// Such a stub is not a managed frame: ART reports none either.
TEST_F(CalledCodeTest, AStubWithoutAFrameHasItsCaller) {
  const uintptr_t native = image_.NativeMethod();
  // sub $8,%rsp; mov %rdi,%rax; call *16(%rax); add $8,%rsp; ret
  const std::vector<uint8_t> instructions = {0x48, 0x83, 0xec, 8,    0x48, 0x89, 0xf8, 0xff,
                                             0x50, 16,   0x48, 0x83, 0xc4, 8,    0xc3};
  const uintptr_t code = PutCode(native, {}, instructions);
  registers_.values[arch::kMethodRegister] = native;
  ASSERT_TRUE(FindAt(code + 7, 2)) << "before its call";
  ExpectCallerOf(native);
  registers_.values[arch::kMethodRegister] = 7;
  ASSERT_TRUE(FindAt(code + 10, 2));
  ExpectCallerOf(0);
  ASSERT_TRUE(FindAt(code + 14, 1));
  ExpectCallerOf(0);
  // Code other than a stub is marked as nameless.
  const uintptr_t other = PutCode(image_.Method(), {.dex_registers = 3}, instructions);
  ASSERT_TRUE(FindAt(other + 14, 1));
  ExpectCallerOf(0, true);
}

// A saved register may hold an object, which looks like a method. With a hash code it looks like a
// native one.
TEST_F(CalledCodeTest, AnObjectThatAPrologueSavesIsNoFrame) {
  const uintptr_t native = image_.NativeMethod();
  const uintptr_t object = image_.NativeMethod();
  // push %rbx; push %rbp; sub $24,%rsp; mov %rdi,(%rsp)
  const uintptr_t code = PutCode(native, {.frame_bytes = 48},
                                 {0x53, 0x55, 0x48, 0x83, 0xec, 24, 0x48, 0x89, 0x3c, 0x24});
  registers_.values[arch::kMethodRegister] = native;
  Push(2, object);
  ASSERT_TRUE(FindAt(code + 1, 2));
  ExpectCallerOf(native);
}

// The fragment still has the previous stub's frame until this stub stores its own. The old words
// are still there, and a frame further out fits by chance.
TEST_F(CalledCodeTest, AFrameOfAStubThatHasReturnedIsNotTheNextOnes) {
  const uintptr_t native = image_.NativeMethod();
  const uintptr_t former = image_.NativeMethod();
  // push %rbx; push %rbp; sub $24,%rsp; mov %rdi,(%rsp); sub $16,%rsp
  const uintptr_t code = PutCode(
      native, {.frame_bytes = 48},
      {0x53, 0x55, 0x48, 0x83, 0xec, 24, 0x48, 0x89, 0x3c, 0x24, 0x48, 0x83, 0xec, 16, 0x90});
  image_.PutPointer(former + image_.layout().method_entry_point, code);
  registers_.values[arch::kMethodRegister] = native;
  Push(2, former);
  ASSERT_TRUE(FindAt(code + 2, 3, Below(2)));
  ExpectCallerOf(native);
  // The method is stored, but the fragment does not point to it yet.
  Push(6, native);
  ASSERT_TRUE(FindAt(code + 10, 6, Below(2)));
  EXPECT_EQ(found_.place.frame, Below(6));
  registers_.values[arch::kMethodRegister] = 7;
  ASSERT_TRUE(FindAt(code + 14, 8, Below(6))) << "below it lie the arguments";
  EXPECT_EQ(found_.place.frame, Below(6));
}
#endif

}  // namespace
}  // namespace stillframe::walk
