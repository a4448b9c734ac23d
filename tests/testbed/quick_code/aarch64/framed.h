// SPDX-License-Identifier: Apache-2.0
// Methods with a frame for aarch64. Prologue and epilogue are those of ART's compiler:
// compiler/optimizing/code_generator_arm64.cc, GenerateFrameEntry and GenerateFrameExit, and
// compiler/utils/arm64/assembler_arm64.cc, SpillRegisters, the same in ART 11.0.0_r48 and
// 14.0.0_r15.
// Context: any thread
#pragma once

#include <utility>

#include "tests/testbed/quick_code/aarch64/assembler.h"
#include "tests/testbed/quick_code/compiled_method.h"

namespace testbed::quick_code {

constexpr uint32_t kWord = 8;
constexpr uint32_t kStackAlignment = 16;
constexpr uint32_t kMethod = 0;  // register x0; w1 and w2 are the arguments
// Registers that the callee keeps and that the runtime does not reserve; x22 to x29 are such.
constexpr uint32_t kX22 = 22;
constexpr uint32_t kX23 = 23;
constexpr uint32_t kD8 = 8;
constexpr uint32_t kCoreSpills = 1U << kX22 | 1U << kX23 | 1U << kLr;
constexpr uint32_t kCoreSpillBytes = 3 * kWord;

constexpr uint32_t kNotEqual = 1;
constexpr uint32_t kPositiveOrZero = 5;
constexpr uint32_t kLessOrEqual = 13;

inline CompiledMethod Finish(const Assembler& code, CodeDescription description) {
  description.code_bytes = code.Here();
  description.instruction_bytes = 4;
  return {code.code(), code.instructions(), std::move(description)};
}

inline uint32_t FrameBytes(const FrameShape& shape) {
  const uint32_t bytes =
      kWord + shape.local_bytes + (shape.spills_fp ? kWord : 0) + kCoreSpillBytes;
  return (bytes + kStackAlignment - 1) / kStackAlignment * kStackAlignment;
}

// A frame of x22, x23, x30 and perhaps d8. Without a gap between the method and the spilled
// registers two of them go with one instruction.
class Frame {
 public:
  Frame(Assembler* code, const FrameShape& shape)
      : code_(code), bytes_(FrameBytes(shape)), spills_fp_(shape.spills_fp) {}

  void Enter(bool stores_method) {
    const uint32_t core = bytes_ - kCoreSpillBytes;
    if (core == kWord)
      code_->PushPair(kMethod, kX22, bytes_);
    else if (stores_method)
      code_->Push(kMethod, bytes_);
    else
      code_->ClaimStack(bytes_);
    if (core != kWord) code_->Store(kX22, core);
    code_->StorePair(kX23, kLr, core + kWord);
    if (!spills_fp_) return;
    code_->StoreDouble(kD8, core - kWord);
    // str wzr: the flag by which the runtime asks for interpretation
    code_->Emit(0xb9000000 | (core - 2 * kWord) / 4 << 10 | kSp << 5 | kZero);
  }

  void Exit() {
    const uint32_t core = bytes_ - kCoreSpillBytes;
    if (spills_fp_) code_->LoadDouble(kD8, core - kWord);
    if (core != kWord) code_->Load(kX22, core);
    code_->LoadPair(kX23, kLr, core + kWord);
    if (core == kWord)
      code_->PopPair(kZero, kX22, bytes_);
    else
      code_->DropStack(bytes_);
    code_->Return();
  }

  void Describe(CodeDescription* description) const {
    description->frame_bytes = bytes_;
    description->core_spills = kCoreSpills;
    description->fp_spills = spills_fp_ ? 1U << kD8 : 0;
    description->dex_registers = 3;
  }

 private:
  Assembler* code_;
  uint32_t bytes_;
  bool spills_fp_;
};

// A method that stores itself; the code between entry and exit is the caller's.
class Framed {
 public:
  Framed(const FrameShape& shape, uint32_t entry_point)
      : frame_(&code_, shape), entry_point_(entry_point) {
    frame_.Describe(&description_);
    code_.Emit(0xd1400bf0);  // sub x16, sp, 8192: faults when the stack is used up
    description_.safepoints.push_back({code_.Emit(0xb940021f), 0, {}});  // ldr wzr, [x16]
    frame_.Enter(true);
  }

  Framed(const Framed&) = delete;
  Framed& operator=(const Framed&) = delete;

  // The first argument: its low four bits, and what is above them for PassRest.
  void SplitArgument() {
    code_.Emit(0x13047c36);  // asr w22, w1, 4
    code_.Emit(0x12000c21);  // and w1, w1, 15
  }
  void PassRest() { code_.Emit(0x2a1603e1); }                 // mov w1, w22
  void SubtractOneFromArgument() { code_.Emit(0x51000421); }  // sub w1, w1, 1
  void PassSecondAndTrue() {
    code_.Emit(0x2a0203e1);  // mov w1, w2
    code_.Emit(0x52800022);  // mov w2, 1
  }
  void AddOneToResult() { code_.Emit(0x11000400); }  // add w0, w0, 1

  Assembler::Jump JumpUnlessArgumentIs(uint8_t value) {
    code_.Emit(0x7100003f | uint32_t{value} << 10);  // cmp w1, value
    return code_.JumpForward(kNotEqual);
  }
  Assembler::Jump JumpIfArgumentIsAtMostOne() {
    code_.Emit(0x7100043f);  // cmp w1, 1
    return code_.JumpForward(kLessOrEqual);
  }
  Assembler::Jump JumpForward() { return code_.JumpForward(); }
  void Bind(Assembler::Jump jump) { code_.Bind(jump); }

  void Call(const CallSite& site) {
    code_.LoadAddress(kMethod, site.callee);
    code_.Emit(0xf9400000 | entry_point_ / 8 << 10 | kMethod << 5 | kLr);  // ldr x30, [x0 + ...]
    const uint32_t after_call = code_.Emit(0xd63f0000 | kLr << 5);         // blr x30
    description_.safepoints.push_back({after_call, site.dex_pc, site.inlined});
  }

  CompiledMethod Exit() {
    frame_.Exit();
    return Finish(code_, std::move(description_));
  }

 private:
  Assembler code_;
  Frame frame_;
  uint32_t entry_point_;
  CodeDescription description_;
};

}  // namespace testbed::quick_code
