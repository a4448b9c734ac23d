// SPDX-License-Identifier: Apache-2.0
// Methods with a frame for x86_64. Prologue and epilogue are those of ART's compiler:
// compiler/optimizing/code_generator_x86_64.cc, GenerateFrameEntry and GenerateFrameExit, the same
// in ART 11.0.0_r48 and 14.0.0_r15.
// Context: any thread
#pragma once

#include <utility>

#include "tests/testbed/quick_code/compiled_method.h"
#include "tests/testbed/quick_code/x86_64/assembler.h"

namespace testbed::quick_code {

constexpr uint32_t kWord = 8;
constexpr uint32_t kStackAlignment = 16;
constexpr uint32_t kStackReserve = 8192;            // runtime/arch/instruction_set.h
constexpr uint32_t kReturnAddressSpill = 1U << 16;  // the register after r15 stands for it
constexpr uint32_t kRbxAndRbpSpills = (1U << 3) | (1U << 5);
constexpr uint32_t kXmm12Spill = 1U << 12;
constexpr uint32_t kPushedBytes = 2 * kWord;

inline CompiledMethod Finish(const Assembler& code, CodeDescription description) {
  description.code_bytes = code.Here();
  return {code.code(), code.instructions(), std::move(description)};
}

// movsd between xmm12 and [rsp + offset]
inline void MoveXmm12(Assembler* code, bool store, uint32_t offset) {
  code->Emit({0xf2, 0x44, 0x0f, static_cast<uint8_t>(store ? 0x11 : 0x10), 0xa4, 0x24}, offset);
}

inline uint32_t FrameBytes(const FrameShape& shape) {
  const uint32_t bytes =
      kWord + shape.local_bytes + (shape.spills_fp ? kWord : 0) + kPushedBytes + kWord;
  return (bytes + kStackAlignment - 1) / kStackAlignment * kStackAlignment;
}

// A method with a frame that stores itself and keeps two registers; the code between entry and exit
// is the caller's.
class Framed {
 public:
  Framed(const FrameShape& shape, uint32_t entry_point)
      : spills_fp_(shape.spills_fp), entry_point_(entry_point) {
    description_.frame_bytes = FrameBytes(shape);
    description_.core_spills = kReturnAddressSpill | kRbxAndRbpSpills;
    description_.fp_spills = shape.spills_fp ? kXmm12Spill : 0;
    description_.dex_registers = 3;
    local_bytes_ = description_.frame_bytes - kPushedBytes - kWord;
    // test [rsp - reserve], rax: faults when the stack is used up
    description_.safepoints.push_back(
        {code_.Emit({0x48, 0x85, 0x84, 0x24}, 0U - kStackReserve), 0, {}});
    code_.Push(Register::kRbp);
    code_.Push(Register::kRbx);
    code_.SubtractFromStack(local_bytes_);
    if (spills_fp_) MoveXmm12(&code_, true, local_bytes_ - kWord);
    code_.Emit({0x48, 0x89, 0x3c, 0x24});  // mov [rsp], rdi: the method
  }

  Framed(const Framed&) = delete;
  Framed& operator=(const Framed&) = delete;

  // The first argument: its low four bits, and what is above them for PassRest.
  void SplitArgument() {
    code_.Emit({0x89, 0xf3});        // mov ebx, esi
    code_.Emit({0xc1, 0xfb, 0x04});  // sar ebx, 4
    code_.Emit({0x83, 0xe6, 0x0f});  // and esi, 15
  }
  void PassRest() { code_.Emit({0x89, 0xde}); }                    // mov esi, ebx
  void SubtractOneFromArgument() { code_.Emit({0x83, 0xee, 1}); }  // sub esi, 1
  void PassSecondAndTrue() {
    code_.Emit({0x89, 0xd6});  // mov esi, edx
    code_.Emit({0xba}, 1);     // mov edx, 1
  }
  void AddOneToResult() { code_.Emit({0x83, 0xc0, 0x01}); }  // add eax, 1

  Assembler::Jump JumpUnlessArgumentIs(uint8_t value) {
    code_.Emit({0x83, 0xfe, value});         // cmp esi, value
    return code_.JumpForward({0x0f, 0x85});  // jne
  }
  Assembler::Jump JumpIfArgumentIsAtMostOne() {
    code_.Emit({0x83, 0xfe, 1});             // cmp esi, 1
    return code_.JumpForward({0x0f, 0x8e});  // jle
  }
  Assembler::Jump JumpForward() { return code_.JumpForward({0xe9}); }  // jmp
  void Bind(Assembler::Jump jump) { code_.Bind(jump); }

  void Call(const CallSite& site) {
    code_.LoadAddress(Register::kRdi, site.callee);
    const uint32_t after_call = code_.Emit({0xff, 0x97}, entry_point_);  // call [rdi + entry_point]
    description_.safepoints.push_back({after_call, site.dex_pc, site.inlined});
  }

  CompiledMethod Exit() {
    if (spills_fp_) MoveXmm12(&code_, false, local_bytes_ - kWord);
    code_.AddToStack(local_bytes_);
    code_.Pop(Register::kRbx);
    code_.Pop(Register::kRbp);
    code_.Return();
    return Finish(code_, std::move(description_));
  }

 private:
  bool spills_fp_;
  uint32_t entry_point_;
  uint32_t local_bytes_ = 0;
  Assembler code_;
  CodeDescription description_;
};

}  // namespace testbed::quick_code
